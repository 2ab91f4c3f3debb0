type Route = { method: string; path: string }
export type KnownPath = {
  /** The path as declared, with `:name` parameters; metrics count by it. */
  pattern: string
  /** As listed in an Allow header. */
  methods: readonly string[]
}

/** A stream has no finished answer, so it takes no HEAD. */
const headless = new Set(['/api/live'])

/** Which paths exist and which methods they allow. */
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

/** The path of a request's URL as sent; undefined if it cannot be decoded. */
export function pathOf(url: string): string | undefined {
  // Bun leaves out the host if the Host header is malformed.
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
