import { useStore } from '@nanostores/react'
import { atom, type WritableAtom } from 'nanostores'
import { Fragment, type ReactNode, type SyntheticEvent, useEffect, useState } from 'react'
import { flushSync } from 'react-dom'
import { Row } from '../../shell/Layout.tsx'
import { showToast } from '../../shell/toast.ts'
import { t } from '../language/t.ts'
import { AdminError } from '../session/session.ts'
import { Button, Dialog, DialogActions, savedWithUndo, useAction } from './action.tsx'
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
import { Cancelled, errorText } from './error-text.ts'
import type { DrawnField } from './fields.tsx'
import { Conflict, focusWrong, useLeaveWarning } from './form-parts.tsx'

/** What a form draws by other means has no drawing of its own. */
type Table = Record<string, Field & Partial<Pick<DrawnField, 'draw'>>>
/** What is typed and not saved, and what was saved when it was begun: somebody else made any later change. */
export type Edits<S> = { version: unknown; seen: S; edited: Record<string, unknown> }
type Kept<S> = WritableAtom<Edits<S> | undefined>

/** The fields that were changed; `undone` is the state that an undo goes back to, `way` what another button stands for. */
type Saving<S, F> = { changed: readonly (keyof F & string)[]; undone?: S; way?: string | undefined }

type Options<S extends object, F extends Table, V, R> = {
  saved?: S
  version?: V
  fields: F
  save: (body: Body<F> & { version: V }, saving: Saving<S, F>) => Promise<R>
  reload?: () => Promise<unknown>
  /** Title of the message if it fails; without it the fields alone tell of it. */
  failure?: string
  /** Title and text of the message after it; undefined where what comes next says it. */
  told?: (answer: R) => readonly [title: string, text: string] | undefined
  done?: ((answer: R) => unknown) | undefined
  /** Not kept, as a login is: wrong fields are told once it is sent, a refused one may be sent again, leaving warns nobody. */
  isSent?: boolean
  /** The fields that a refusal is about, with what is said there; by default the one that the API names. */
  blame?: (error: unknown) => Record<string, string>
  /** Asks before it is saved; answers with what else the call says, undefined where it was not agreed to. */
  ask?: (draft: Draft<F>, changes: readonly Change<F>[]) => Promise<object | undefined>
  /** The version that an undo begins from; undefined where nothing can be undone. */
  undo?: (answer: R) => V | undefined
  isWhole?: boolean
  /** What is said of a form in which nothing was changed; without it the button is off until something is. */
  unchanged?: string
  /** Where edits survive a change of tab. */
  keep?: Kept<S>
  /** Whom the edits are meant for: those for another one, as for an event that is over, are dropped. */
  of?: (saved: S) => unknown
  judge?: (draft: Draft<F>) => Wrong
}

type Form<F extends Table> = ReturnType<typeof useDraft<object, F, unknown, unknown>>

/** A form over one table of fields: draft, changes, what is wrong or refused, what somebody else saved, saving and undo. */
export function useDraft<S extends object, F extends Table, V, R>(options: Options<S, F, V, R>) {
  const { saved = {} as S, version, fields, reload, unchanged, judge, isSent = false } = options
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
  const wrong: Record<string, string> = {
    ...Object.fromEntries(told),
    ...((!isSent || isAsked) && bad),
    ...refused,
  }
  const seen = kept && draftOf(fields, kept.seen)
  // What somebody else saved in other fields, or to the very same value, is in nobody's way.
  const others = seen && isDirty ? changesBetween(fields, seen, base).map(({ name }) => name) : []
  const inConflict = others.filter((name) => names.includes(name))
  const now = { version, seen: saved }
  useLeaveWarning(isDirty && !isSent)
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

  const blame = (error: unknown): Record<string, string> => {
    const path = error instanceof AdminError ? (error.field ?? '').split('.') : []
    // What the API calls the whole form may stand before it.
    const own = path.slice(path.findIndex((name) => Object.hasOwn(fields, name)))
    return Object.hasOwn(fields, own[0] ?? '') ? { [own.join('.')]: errorText(error, '') } : {}
  }
  const [save, isBusy] = useAction(options.failure ?? '', async (place: Element, way?: string) => {
    setRefused({})
    const agreed = options.ask ? await options.ask(draft, changes) : {}
    if (!agreed) return
    const written = options.isWhole ? undefined : [...names, ...asideIn(fields)]
    let answer: R
    try {
      const seenVersion = (kept ? kept.version : version) as V
      answer = await options.save(
        { ...bodyOf(fields, draft, written), version: seenVersion, ...agreed },
        { changed: names, way },
      )
    } catch (error) {
      const blamed = error instanceof Cancelled ? {} : (options.blame ?? blame)(error)
      if (Object.keys(blamed).length > 0) {
        flushSync(() => setRefused(blamed))
        focusWrong(place)
      }
      // After a conflict this loads what the other administrator saved.
      await reload?.()
      throw options.failure === undefined ? new Cancelled() : error
    }
    await reload?.()
    await options.done?.(answer)
    reset()
    const message = options.told?.(answer)
    const next = options.undo?.(answer)
    if (!message) return
    if (next === undefined) return showToast(...message, 'good')
    savedWithUndo(...message, async () => {
      await options.save(
        { ...bodyOf(fields, base, written), version: next },
        { changed: names, undone: saved },
      )
      await reload?.()
    })
  })
  const submit = (event: SyntheticEvent<HTMLElement>, way?: string) => {
    event.preventDefault()
    setAsked(true)
    const place = event.currentTarget.closest('form') ?? event.currentTarget
    // What has become wrong by itself is told, and is in the way of nothing else.
    const isOwn = (name: string) => names.includes(name) || !fields[name]?.isAlwaysChecked
    if (Object.keys({ ...bad, ...missing, ...(!isSent && refused) }).some(isOwn)) focusWrong(place)
    else if (isDirty || isSent) void save(place, way)
    else if (unchanged !== undefined) showToast(options.failure ?? '', unchanged, 'bad')
  }
  return {
    ...{ fields, draft, changes, wrong, isDirty, isBusy, edit, reset, submit },
    isWrong: Object.keys(wrong).length > 0,
    isAlwaysOn: unchanged !== undefined,
    conflict: seen &&
      inConflict.length > 0 && {
        changes: differencesOf(fields, seen, base, inConflict),
        onTake: takeTheirs,
        onKeep: keepOwn,
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

export const FormPlace = <F extends Table>({ of: form, label, className, children }: PlaceProps<F>) => (
  <form
    className={className ?? 'stack gap-20'}
    noValidate
    {...(label !== undefined && { 'aria-label': label })}
    onSubmit={form.submit}
  >
    {form.conflict && <Conflict {...form.conflict} />}
    {children}
  </form>
)

export const Fields = <F extends Table>({ of: form, names }: { of: Form<F>; names: (keyof F & string)[] }) =>
  names.map((name) => {
    const field = form.fields[name]
    return (
      <Fragment key={name}>
        {field?.draw?.({
          name,
          value: form.draft[name],
          set: (value) => form.edit({ [name]: value } as Partial<Draft<F>>),
          error: form.wrong[name],
          locked: field.locked,
        })}
      </Fragment>
    )
  })

type SaveProps<F extends Table> = { of: Form<F>; label: string; children?: ReactNode }

export const SaveRow = <F extends Table>({ of: form, label, children }: SaveProps<F>) => (
  <Row>
    <Button writes type="submit" disabled={!form.isDirty} isBusy={form.isBusy}>
      {label}
    </Button>
    {children}
  </Row>
)

type DialogProps<F extends Table> = {
  of: Form<F>
  title: string
  action: string
  onClose: () => void
  children: ReactNode
}

export const FormDialog = <F extends Table>({
  of: form,
  title,
  action,
  onClose,
  children,
}: DialogProps<F>) => (
  <Dialog title={title} onClose={onClose}>
    <FormPlace of={form} className="stack gap-16">
      {children}
      <DialogActions>
        <Button tone="edged" onClick={onClose}>
          {t('취소')}
        </Button>
        <Button type="submit" isBusy={form.isBusy}>
          {action}
        </Button>
      </DialogActions>
    </FormPlace>
  </Dialog>
)
