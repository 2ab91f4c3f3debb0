/** A route as Elysia lists it; `detail` is the description of its call. */
export type Listed = { method: string; path: string; hooks: { detail?: object } }
export type Operation = {
  tags: string[]
  summary: string
  description?: string
  parameters: { name: string; in: string; required?: boolean; description?: string; schema: object }[]
  requestBody?: { content: Record<string, { schema?: object }> }
  responses: Record<string, { description: string; content?: Record<string, { schema?: object }> }>
}

/** OpenAPI 3.1 of the routes. `serverUrl` is their base URL, if it is not that of the document. */
export function openapiDocument(routes: readonly Listed[], serverUrl = '/') {
  const schemas: Record<string, object> = {}
  const paths: Record<string, Record<string, Operation & { operationId: string }>> = {}
  for (const { method, path, hooks } of routes) {
    // Pages are no calls.
    if (!hooks.detail || 'hide' in hooks.detail) continue
    const key = path.replace(/:(\w+)/g, '{$1}')
    const operation = named(hooks.detail, schemas) as Operation
    paths[key] = { ...paths[key], [method.toLowerCase()]: { operationId: idOf(method, path), ...operation } }
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
    components: {
      schemas,
      securitySchemes: { session: { type: 'http', scheme: 'bearer' } },
    },
  }
}

const idOf = (method: string, path: string): string =>
  `${method.toLowerCase()}${path.replace(/\W+(\w)/g, (_, letter: string) => letter.toUpperCase())}`

/** The value with a reference in place of every named schema; the schemas are collected in `schemas`. */
function named(value: unknown, schemas: Record<string, object>): unknown {
  if (Array.isArray(value)) return value.map((item) => named(item, schemas))
  if (typeof value !== 'object' || value === null) return value
  const { $id, ...rest } = value as Record<string, unknown>
  if (typeof $id !== 'string' || !schemas[$id]) {
    const copy = Object.fromEntries(Object.entries(rest).map(([key, item]) => [key, named(item, schemas)]))
    if (typeof $id !== 'string') return copy
    schemas[$id] = copy
  }
  return { $ref: `#/components/schemas/${$id}` }
}
