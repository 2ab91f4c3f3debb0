import type { TSchema } from '@sinclair/typebox'
import type { ErrorCode } from '../../core/errors.ts'

/** A schema, or none. */
export type Some = TSchema | undefined

/** What a call takes and answers: the only description of it, for parsing, types and OpenAPI. */
export type Contract<
  B extends Some = Some,
  Q extends Some = Some,
  P extends Some = Some,
  A extends Some = Some,
> = {
  about: string
  more?: string
  /** The JSON body; a body without required fields may be left out. */
  body?: B
  /** Maximum size of the body, where it may be larger than that of other calls. */
  bodyBytes?: number
  query?: Q
  params?: P
  answer?: A
  /** An answer other than JSON: its media type, and what it is. */
  file?: { type: string; about: string; schema?: TSchema }
  /** Other success statuses. */
  also?: Record<number, string>
  /** Error codes in addition to those of the schemas and of every call. */
  refusals?: readonly ErrorCode[]
}
