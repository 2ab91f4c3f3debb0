import type { TSchema } from '@sinclair/typebox'
import type { DocumentDecoration } from 'elysia'
import { type ErrorCode, errors } from '../../core/errors.ts'
import { errorBody } from './answers.ts'
import type { Contract } from './contract.ts'
import { isBytes } from './values.ts'

/** Error codes of every call, of calls with a body, and of the administrator area. */
const always: ErrorCode[] = [
  'METHOD_NOT_ALLOWED',
  'URL_TOO_LONG',
  'MISDIRECTED',
  'RATE_LIMITED',
  'HEADERS_TOO_LARGE',
  'DB_UNAVAILABLE',
]
const ofBodies: ErrorCode[] = [
  'BAD_JSON',
  'ORIGIN_DENIED',
  'BODY_TIMEOUT',
  'BODY_TOO_LARGE',
  'UNSUPPORTED_MEDIA_TYPE',
  'INVALID_VALUE',
]
const ofAdmins: ErrorCode[] = [
  'UNAUTHENTICATED',
  'IP_NOT_ALLOWED',
  'PASSWORD_CHANGE_REQUIRED',
  'UNKNOWN_FIELD',
]

/** The OpenAPI description of a call, as Elysia keeps it beside the route. */
export function describe(contract: Contract, tag: 'public' | 'admin'): DocumentDecoration {
  const { about, more, body, query, params, answer, file, also = {} } = contract
  const operation = {
    tags: [tag],
    summary: about,
    ...(more && { description: more }),
    ...(tag === 'admin' && { security: [{ session: [] }] }),
    parameters: [...parametersOf(params, 'path'), ...parametersOf(query, 'query')],
    ...(body && { requestBody: { required: body.required !== undefined, content: contentOf(body) } }),
    responses: {
      200: {
        description: file?.about ?? 'The answer.',
        ...(answer && { content: { 'application/json': { schema: answer } } }),
        ...(file && { content: { [file.type]: file.schema ? { schema: file.schema } : {} } }),
      },
      ...Object.fromEntries(
        Object.entries(also).map(([status, description]) => [
          status,
          {
            description,
            ...(answer && status < '300' && { content: { 'application/json': { schema: answer } } }),
          },
        ]),
      ),
      ...refusalsOf(contract, tag),
    },
  }
  return operation as DocumentDecoration
}

const contentOf = (body: TSchema) =>
  isBytes(body) ? { 'image/*': { schema: body } } : { 'application/json': { schema: body } }

const parametersOf = (schema: TSchema | undefined, place: 'path' | 'query') =>
  Object.entries<TSchema>(schema?.properties ?? {}).map(([name, own]) => ({
    name,
    in: place,
    required: schema?.required?.includes(name) ?? false,
    ...(own.description && { description: own.description }),
    schema: own,
  }))

/** One answer per status, with the codes it may carry. */
function refusalsOf({ body, query, params, refusals = [] }: Contract, tag: 'public' | 'admin') {
  const codes = new Set([
    ...always,
    ...(tag === 'admin' ? ofAdmins : []),
    ...(body ? ofBodies : []),
    ...[body, query, params].flatMap((schema) => codesOf(schema)),
    ...refusals,
  ])
  const byStatus = Map.groupBy(codes, (code) => errors[code].status)
  return Object.fromEntries(
    [...byStatus].map(([status, own]) => [
      status,
      { description: own.join(', '), content: { 'application/json': { schema: errorBody } } },
    ]),
  )
}

/** Error codes of the values of a schema. */
function codesOf(schema: TSchema | undefined): ErrorCode[] {
  if (!schema) return []
  const inside = [
    ...Object.values<TSchema>(schema.properties ?? {}),
    ...(schema.items ? [schema.items as TSchema] : []),
  ]
  const own = schema['x-refusal']?.code as ErrorCode | undefined
  return [...(own ? [own] : []), ...inside.flatMap((one) => codesOf(one))]
}
