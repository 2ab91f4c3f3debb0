import { useStore } from '@nanostores/react'
import { atom, type WritableAtom } from 'nanostores'
import { type FormEvent, Fragment, type ReactNode, useEffect, useState } from 'react'
import { flushSync } from 'react-dom'
import { showToast } from '../../shell/toast.ts'
import { AdminError } from '../session/api.ts'
import { useAction } from './action.tsx'
import { Conflict } from './Conflict.tsx'
import {
  type Body,
  bodyOf,
  type Change,
  changesBetween,
  type Draft,
  differencesOf,
  draftOf,
  type Field,
  type Wrong,
  wrongIn,
} from './draft.ts'
import { errorText } from './error-text.ts'
import type { DrawnField } from './fields.tsx'
import { focusWrong } from './focus-wrong.ts'
import panelStyles from './panel.module.css'
import { savedWithUndo } from './undo.ts'
import { useLeaveWarning } from './use-leave-warning.ts'

/** What a form draws by other means has no drawing of its own. */
type Table = Record<string, Field & Partial<Pick<DrawnField, 'draw'>>>
/** What is typed and not saved, and what was saved when it was begun: somebody else made any later change. */
export type Edits<S> = { version: unknown; seen: S; edited: Record<string, unknown> }
type Kept<S> = WritableAtom<Edits<S> | undefined>

/** The fields that were changed; `undone` is the state that an undo goes back to. */
type Saving<S, F> = { changed: readonly (keyof F & string)[]; undone?: S }

type Options<S extends object, F extends Table, V, R> = {
  /** What the server has, by the names of the fields. */
  saved: S
  version: V
  fields: F
  save: (body: Body<F> & { version: V }, saving: Saving<S, F>) => Promise<R>
  reload: () => Promise<unknown>
  /** Title of the message if it fails. */
  failure: string
  /** Title and text of the message after it. */
  told: (answer: R) => readonly [title: string, text: string]
  /** Asks before it is saved; answers with what else the call says, undefined where it was not agreed to. */
  ask?: (draft: Draft<F>, changes: readonly Change<F>[]) => Promise<object | undefined>
  /** The version that an undo begins from; undefined where nothing can be undone. */
  undo?: (answer: R) => V | undefined
  /** The body has every field, not the changed ones alone. */
  isWhole?: boolean
  /** What is said of a form in which nothing was changed; without it the button is off until something is. */
  unchanged?: string
  /** Where edits survive a change of tab. */
  keep?: Kept<S>
  /** Whom the edits are meant for: those for another one, as for an event that is over, are dropped. */
  of?: (saved: S) => unknown
  /** What is wrong beyond single fields. */
  judge?: (draft: Draft<F>) => Wrong
  /** What the API calls the whole form: the first part of the names of refused fields. */
  under?: string
}

type Form<F extends Table> = ReturnType<typeof useDraft<object, F, unknown, unknown>>

/**
 * A form over one table of fields: its draft, what has changed, what is wrong or was refused, what somebody else saved
 * meanwhile, and how it is saved and undone.
 */
export function useDraft<S extends object, F extends Table, V, R>(options: Options<S, F, V, R>) {
  const { saved, version, fields, reload, unchanged, judge, under } = options
  const [own] = useState<Kept<S>>(() => atom())
  const $kept = options.keep ?? own
  const stored = useStore($kept)
  const kept = stored && options.of?.(stored.seen) === options.of?.(saved) ? stored : undefined
  const [refused, setRefused] = useState<Record<string, string>>({})
  const [isAsked, setAsked] = useState(false)

  const base = draftOf(fields, saved)
  const draftWith = (edited: Record<string, unknown>) => {
    const open = Object.entries(edited).filter(([name]) => fields[name] && !fields[name].locked)
    return { ...base, ...Object.fromEntries(open) } as Draft<F>
  }
  const draft = draftWith(kept?.edited ?? {})
  const changes = changesBetween(fields, base, draft)
  const isDirty = changes.length > 0
  const names = changes.map(({ name }) => name)
  const [single, beyond] = [wrongIn(fields, base, draft), judge?.(draft)]
  const bad = { ...single.bad, ...beyond?.bad }
  const missing = { ...single.missing, ...beyond?.missing }
  const isTouched = (name: string) => isAsked || Object.hasOwn(kept?.edited ?? {}, name)
  const told = Object.entries(missing).filter(([name]) => isTouched(name))
  const wrong: Record<string, string> = { ...Object.fromEntries(told), ...bad, ...refused }
  const seen = kept && draftOf(fields, kept.seen)
  // What somebody else saved in other fields, or to the very same value, is in nobody's way.
  const others = seen && isDirty ? changesBetween(fields, seen, base).map(({ name }) => name) : []
  const inConflict = others.filter((name) => names.includes(name))
  const now = { version, seen: saved }
  useLeaveWarning(isDirty)
  useEffect(() => {
    if (stored && !kept) $kept.set(undefined)
    // Without changed fields there, the new version becomes the base of further edits.
    else if (kept && kept.version !== version && inConflict.length === 0) $kept.set({ ...kept, ...now })
  })

  /** Takes parts of the newest draft: an upload may end while others are typed. */
  const edit = (change: Partial<Draft<F>> | ((draft: Draft<F>) => Partial<Draft<F>>)) => {
    const newest = $kept.get()
    const from = newest && options.of?.(newest.seen) === options.of?.(saved) ? newest : undefined
    const edited = from?.edited ?? {}
    const before = draftWith(edited)
    const asked = typeof change === 'function' ? change(before) : change
    const known: Readonly<Record<string, unknown>> = before
    const part = Object.fromEntries(Object.entries(asked).filter(([name, value]) => value !== known[name]))
    $kept.set({ ...(from && isDirty ? from : now), edited: { ...edited, ...part } })
    setRefused((all) => Object.fromEntries(Object.entries(all).filter(([name]) => !isPartOf(name, part))))
  }
  const reset = () => {
    $kept.set(undefined)
    setRefused({})
    setAsked(false)
  }
  const takeTheirs = () => {
    const edited = Object.entries(kept?.edited ?? {}).filter(([name]) => !inConflict.includes(name))
    $kept.set({ ...now, edited: Object.fromEntries(edited) })
  }
  const keepOwn = () => kept && $kept.set({ ...kept, ...now })

  const [save, isBusy] = useAction(options.failure, async (place: HTMLElement) => {
    const agreed = options.ask ? await options.ask(draft, changes) : {}
    if (!agreed) return
    const written = options.isWhole ? undefined : [...names, ...asideIn(fields)]
    let answer: R
    try {
      const seenVersion = (kept ? kept.version : version) as V
      answer = await options.save(
        { ...bodyOf(fields, draft, written), version: seenVersion, ...agreed },
        { changed: names },
      )
    } catch (error) {
      const field = error instanceof AdminError ? error.field?.replace(`${under}.`, '') : undefined
      if (field && Object.hasOwn(fields, field.split('.')[0] ?? '')) {
        flushSync(() => setRefused({ [field]: errorText(error, '') }))
        focusWrong(place)
      }
      // After a conflict this loads what the other administrator saved.
      await reload()
      throw error
    }
    await reload()
    reset()
    const next = options.undo?.(answer)
    if (next === undefined) return showToast(...options.told(answer), 'good')
    savedWithUndo(...options.told(answer), async () => {
      await options.save(
        { ...bodyOf(fields, base, written), version: next },
        { changed: names, undone: saved },
      )
      await reload()
    })
  })
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault()
    setAsked(true)
    // What has become wrong by itself is told, and is in the way of nothing else.
    const isOwn = (name: string) => names.includes(name) || !fields[name]?.isAlwaysChecked
    if (Object.keys({ ...bad, ...missing, ...refused }).some(isOwn)) focusWrong(event.currentTarget)
    else if (isDirty) void save(event.currentTarget)
    else if (unchanged !== undefined) showToast(options.failure, unchanged, 'bad')
  }
  return {
    ...{ fields, draft, changes, wrong, isDirty, isBusy, edit, reset, submit },
    isWrong: Object.keys(wrong).length > 0,
    conflict: seen &&
      inConflict.length > 0 && {
        changes: differencesOf(fields, seen, base, inConflict),
        onTake: takeTheirs,
        onKeep: keepOwn,
      },
    /** Of the SaveBar. */
    bar: {
      ...{ changes: changes.map(({ label }) => label), isBusy, onReset: reset },
      ...{ isWrong: Object.keys(wrong).length > 0, isAlwaysOn: unchanged !== undefined },
    },
  }
}

const asideIn = (fields: Table): string[] => Object.keys(fields).filter((name) => fields[name]?.isAside)
const isPartOf = (name: string, part: object): boolean => Object.hasOwn(part, name.split('.')[0] ?? '')

type PlaceProps<F extends Table> = {
  of: Form<F>
  label?: string
  className?: string | undefined
  children: ReactNode
}

/** Sends the form, and says what another administrator saved meanwhile. */
export const FormPlace = <F extends Table>({ of: form, label, className, children }: PlaceProps<F>) => (
  <form
    className={className ?? panelStyles.stack}
    noValidate
    {...(label !== undefined && { 'aria-label': label })}
    onSubmit={form.submit}
  >
    {form.conflict && <Conflict {...form.conflict} />}
    {children}
  </form>
)

/** These fields of a form, each with its label, error and hint. */
export const Fields = <F extends Table>({ of: form, names }: { of: Form<F>; names: (keyof F & string)[] }) =>
  names.map((name) => {
    const field = form.fields[name]
    return (
      <Fragment key={name}>
        {field?.draw?.({
          value: form.draft[name],
          set: (value) => form.edit({ [name]: value } as Partial<Draft<F>>),
          error: form.wrong[name],
          locked: field.locked,
        })}
      </Fragment>
    )
  })
