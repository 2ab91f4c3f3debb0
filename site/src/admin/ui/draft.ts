import { t } from '../language/t.ts'

export type Read<B> = { value: B } | { wrong: string }
export type Difference = { label: string; from: string; to: string }
/** Sentences by the name of their field. `missing` are fields left empty: they are told once somebody saves. */
export type Wrong = { bad: Record<string, string>; missing: Record<string, string> }

/** One line of a form's table, under its name in the API. `T` is what is typed, `B` what the API takes. */
export type Field<T = unknown, B = unknown> = {
  label: string
  /** What lists of changes call it, where that is another word. */
  name?: string | undefined
  /** Since when it is shut: it shows what is saved and is never sent. */
  locked?: string | undefined
  missing?: string | undefined
  /** Typed for the saving alone, as a password is: no change of its own. */
  isAside?: boolean | undefined
  /** What is saved can become wrong by itself, as a date can. */
  isAlwaysChecked?: boolean | undefined
  show(saved: unknown): T
  read(typed: T, draft: Readonly<Record<string, unknown>>): Read<B>
  text?(typed: T): string
  differences?(before: T, after: T): Difference[]
}
type FieldTable = Record<string, Field>
export type Draft<F> = { [Name in keyof F]: F[Name] extends Field<infer T, infer _> ? T : never }
export type Body<F> = { [Name in keyof F]?: F[Name] extends Field<infer _, infer B> ? B : never }
export type Change<F> = { name: keyof F & string; label: string }

const namesOf = <F extends FieldTable>(fields: F) => Object.keys(fields) as (keyof F & string)[]

export const draftOf = <F extends FieldTable>(fields: F, saved: object): Draft<F> =>
  Object.fromEntries(
    namesOf(fields).map((name) => [name, fields[name]?.show((saved as Record<string, unknown>)[name])]),
  ) as Draft<F>

/** Fields that differ, in the order of the table; another spelling of the same value is no difference. */
export function changesBetween<F extends FieldTable>(
  fields: F,
  before: Draft<F>,
  after: Draft<F>,
): Change<F>[] {
  const spelled = (name: keyof F & string, draft: Draft<F>) => {
    const read = fields[name]?.read(draft[name], draft) ?? { value: undefined }
    return JSON.stringify('value' in read ? read : draft[name])
  }
  return namesOf(fields)
    .filter((name) => !fields[name]?.isAside && spelled(name, before) !== spelled(name, after))
    .map((name) => ({ name, label: nameOf(fields[name]) }))
}

/** One sentence for each wrong field; one that nobody has touched is left as it is. */
export function wrongIn<F extends FieldTable>(fields: F, saved: Draft<F>, draft: Draft<F>): Wrong {
  const changed = new Set<string>(changesBetween(fields, saved, draft).map(({ name }) => name))
  const wrong: Wrong = { bad: {}, missing: {} }
  for (const name of namesOf(fields)) {
    const field = fields[name] as Field
    if (field.missing && draft[name] === '') wrong.missing[name] = field.missing
    else if (changed.has(name) || field.isAside || field.isAlwaysChecked) {
      const read = field.read(draft[name], draft)
      if ('wrong' in read) wrong.bad[name] = read.wrong
    }
  }
  return wrong
}

/** These fields as the API takes them; a wrong one, which no form sends, is left out. */
export const bodyOf = <F extends FieldTable>(
  fields: F,
  draft: Draft<F>,
  names: readonly (keyof F & string)[] = namesOf(fields),
): Body<F> =>
  Object.fromEntries(
    names.flatMap((name) => {
      const read = fields[name]?.read(draft[name], draft)
      return read && 'value' in read ? [[name, read.value]] : []
    }),
  ) as Body<F>

export const differencesOf = <F extends FieldTable>(
  fields: F,
  before: Draft<F>,
  after: Draft<F>,
  names: readonly (keyof F & string)[],
): Difference[] =>
  names.flatMap((name) => {
    const field = fields[name] as Field
    const text = (typed: unknown) => field.text?.(typed) ?? `${typed}`
    return (
      field.differences?.(before[name], after[name]) ?? [
        { label: nameOf(field), from: text(before[name]), to: text(after[name]) },
      ]
    )
  })

const nameOf = (field: Field | undefined): string => field?.name ?? field?.label ?? ''

export const onOff = (isOn: boolean): string => (isOn ? t('켬') : t('끔'))
