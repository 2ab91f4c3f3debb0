import type { ComponentProps, ReactNode } from 'react'
import { type Address, getAddress, isAddress } from 'viem'
import { t } from '../language/t.ts'
import { type Field, onOff, type Read } from './draft.ts'
import { DateField, Field as Labelled, TextArea, TextField } from './Field.tsx'
import { count, fromField, toApi, toField } from './format.ts'
import { Select, Switch } from './select.tsx'

export type Input<T> = {
  name: string
  value: T
  set(value: T): void
  error: string | undefined
  locked: string | undefined
}
export type DrawnField<T = unknown, B = unknown> = Field<T, B> & { draw(input: Input<T>): ReactNode }

type Common<T, B> = Pick<
  Field<T, B>,
  'label' | 'name' | 'locked' | 'missing' | 'isAside' | 'isAlwaysChecked'
> & {
  hint?: Hint
  check?: ((value: B, draft: Readonly<Record<string, unknown>>) => string | undefined) | undefined
}
/** Below the field; what is typed may say more than the sentence for all. */
type Hint = ReactNode | ((typed: string) => ReactNode)
const hintOf = (hint: Hint, typed: string): ReactNode => (typeof hint === 'function' ? hint(typed) : hint)

type LineProps = Omit<ComponentProps<typeof TextField>, 'value' | 'onChange' | 'hint' | 'error' | 'name'>
export type TextOptions = Common<string, string | null> & LineProps & { max?: number }

export const custom = <T, B>({
  check,
  read,
  ...field
}: DrawnField<T, B> & Pick<Common<T, B>, 'check'>): DrawnField<T, B> => ({
  ...field,
  read(typed, draft) {
    const found = read(typed, draft)
    const wrong = 'value' in found ? check?.(found.value, draft) : undefined
    return wrong ? { wrong } : found
  },
})

const line =
  (hint: Hint, props: LineProps) =>
  ({ name, value, set, error, locked }: Input<string>) => (
    <TextField
      autoComplete="off"
      {...{ ...props, name, value, error, locked, hint: hintOf(hint, value) }}
      onChange={set}
    />
  )

const shown = (saved: unknown): string => (saved === null || saved === undefined ? '' : `${saved}`)

/** One line of text; without a letter it is null. A password is taken as it is typed. */
export function text(options: TextOptions): DrawnField<string, string | null> {
  const { hint, check, max, name, missing, isAside, isAlwaysChecked, ...props } = options
  const { label, locked, type } = props
  return custom({
    ...{ label, locked, name, missing, isAside, isAlwaysChecked, check, show: shown },
    read: (typed) => readText(type === 'password' ? typed : typed.trim(), max),
    draw: line(hint, { spellCheck: false, ...props }),
  })
}

function readText(value: string, max = Number.POSITIVE_INFINITY): Read<string | null> {
  if (value.length > max) return { wrong: t('{max}자까지 입력할 수 있습니다.', { max: count(max) }) }
  return { value: value === '' ? null : value }
}

type AreaOptions = Common<string, string | null> & { rows: number; max?: number }

export function multiLine(options: AreaOptions): DrawnField<string, string | null> {
  const { label, hint, max, rows } = options
  return custom({
    ...options,
    show: shown,
    read: (typed) => readText(typed.trim(), max),
    draw: ({ value, set, error, locked }) => (
      <TextArea {...{ label, rows, value, error, locked, hint: hintOf(hint, value) }} onChange={set} />
    ),
  })
}

export const url = ({ check, ...options }: TextOptions): DrawnField<string, string | null> =>
  text({
    type: 'url',
    isMono: true,
    ...options,
    check(value, draft) {
      if (value !== null && (!value.startsWith('https://') || /\s/.test(value) || !URL.canParse(value)))
        return t('https:// 로 시작하는 주소를 입력하세요.')
      return check?.(value, draft)
    },
  })

type NumberOptions = Common<string, number | null> & { min: number; max: number; suffix?: string }

/** A whole number within a range; an empty field is null, where it is not `missing`. */
export function whole(options: NumberOptions & { isNeeded: true }): DrawnField<string, number>
export function whole(options: NumberOptions): DrawnField<string, number | null>
export function whole(options: NumberOptions & { isNeeded?: true }): DrawnField<string, number | null> {
  const { label, min, max, hint, suffix, isNeeded } = options
  const wrong = t('{min}에서 {max} 사이의 정수를 입력하세요.', { min: count(min), max: count(max) })
  return custom({
    ...options,
    show: shown,
    read(typed) {
      if (typed.trim() === '' && !isNeeded) return { value: null }
      const value = /^\d{1,10}$/.test(typed.trim()) ? Number(typed) : Number.NaN
      return value >= min && value <= max ? { value } : { wrong }
    },
    draw: line(hint, { label, suffix, inputMode: 'numeric', isMono: true }),
  })
}

/** A moment in UTC, with seconds for the API; the hint is for an empty field. */
export function utcDate(
  options: Omit<Common<string, string | null>, 'hint'> & { hint?: string },
): DrawnField<string, string | null> {
  const { label, hint } = options
  return custom({
    ...options,
    show: (saved) => toField(saved as string | null | undefined),
    read(typed) {
      if (typed.trim() === '') return { value: null }
      const date = fromField(typed)
      return date
        ? { value: toApi(date) }
        : { wrong: t('날짜 형식이 올바르지 않습니다. 예: 2025-09-30 12:00') }
    },
    draw: ({ value, set, error, locked }) => (
      <DateField {...{ label, value, error, locked, emptyHint: hint }} onChange={set} />
    ),
  })
}

/** The address in checksum form, as people compare it; undefined if it is not an address. */
export const checksummed = (typed: string): Address | undefined => {
  const read = readAddress(typed)
  return 'value' in read ? read.value : undefined
}

function readAddress(typed: string): Read<Address> {
  const value = typed.trim()
  if (!/^0x[0-9a-fA-F]{40}$/.test(value)) return { wrong: t('0x로 시작하는 42자리 주소를 입력하세요.') }
  if (/^0x0{40}$/.test(value)) return { wrong: t('빈 주소에는 돈을 받을 수 없습니다.') }
  const isOne = isAddress(value, { strict: value !== value.toLowerCase() })
  return isOne ? { value: getAddress(value) } : { wrong: t('체크섬이 맞지 않는 주소입니다.') }
}

export const address = (options: Common<string, Address>): DrawnField<string, Address> =>
  custom({
    ...options,
    show: shown,
    read: readAddress,
    draw: line(options.hint, {
      ...{ label: options.label, placeholder: '0x…', isMono: true },
      ...{ autoCapitalize: 'off', spellCheck: false },
    }),
  })

type ChoiceOptions<V extends string, B> = Common<V, B> & {
  options: Readonly<Record<V, string>>
  /** The choice as the API takes it, and the other way round; the same word by default. */
  toBody?: (choice: V) => B
  toChoice?: (saved: unknown) => V
}

export function choice<V extends string, B = V>(options: ChoiceOptions<V, B>): DrawnField<V, B> {
  const { label, hint, options: texts, toBody, toChoice } = options
  return custom<V, B>({
    ...options,
    show: toChoice ?? ((saved) => saved as V),
    read: (typed) => ({ value: toBody ? toBody(typed) : (typed as unknown as B) }),
    text: (typed) => texts[typed],
    draw: ({ value, set, error, locked }) => (
      <Labelled {...{ label, error, locked, hint: hintOf(hint, value) }}>
        {(ids) => (
          <Select
            {...{ ...ids, value, disabled: Boolean(locked), options: Object.entries(texts) as [V, string][] }}
            onChange={set}
          />
        )}
      </Labelled>
    ),
  })
}

/** On or off; `isBarred` where it cannot be turned on yet, as the hint says. */
export function toggle(
  options: Common<boolean, boolean> & { isBarred?: boolean },
): DrawnField<boolean, boolean> {
  const { label, hint, isBarred = false } = options
  return custom({
    ...options,
    show: (saved) => saved === true,
    read: (value) => ({ value }),
    text: onOff,
    draw: ({ value, set, locked }) => (
      <div>
        <Switch
          {...{ label, isOn: value, isDisabled: Boolean(locked) || (isBarred && !value) }}
          onChange={set}
        />
        {(locked ?? hint) && <p className="hint">{locked ?? hintOf(hint, `${value}`)}</p>}
      </div>
    ),
  })
}
