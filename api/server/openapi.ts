import { toOpenAPISchema } from '@elysiajs/openapi/openapi'
import { type AnyElysia, Elysia } from 'elysia'
import type { Deps } from '../deps.ts'
import { errorBody } from '../http/answers.ts'
import { answerReady, type Ready, readyJson } from '../http/ready.ts'
import { route } from '../http/route.ts'

/** The OpenAPI document of an app's routes, made when it is asked for first. */
export const openapiRoutes = ({ admin }: Pick<Deps, 'admin'>, app: () => AnyElysia) => {
  let text: Ready | undefined
  return new Elysia().get(
    '/api/openapi.json',
    ...route({
      about: 'This document',
      file: { type: 'application/json', about: 'OpenAPI 3.1.' },
      run: ({ request }) => {
        text ??= readyJson(openapiDocument(app(), admin.publicApiUrl), 'public, max-age=300')
        return answerReady(request, text)
      },
    }),
  )
}

type Operation = {
  requestBody?: { required: boolean; content: Record<string, { schema: { required?: string[] } }> }
}

/** OpenAPI 3.1 of the routes. `serverUrl` is their base URL, if it is not that of the document. @internal */
export function openapiDocument(app: AnyElysia, serverUrl = '/') {
  const { paths } = toOpenAPISchema(app, { staticFile: false })
  // Elysia's description requires every body, also one that has no required fields.
  for (const { requestBody } of Object.values(paths).flatMap((path) =>
    Object.values(path as Record<string, Operation>),
  ))
    if (requestBody?.content['application/json']) requestBody.required = isFilled(requestBody)
  return {
    openapi: '3.1.0',
    info: {
      title: 'Blockdraw',
      version: '1',
      description:
        'The calls of the raffle. Dates are ISO 8601 in UTC, `amount` is hundredths of a USDT. Unknown fields may be added to answers.',
      license: { name: 'MIT', identifier: 'MIT' },
    },
    servers: [{ url: serverUrl }],
    tags: [
      { name: 'public', description: 'For anybody.' },
      { name: 'admin', description: 'For administrators.' },
    ],
    paths,
    components: {
      schemas: { ErrorBody: errorBody },
      securitySchemes: { session: { type: 'http', scheme: 'bearer' } },
    },
  }
}

const isFilled = ({ content }: NonNullable<Operation['requestBody']>): boolean =>
  content['application/json']?.schema.required !== undefined
