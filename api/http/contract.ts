import type { TSchema } from '@sinclair/typebox'
import type { ErrorCode } from '../../core/errors.ts'

/** A schema, or none. */
export type Some = TSchema | undefined

/** What a call takes and answers: the only description of it, for its reading, its types and its document. */
export type Contract<
  B extends Some = Some,
  Q extends Some = Some,
  P extends Some = Some,
  A extends Some = Some,
> = {
  about: string
  more?: string
  /** The JSON body; a body that needs no field may be left out. */
  body?: B
  query?: Q
  params?: P
  answer?: A
  /** An answer that is no JSON: its media type, and what it is. */
  file?: { type: string; about: string; schema?: TSchema }
  /** Other statuses of good answers. */
  also?: Record<number, string>
  /** Refusals besides those that the schemas and every call may give. */
  refusals?: readonly ErrorCode[]
}
