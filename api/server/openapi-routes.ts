import { Elysia } from 'elysia'
import type { Deps } from '../deps.ts'
import { answerCached, type CachedText, cachedText } from '../http/cached-text.ts'
import { route } from '../http/route.ts'
import { type Listed, type Operation, openapiDocument } from './openapi.ts'

/** The OpenAPI document, and in development a page that shows it. */
export const openapiRoutes = (
  { admin, isDevelopment }: Pick<Deps, 'admin' | 'isDevelopment'>,
  routes: () => readonly Listed[],
) => {
  let document: ReturnType<typeof openapiDocument> | undefined
  const made = () => {
    document ??= openapiDocument(routes(), admin.publicApiUrl)
    return document
  }
  let text: CachedText | undefined
  const app = new Elysia().get(
    '/api/openapi.json',
    ...route(
      { about: 'This document', file: { type: 'application/json', about: 'OpenAPI 3.1.' } },
      ({ request }) => {
        text ??= cachedText(made())
        return answerCached(request, text, 'public, max-age=300')
      },
    ),
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

type Document = ReturnType<typeof openapiDocument>

/** A page that shows all calls: one file, no script, no external resources. */
const readingPage = ({ paths, components }: Document): string => `<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width">
<title>Calls of Blockdraw</title>
<style>
body { font: 16px/1.5 system-ui, sans-serif; max-width: 60rem; margin: 2rem auto; padding: 0 1rem; color-scheme: light dark }
summary { cursor: pointer; padding: .4rem 0 }
code, pre { font-family: ui-monospace, monospace; font-size: .9em }
pre { overflow-x: auto; padding: 1rem; border: 1px solid #8884; border-radius: .5rem }
summary code { font-weight: 600 }
</style>
<h1>Calls</h1>
<p>The same for programs: <a href="/api/openapi.json"><code>/api/openapi.json</code></a></p>
${Object.entries(paths)
  .flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, call]) => section(`${method.toUpperCase()} ${path}`, call)),
  )
  .join('\n')}
<h1>Schemas</h1>
${Object.entries(components.schemas)
  .map(([name, schema]) => `<details><summary><code>${name}</code></summary>${block(schema)}</details>`)
  .join('\n')}
</html>
`

const section = (
  name: string,
  { tags, summary, description, parameters, requestBody, responses }: Operation,
) => `
<details>
<summary><code>${escapeHtml(name)}</code> ${escapeHtml(summary)} (${tags.join(', ')})</summary>
${description ? `<p>${escapeHtml(description)}</p>` : ''}
${parameters.map(({ name, in: place, schema }) => `<p><code>${name}</code> in ${place}</p>${block(schema)}`).join('')}
${requestBody ? `<p>Body</p>${contents(requestBody.content)}` : ''}
${Object.entries(responses)
  .map(
    ([status, { description, content }]) =>
      `<p><code>${status}</code> ${escapeHtml(description)}</p>${status < '400' ? contents(content) : ''}`,
  )
  .join('')}
</details>`

const contents = (content: Record<string, { schema?: object }> = {}): string =>
  Object.entries(content)
    .map(([type, { schema }]) => `<p>${escapeHtml(type)}</p>${schema ? block(schema) : ''}`)
    .join('')

const block = (schema: object): string => `<pre>${escapeHtml(JSON.stringify(schema, null, 2))}</pre>`

const escapeHtml = (text: string): string => text.replace(/[&<>"']/g, (sign) => `&#${sign.charCodeAt(0)};`)
