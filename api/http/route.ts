import type { TSchema } from '@sinclair/typebox'
import type { DocumentDecoration } from 'elysia'
import type { ErrorCode, errors } from '../../core/errors.ts'
import type { ErrorBody } from '../../core/live/public.ts'
import { readObject } from './body.ts'
import type { Contract, Some } from './contract.ts'
import { describe } from './describe.ts'
import { type Decoded, decode, nothing, type Written } from './schema.ts'
import { isBytes } from './values.ts'

/** The part of a route's context that calls need. */
export type RouteContext = {
  request: Request
  server: { requestIP: (request: Request) => { address: string } | null } | null
  params: unknown
  query: unknown
  set: { headers: Record<string, string | number | undefined> }
}
export type Values<B, Q, P> = { body: Decoded<B>; query: Decoded<Q>; params: Decoded<P> }
type Answer<A> = A extends TSchema ? Written<A> : Response
/** A Response if a call sets headers or a status of its own. */
export type Answered<A> = Answer<A> | Response | Promise<Answer<A> | Response>

/**
 * The hook that Elysia gets for a call. The schemas are there only as types, for the typed client: we parse
 * ourselves, as Elysia would validate values before it authenticates the caller.
 */
type Hook<B extends Some, Q extends Some, A extends Some> = {
  parse: 'none'
  detail: DocumentDecoration
  response: { 200: Typed<Answer<A>> } & Record<Refused, Typed<ErrorBody>>
} & (B extends TSchema ? { body: Typed<Written<B>> } : unknown) &
  (Q extends TSchema ? { query: Typed<Written<Q>> } : unknown)
type Typed<T> = { readonly '~standard': { readonly types?: { readonly input: T; readonly output: T } } }
type Refused = (typeof errors)[ErrorCode]['status'] | 500

/** A handler and its hook, to be spread into a route: `.post('/path', ...route(…))`. */
export type Route<B extends Some, Q extends Some, A extends Some> = [
  handler: (context: RouteContext) => Promise<Answer<A>>,
  hook: Hook<B, Q, A>,
]

export const routeOf = <B extends Some, Q extends Some, P extends Some, A extends Some>(
  contract: Contract<B, Q, P, A>,
  tag: 'public' | 'admin',
  handler: (context: RouteContext) => Promise<Answer<A> | Response>,
): Route<B, Q, A> => [
  handler as Route<B, Q, A>[0],
  { parse: 'none', detail: describe(contract, tag) } as Route<B, Q, A>[1],
]

type PublicCall<B, Q, P> = Values<B, Q, P> & Pick<RouteContext, 'request' | 'server'>

/** A public call. */
export const route = <
  B extends Some = undefined,
  Q extends Some = undefined,
  P extends Some = undefined,
  A extends Some = undefined,
>(
  contract: Contract<B, Q, P, A>,
  run: (call: PublicCall<B, Q, P>) => Answered<A>,
): Route<B, Q, A> =>
  routeOf(contract, 'public', async ({ request, server, params, query }) => {
    const body = contract.body && decodeBody(contract, await readBody(contract, request))
    return run({
      request,
      server,
      ...(readValues(contract, { params, query }) as Values<B, Q, P>),
      body: body as Decoded<B>,
    })
  })

/** The JSON body of a call as it was sent. Bytes are left to the call; a body without required fields may be missing. */
export async function readBody(contract: Contract, request: Request): Promise<unknown> {
  const schema = contract.body ?? nothing
  if (isBytes(schema)) return undefined
  const isNeeded = schema.required !== undefined || schema['x-some-of'] !== undefined
  return readObject(request, !isNeeded, contract.bodyBytes)
}

/** What it says, by its schema. */
export function decodeBody(contract: Contract, sent: unknown): unknown {
  const schema = contract.body ?? nothing
  return isBytes(schema) ? undefined : decode(schema, sent)
}

/** Path and query of a call. */
export function readValues(contract: Contract, { params, query }: Pick<RouteContext, 'params' | 'query'>) {
  return {
    params: contract.params && decode(contract.params, params),
    query: contract.query && decode(contract.query, query),
  }
}
