import { toOpenAPISchema } from '@elysiajs/openapi/openapi'
import { type AnyElysia, Elysia } from 'elysia'
import type { Deps } from '../deps.ts'
import { answerReady, type Ready, readyJson } from '../http/ready.ts'
import { json, route } from '../http/route.ts'
import { answers, named } from './generated/answers.json'

/** The OpenAPI document of an app's routes, made when it is asked for first. */
export const openapiRoutes = ({ admin }: Deps, app: () => AnyElysia) => {
  let text: Ready<unknown> | undefined
  return new Elysia().get(
    ...route('/api/openapi.json', {
      about: 'This document',
      file: { type: 'application/json', about: 'OpenAPI 3.1.' },
      run: ({ request }): Response => {
        text ??= readyJson(openapiDocument(app(), admin.publicApiUrl), 'public, max-age=300')
        return answerReady(request, text)
      },
    }),
  )
}

type Operation = {
  requestBody?: { required: boolean; content: Record<string, { schema: { required?: string[] } }> }
  responses: Record<string, { content?: object }>
}

/** OpenAPI 3.1 of the routes. `serverUrl` is their base URL, if it is not that of the document. @internal */
export function openapiDocument(app: AnyElysia, serverUrl = '/') {
  const { paths } = toOpenAPISchema(app, { staticFile: false })
  for (const [path, operations] of Object.entries(paths))
    for (const [method, operation] of Object.entries(operations as Record<string, Operation>)) {
      const { requestBody, responses } = operation
      const body = requestBody?.content['application/json']
      // Elysia's description requires every body, also one that has no required fields.
      if (requestBody && body) requestBody.required = body.schema.required !== undefined
      const answer = (answers as Record<string, object>)[`${method} ${path}`]
      if (answer)
        for (const [status, response] of Object.entries(responses))
          if (status < '300') response.content = json(answer)
    }
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
    components: { schemas: named, securitySchemes: { session: { type: 'http', scheme: 'bearer' } } },
  }
}
