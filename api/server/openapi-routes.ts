import { Elysia } from 'elysia'
import type { Deps } from '../deps.ts'
import { route } from '../http/route.ts'
import { type Listed, openapiDocument } from './openapi/document.ts'
import { readingPage } from './openapi/page.ts'

/** All calls for programs, and in development for people. */
export const openapiRoutes = (
  { admin, isDevelopment }: Pick<Deps, 'admin' | 'isDevelopment'>,
  routes: () => readonly Listed[],
) => {
  let document: ReturnType<typeof openapiDocument> | undefined
  const made = () => {
    document ??= openapiDocument(routes(), admin.publicApiUrl)
    return document
  }
  let text: string | undefined
  const app = new Elysia().get(
    '/api/openapi.json',
    ...route({ about: 'This document', file: { type: 'application/json', about: 'OpenAPI 3.1.' } }, () => {
      const headers = {
        'content-type': 'application/json; charset=utf-8',
        'cache-control': 'public, max-age=300',
      }
      text ??= JSON.stringify(made())
      return new Response(text, { headers })
    }),
  )
  if (isDevelopment)
    app.get('/api/docs', () => {
      const headers = {
        'content-type': 'text/html; charset=utf-8',
        'content-security-policy': "default-src 'none'; style-src 'unsafe-inline'; frame-ancestors 'none'",
      }
      return new Response(readingPage(made()), { headers })
    })
  return app
}
