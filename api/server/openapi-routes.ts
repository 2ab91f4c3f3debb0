import { Elysia } from 'elysia'
import type { Deps } from '../deps.ts'
import { openapiDocument } from './openapi/document.ts'
import { readingPage } from './openapi/page.ts'

/** The public calls for programs, and in development for people. */
export const openapiRoutes = ({ admin, isDevelopment }: Pick<Deps, 'admin' | 'isDevelopment'>) => {
  const routes = new Elysia().get('/api/openapi.json', () => {
    const headers = {
      'content-type': 'application/json; charset=utf-8',
      'cache-control': 'public, max-age=300',
    }
    return new Response(JSON.stringify(openapiDocument(admin.publicApiUrl)), { headers })
  })
  if (!isDevelopment) return routes
  return routes.get('/api/docs', () => {
    const headers = {
      'content-type': 'text/html; charset=utf-8',
      'content-security-policy': "default-src 'none'; style-src 'unsafe-inline'; frame-ancestors 'none'",
    }
    return new Response(readingPage(), { headers })
  })
}
