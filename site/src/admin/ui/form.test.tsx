import { atom, type WritableAtom } from 'nanostores'
import { expect, test } from 'vitest'
import { markupOf } from '../../../../e2e/lab/islands.ts'
import { TextField } from './Field.tsx'
import { text, whole } from './fields.tsx'
import { type Edits, Fields, FormPlace, useDraft } from './form.tsx'

type Saved = { least: number; note: string | null }
const before: Saved = { least: 100, note: null }

type Props = {
  saved: Saved
  edited: Record<string, unknown>
  locked?: string
  of?: (saved: Saved) => unknown
}

/** A form that somebody began when `before` was saved. */
function Example({ saved, edited, locked, of }: Props) {
  const form = useDraft({
    ...{ saved, version: 2, keep: atom<Edits<Saved> | undefined>({ version: 1, seen: before, edited }) },
    ...(of && { of }),
    fields: {
      least: whole({ label: 'Least', min: 1, max: 900, locked }),
      note: text({ label: 'Note', max: 4, missing: 'Nothing noted.' }),
    },
    save: () => Promise.resolve(),
    reload: () => Promise.resolve(),
    failure: '',
    told: () => ['', ''],
  })
  return (
    <FormPlace of={form}>
      <Fields of={form} names={['least', 'note']} />
      <p>{form.changes.map(({ label }) => label).join()}</p>
    </FormPlace>
  )
}

const shown = (props: Props) => {
  const markup = markupOf(<Example {...props} />)
  return {
    values: [...markup.matchAll(/ value="([^"]*)"/g)].map(([, value]) => value),
    errors: [...markup.matchAll(/class="field-error">(.*?)<\/p>/g)].map(([, error = '']) =>
      error.replaceAll(/<[^>]*>/g, '').trim(),
    ),
    conflict: /<s [^>]*>(.*?)<\/s>.*?<b [^>]*>(.*?)<\/b>/.exec(markup)?.slice(1),
    changes: /<p>([^<]*)<\/p><\/form>/.exec(markup)?.[1],
    isShut: /readOnly=""/.test(markup),
  }
}

test('what somebody else saved is a conflict where the same field is being edited, and nowhere else', () => {
  const theirs = { least: 50, note: null }
  expect(shown({ saved: theirs, edited: { least: '11' } })).toMatchObject({
    ...{ values: ['11', ''], conflict: ['100', '50'], changes: 'Least' },
  })
  expect(shown({ saved: theirs, edited: { note: 'a' } })).toMatchObject({
    ...{ values: ['50', 'a'], conflict: undefined, changes: 'Note' },
  })
  expect(shown({ saved: theirs, edited: { least: ' 50' } })).toMatchObject({
    ...{ conflict: undefined, changes: '' },
  })
})

test('a field that is shut shows what is saved, whatever was typed before', () => {
  const found = shown({ saved: before, edited: { least: '11' }, locked: 'Shut.' })
  expect(found).toMatchObject({ values: ['100', ''], changes: '', isShut: true })
})

test('wrong values are named at once, a missing one once it was touched', () => {
  expect(shown({ saved: before, edited: { least: '901' } }).errors).toEqual([expect.stringContaining('900')])
  expect(shown({ saved: before, edited: { note: '' } }).errors).toEqual(['Nothing noted.'])
  expect(shown({ saved: before, edited: { note: 'a long one' } }).errors).toHaveLength(1)
})

test('edits that were meant for another one are not shown', () => {
  const found = shown({ saved: { ...before, least: 7 }, edited: { least: '11' }, of: ({ least }) => least })
  expect(found).toMatchObject({ values: ['7', ''], changes: '' })
})

test('the browser cuts no one-time code that is pasted with blanks in it; other fields have their length', () => {
  const cut = (autoComplete: string) =>
    markupOf(<TextField label="" value="" maxLength={6} autoComplete={autoComplete} />).includes('maxLength')
  expect([cut('one-time-code'), cut('off')]).toEqual([false, true])
})

type ProbeProps = {
  keep: WritableAtom<Edits<Saved> | undefined>
  tell: (take: (() => void) | undefined) => void
}

/** The conflict's first answer of a form that was saved by somebody else meanwhile. */
function Probe({ keep, tell }: ProbeProps) {
  const { conflict } = useDraft({
    ...{ saved: { least: 50, note: null }, version: 2, keep, failure: '', told: () => ['', ''] as const },
    fields: { least: whole({ label: 'Least', min: 1, max: 900 }), note: text({ label: 'Note' }) },
    save: () => Promise.resolve(),
    reload: () => Promise.resolve(),
  })
  tell(conflict ? conflict.onTake : undefined)
  return null
}

test('who takes the new values of a conflict keeps what else was typed', () => {
  const edited = { least: '11', note: 'mine' }
  const keep = atom<Edits<Saved> | undefined>({ version: 1, seen: before, edited })
  let take: (() => void) | undefined
  markupOf(<Probe keep={keep} tell={(found) => (take = found)} />)
  take?.()
  expect(keep.get()).toMatchObject({ version: 2, edited: { note: 'mine' } })
})
