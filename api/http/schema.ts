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
import { ValueErrorType } from '@sinclair/typebox/errors'
import { TransformDecodeError } from '@sinclair/typebox/value'
import type { ValidationError } from 'elysia'
import { type ErrorArguments, type ErrorValues, RaffleError } from '../../core/errors.ts'

export type Some = TSchema | undefined
/** A value after its schema has parsed it; undefined without a schema. */
export type Decoded<S> = S extends TSchema ? StaticDecode<S> : undefined
/** The same value in JSON, as a client sends or receives it. */
export type Written<S> = S extends TSchema ? Static<S> : undefined

/** How a schema refuses a value. It is a keyword of the schema, so the OpenAPI document shows it too. */
export const refusal = (...[code, details]: ErrorArguments) => ({ 'x-refusal': { code, ...details } })
export type Refusal = ReturnType<typeof refusal>
/** As another one, with a reason of its own for a value that is empty or missing. */
export const orIfEmpty = (kind: Refusal, empty: string) => ({ 'x-refusal': { ...kind['x-refusal'], empty } })
export const invalid = refusal('INVALID_VALUE', { reason: 'value' })

/** An object with only these fields; at least one of `someOf` is required. */
export const exact = <P extends TProperties>(properties: P, { someOf }: { someOf?: string[] } = {}) =>
  t.Object(properties, { ...(someOf && { 'x-some-of': someOf }), additionalProperties: false })

/** The body of calls that take no fields. */
export const nothing = exact({})

let thrown: unknown
/** `schema`, then `make` on its value, in which `refuse()` throws the schema's refusal. Elysia throws it
 * without its field where anything is thrown: so nothing is, and `refusalOf` asks. */
export const read = <S extends TSchema, T>(schema: S, make: (value: StaticDecode<S>) => T) =>
  t
    .Transform(schema)
    .Decode((value) => {
      try {
        return make(value)
      } catch (error) {
        thrown = error
        throw undefined
      }
    })
    .Encode((): never => {
      throw new Error('What a call sends is only read.')
    })

class Refused extends Error {}
export const refuse = (): never => {
  throw new Refused()
}

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

export const optional = <S extends TSchema>(schema: S) => t.Optional(orEmpty(schema))

const sameRefusal = ({ 'x-refusal': own }: TSchema) => own && { 'x-refusal': own }

/** What is said of a value that Elysia refuses: an unknown field first, then the first wrong value. */
export function refusalOf({ validator, value }: ValidationError): unknown {
  if (!('Errors' in validator)) return undefined
  const wrongs = [...validator.Errors(value)]
  const unknown = wrongs.find(({ type }) => type === ValueErrorType.ObjectAdditionalProperties)
  if (unknown) return unknownField(unknown.path.split('/').at(-1) ?? '')
  const [first] = wrongs
  if (first) return refused(first)
  try {
    return validator.Decode(value)
  } catch (error) {
    if (!(error instanceof TransformDecodeError)) return error
    if (thrown instanceof Refused) return refused(error)
    if (!(thrown instanceof RaffleError)) return thrown
    const { code, values, data, field = namesOf(error.path).field } = thrown
    return told(code, { values, data, field })
  }
}

/** Looks at the names of a body's fields before Elysia checks path, query and values. Throws UNKNOWN_FIELD, NO_CHANGES. */
export function expectFields(schema: TSchema, body: object): void {
  const { additionalProperties, properties = {}, 'x-some-of': someOf } = schema
  const names = Object.keys(body)
  const unknown = names.find((name) => !Object.hasOwn(properties, name))
  if (unknown !== undefined && additionalProperties === false) throw unknownField(unknown)
  if (someOf && !names.some((name) => someOf.includes(name)))
    throw new RaffleError('NO_CHANGES', { reason: 'none' })
}

function unknownField(name: string): RaffleError {
  const shown = name
    .toWellFormed()
    .replaceAll(/\p{Cc}/gu, '?')
    .slice(0, 40)
  return new RaffleError('UNKNOWN_FIELD', { values: { unknown: shown } })
}

function refused({ path, schema, value }: { path: string; schema: TSchema; value: unknown }): RaffleError {
  const { code, reason, values, empty }: Known = schema['x-refusal'] ?? invalid['x-refusal']
  const { field, name } = namesOf(path)
  const why = empty !== undefined && (value === '' || value === undefined) ? empty : reason
  return told(code, {
    values: { ...(why && { reason: why }), ...values, ...(name !== field && { name }) },
    field,
  })
}

type Known = { code: string; reason?: string; values?: ErrorValues; empty?: string }
type Said = { values: ErrorValues; field: string | undefined; data?: Record<string, unknown> }
/** What `refusal` or a RaffleError has held to its code before. */
const told = (code: string, said: Said): RaffleError =>
  new RaffleError(...([code, said] as unknown as ErrorArguments))

/** The field of the call and the innermost name of a path such as `/rows/3/revision`. */
function namesOf(path: string): { field: string | undefined; name: string } {
  const names = path.split('/').filter((part) => part !== '' && !/^\d+$/.test(part))
  return { field: names[0], name: names.at(-1) ?? '' }
}
