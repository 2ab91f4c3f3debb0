import {
  type Static,
  type StaticDecode,
  type TProperties,
  type TSchema,
  type TTransform,
  type TUnion,
  type TUnsafe,
  Type as t,
} from '@sinclair/typebox'
import { type TypeCheck, TypeCompiler } from '@sinclair/typebox/compiler'
import { TransformDecodeError } from '@sinclair/typebox/value'
import { type ErrorCode, RaffleError } from '../../core/errors.ts'

/** A value after its schema has parsed it; undefined without a schema. */
export type Decoded<S> = S extends TSchema ? StaticDecode<S> : undefined
/** The same value in JSON, as a client sends or receives it. */
export type Written<S> = S extends TSchema ? Static<S> : undefined

type Refusal = { code?: ErrorCode; says?: string; empty?: string }

/**
 * How a schema refuses a value: the code, the sentence (`{name}` is the value's name) and the sentence for a
 * value that is empty or missing. It is a keyword of the schema, so the OpenAPI document shows it too.
 */
export const refusal = (code: ErrorCode = 'INVALID_VALUE', says = invalid, empty = says) => ({
  'x-refusal': { code, says, empty } satisfies Refusal,
})
const invalid = '{name}: 올바른 값이 아닙니다.'

/** An object with only these fields; at least one of `someOf` is required. */
export const exact = <P extends TProperties>(
  properties: P,
  options: { $id?: string; someOf?: string[] } = {},
) => {
  const { someOf, ...rest } = options
  return t.Object(properties, {
    ...rest,
    ...(someOf && { 'x-some-of': someOf }),
    additionalProperties: false,
  })
}

/** The body of calls that take no fields. */
export const nothing = exact({})

/** `schema`, then `make` on its value; inside `make`, `refuse()` throws the schema's refusal. */
export const read = <S extends TSchema, T>(schema: S, make: (value: StaticDecode<S>) => T) =>
  t
    .Transform(schema)
    .Decode(make)
    .Encode((): never => {
      throw new Error('What a call sends is only read.')
    })

class Refused extends Error {}
export const refuse = (): never => {
  throw new Refused()
}

/** As `schema`, or null. */
export const nullable = <S extends TSchema>(schema: S) => t.Union([schema, t.Null()], sameRefusal(schema))

/** As `schema`; an empty text, as forms send it, counts as left out, and with `blank` a blank one too. */
export function orEmpty<S extends TSchema>(schema: S, { blank = false } = {}) {
  const empty = t.String({ pattern: blank ? '^\\s*$' : '^$' })
  const either: TSchema = t.Union([empty, schema], sameRefusal(schema))
  const made = read(either, (value) =>
    typeof value === 'string' && value.trim() === '' ? undefined : value,
  ) as TSchema
  return made as TTransform<TUnion<[TUnsafe<''>, S]>, StaticDecode<S> | undefined>
}

/** As `schema`, or left out, or empty. */
export const optional = <S extends TSchema>(schema: S) => t.Optional(orEmpty(schema))

const sameRefusal = ({ 'x-refusal': own }: TSchema) => own && { 'x-refusal': own }

const checks = new WeakMap<TSchema, TypeCheck<TSchema>>()

/**
 * Parses a value by its schema. Throws UNKNOWN_FIELD for a field that an exact object does not have, also for
 * names such as `__proto__`; then NO_CHANGES; then the refusal of the first wrong value, types before values.
 */
export function decode<S extends TSchema>(schema: S, value: unknown): StaticDecode<S> {
  expectKnown(schema, value)
  const check = checks.get(schema) ?? TypeCompiler.Compile(schema)
  checks.set(schema, check)
  if (!check.Check(value)) {
    const wrong = check.Errors(value).First()
    throw wrong ? refusalOf(wrong) : new Error('A schema contradicts itself.')
  }
  try {
    return check.Decode(value) as StaticDecode<S>
  } catch (error) {
    throw error instanceof TransformDecodeError ? whyRefused(error) : error
  }
}

function expectKnown(schema: TSchema, value: unknown): void {
  if (Array.isArray(value)) {
    if (schema.items) for (const item of value) expectKnown(schema.items, item)
    return
  }
  if (typeof value !== 'object' || value === null || !schema.properties) return
  const unknown = Object.keys(value).find((name) => !Object.hasOwn(schema.properties, name))
  if (unknown !== undefined && schema.additionalProperties === false)
    throw new RaffleError('UNKNOWN_FIELD', `알 수 없는 항목입니다: ${printable(unknown).slice(0, 40)}`)
  const fields = value as Record<string, unknown>
  const someOf = schema['x-some-of'] as string[] | undefined
  if (someOf?.every((name) => fields[name] === undefined))
    throw new RaffleError('NO_CHANGES', '최소 하나의 설정을 변경해주세요')
  for (const [name, own] of Object.entries<TSchema>(schema.properties)) expectKnown(own, fields[name])
}

const printable = (text: string): string => text.toWellFormed().replaceAll(/\p{Cc}/gu, '?')

type Wrong = { path: string; schema: TSchema; value: unknown }

function refusalOf({ path, schema, value }: Wrong): RaffleError {
  const { code = 'INVALID_VALUE', says = invalid, empty = says }: Refusal = schema['x-refusal'] ?? {}
  const { field, name } = namesOf(path)
  const sentence = value === '' || value === undefined ? empty : says
  return new RaffleError(code, sentence.replace('{name}', name), {}, { field })
}

/** The error of a failed transform: its schema's refusal, an error of its own, or a bug. */
function whyRefused(thrown: TransformDecodeError): unknown {
  const { error } = thrown
  if (error instanceof Refused) return refusalOf(thrown)
  if (!(error instanceof RaffleError)) return error
  const { code, message, data, field = namesOf(thrown.path).field } = error
  return new RaffleError(code, message, data, { field })
}

/** The field of the call and the innermost name of a path such as `/rows/3/revision`. */
function namesOf(path: string): { field: string | undefined; name: string } {
  const names = path.split('/').filter((part) => part !== '' && !/^\d+$/.test(part))
  return { field: names[0], name: names.at(-1) ?? '' }
}
