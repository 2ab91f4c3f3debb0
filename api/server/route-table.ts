type Route = { method: string; path: string }
export type KnownPath = {
  /** The path as it was declared, `:name` for what varies: what metrics count by. */
  pattern: string
  /** As an Allow header lists them. */
  methods: readonly string[]
}

/** Streams have no answer that a HEAD could leave the body off. */
const headless = new Set(['/api/live'])

/** Which paths exist and what may be asked of them. */
export function routeTable(routes: readonly Route[]) {
  const byPattern = new Map<string, Set<string>>()
  for (const { method, path } of routes) {
    const methods = byPattern.get(path) ?? new Set()
    methods.add(method)
    if (method === 'GET' && !headless.has(path)) methods.add('HEAD')
    byPattern.set(path, methods.add('OPTIONS'))
  }
  const fixed = new Map<string, KnownPath>()
  const varying: { regex: RegExp; known: KnownPath }[] = []
  for (const [pattern, methods] of byPattern) {
    const known = { pattern, methods: [...methods] }
    if (/[:*]/.test(pattern)) varying.push({ regex: toRegex(pattern), known })
    else fixed.set(pattern, known)
  }
  return (path: string): KnownPath | undefined => {
    const plain = path.length > 1 && path.endsWith('/') ? path.slice(0, -1) : path
    return fixed.get(plain) ?? varying.find(({ regex }) => regex.test(plain))?.known
  }
}

const toRegex = (pattern: string): RegExp =>
  new RegExp(
    `^${pattern
      .replace(/[.+?^$()|[\]{}\\]/g, '\\$&')
      .replace(/:\w+/g, '[^/]+')
      .replace(/\*/g, '.*')}$`,
  )

/** The path of a request's URL as it was sent; undefined where it is no proper text. */
export function pathOf(url: string): string | undefined {
  // Bun leaves the host out where the Host header is malformed.
  const start = url.startsWith('/') ? 0 : url.indexOf('/', 8)
  const query = url.indexOf('?', start)
  const path = url.slice(start, query < 0 ? undefined : query)
  try {
    decodeURIComponent(path)
    return path
  } catch {
    return undefined
  }
}
