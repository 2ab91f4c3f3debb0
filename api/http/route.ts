import type { TSchema } from '@sinclair/typebox'
import type { DocumentDecoration } from 'elysia'
import { type ErrorCode, errors } from '../../core/errors.ts'
import type { ErrorBody } from '../../core/live/public.ts'
import type { Db } from '../../db/index.ts'
import type { Deps } from '../deps.ts'
import { readObject } from './body.ts'
import type { Call } from './client-address.ts'
import type { Sent } from './ready.ts'
import { answerFound, type NotFound, readyJson, rememberByVersion } from './ready.ts'
import { type Decoded, expectFields, type Some, type Written } from './schema.ts'
import { eventInPath, isBytes } from './values.ts'

/** What a call takes: the only description of it, for Elysia's checks, for types and for OpenAPI. Its answer is what `run` returns. */
export type Contract<B extends Some = Some, Q extends Some = Some, P extends Some = Some> = {
  about: string
  more?: string
  /** The JSON body; a body without required fields may be left out. */
  body?: B
  /** Maximum size of the body, where it may be larger than that of other calls. */
  bodyBytes?: number
  query?: Q
  params?: P
  /** An answer other than JSON: its media type, and what it is. */
  file?: { type: string; about: string; schema?: object }
  /** Other success statuses. */
  also?: Record<number, string>
  /** Error codes in addition to those of the schemas and of every call. */
  refusals?: readonly ErrorCode[]
}

export type RouteContext = Call & {
  body: unknown
  params: unknown
  query: unknown
  set: { headers: Record<string, string | number | undefined> }
}
export type Values<B, Q, P> = { body: Decoded<B>; query: Decoded<Q>; params: Decoded<P> }
/** What the client gets of what `run` returns, which is a Response if a call sets headers or a status of its own. */
type Answer<R> = [R] extends [Response] ? (R extends Sent<infer T> ? T : R) : Exclude<R, Response>

/** The types of a hook for the typed client, which knows values as they are sent; Elysia's own types mix them with those that are read. */
type Hook<B extends Some, Q extends Some, R> = {
  parse: 'none'
  detail: DocumentDecoration
  response: { 200: Typed<Answer<R>> } & Record<(typeof errors)[ErrorCode]['status'] | 500, Typed<ErrorBody>>
} & (B extends TSchema ? { body: Typed<Written<B>> } : unknown) &
  (Q extends TSchema ? { query: Typed<Written<Q>> } : unknown)
type Typed<T> = { readonly '~standard': { readonly types?: { readonly input: T; readonly output: T } } }

/** Path, handler and hook, to be spread into a route: `.post(...route('/path', …))`. */
export type Route<Path extends string, B extends Some, Q extends Some, R> = [
  path: Path,
  handler: (context: RouteContext) => Promise<Answer<R>>,
  hook: Hook<B, Q, R>,
]
type Around = {
  asks: Asks
  /** Runs before any value is read or checked. */
  before?: (context: RouteContext) => Promise<void>
}

export function routeOf<const Path extends string, B extends Some, Q extends Some, P extends Some, R>(
  path: Path,
  contract: Contract<B, Q, P>,
  { asks, before }: Around,
  handler: (context: RouteContext) => Promise<R>,
): Route<Path, B, Q, R> {
  const { body, query, params } = contract
  const parse = async (context: RouteContext) => {
    await before?.(context)
    const sent = await readObject(context.request, !isNeeded(body), contract.bodyBytes)
    if (body) expectFields(body, sent)
    return sent
  }
  const hook = {
    ...(params && { params: open(params) }),
    ...(query && { query: open(query) }),
    // The body is read by `parse` alone; that it is JSON is for the document.
    ...(body && !isBytes(body)
      ? { body: open(body), parse: [parse, 'json'] }
      : { parse: 'none', transform: before }),
    detail: describe(contract, asks),
  }
  return [path, handler, hook] as unknown as Route<Path, B, Q, R>
}

/** Elysia takes an object to be closed where nothing is said of it; fields that nobody knows are left alone there. */
const open = (schema: TSchema): TSchema => ({ additionalProperties: true, ...schema })

type PublicCall<B, Q, P> = Values<B, Q, P> & Call

export const notModified = { 304: 'As If-None-Match has it.' }

export const route = <
  const Path extends string,
  B extends Some = undefined,
  Q extends Some = undefined,
  P extends Some = undefined,
  R = never,
>(
  path: Path,
  call: Contract<B, Q, P> & { run: (call: PublicCall<B, Q, P>) => R | Promise<R> },
): Route<Path, B, Q, R> =>
  // A rest of the context would be without the server, which Elysia lets nobody enumerate.
  routeOf(path, call, { asks: 'nothing' }, async (context) =>
    call.run({ ...valuesOf<B, Q, P>(context), request: context.request, server: context.server }),
  )

export const valuesOf = <B, Q, P>({ body, query, params }: RouteContext) =>
  ({ body, query, params }) as Values<B, Q, P>

const isNeeded = (body: Some): boolean => body?.required !== undefined || body?.['x-some-of'] !== undefined

/** What a call asks of its caller: nothing, an address that is listed, or a session as well. */
export type Asks = 'nothing' | 'address' | 'session'

/** Error codes of every call, of calls with a body, of the administrator area, and of its sessions. */
const always: ErrorCode[] = [
  ...(['METHOD_NOT_ALLOWED', 'URL_TOO_LONG', 'MISDIRECTED', 'RATE_LIMITED'] as const),
  ...(['HEADERS_TOO_LARGE', 'DB_UNAVAILABLE'] as const),
]
const ofBodies: ErrorCode[] = [
  ...(['BAD_JSON', 'ORIGIN_DENIED', 'BODY_TIMEOUT', 'BODY_TOO_LARGE'] as const),
  ...(['UNSUPPORTED_MEDIA_TYPE', 'INVALID_VALUE'] as const),
]
const ofAdmins: ErrorCode[] = ['IP_NOT_ALLOWED', 'UNKNOWN_FIELD']
const ofSessions: ErrorCode[] = ['UNAUTHENTICATED', 'PASSWORD_CHANGE_REQUIRED']

/** What the OpenAPI document tells beside the schemas: summary, tag, session and errors; server/openapi.ts adds the answers. */
function describe(contract: Contract, asks: Asks): DocumentDecoration {
  const { about, more, body, query, params, file, also = {}, refusals = [] } = contract
  const codes = new Set([
    ...[...always, ...(asks === 'nothing' ? [] : ofAdmins), ...(asks === 'session' ? ofSessions : [])],
    ...[...(body ? ofBodies : []), ...[body, query, params].flatMap(codesOf), ...refusals],
  ])
  const failures = [...Map.groupBy(codes, (code) => errors[code].status)].map(([status, own]) => [
    status,
    { description: own.join(', '), content: json({ $ref: '#/components/schemas/ErrorBody' }) },
  ])
  const content = file && { [file.type]: file.schema ? { schema: file.schema } : {} }
  const good = Object.entries({ 200: file?.about ?? 'The answer.', ...also }).map(([status, description]) => [
    status,
    { description, ...(content && status < '300' && { content }) },
  ])
  const operation = {
    tags: [asks === 'nothing' ? 'public' : 'admin'],
    summary: about,
    ...(more && { description: more }),
    ...(asks === 'session' && { security: [{ session: [] }] }),
    ...(body &&
      isBytes(body) && { requestBody: { required: true, content: { 'image/*': { schema: body } } } }),
    responses: Object.fromEntries([...good, ...failures]),
  }
  return operation as DocumentDecoration
}

export const json = (schema: object) => ({ 'application/json': { schema } })

function codesOf(schema: Some): ErrorCode[] {
  if (!schema) return []
  const { properties = {}, items } = schema
  const own = schema['x-refusal']?.code as ErrorCode | undefined
  return [
    ...(own ? [own] : []),
    ...(schema['x-some-of'] ? (['NO_CHANGES'] as const) : []),
    ...(properties.version ? (['VERSION_CONFLICT'] as const) : []),
    ...[...Object.values<TSchema>(properties), ...(items ? [items] : [])].flatMap(codesOf),
  ]
}

type EventCall<T> = {
  about: string
  more?: string
  /** Undefined where there is nothing of this event. */
  load: (db: Db, eventNumber: number) => Promise<T | undefined>
  caching: string
  /** What is not found then. */
  missing: NotFound
}

/** A public call about one event: JSON that is made once a version of the public state and answered from
 * memory, the last one while the database is gone. */
export function eventRoute<const Path extends string, T>(
  { db, state }: Deps,
  path: Path,
  { load, caching, missing, ...contract }: EventCall<T>,
) {
  const made = rememberByVersion(
    () => state.version,
    async (eventNumber) => {
      const found = await load(db, eventNumber)
      return found && readyJson(found, caching)
    },
  )
  return route(path, {
    ...contract,
    params: eventInPath,
    also: notModified,
    run: async ({ params: { eventNumber }, request }) =>
      answerFound(request, await made(eventNumber), missing),
  })
}
