import { createHash } from 'node:crypto'
import { realpathSync } from 'node:fs'
import { join, relative, sep } from 'node:path'
import { accepts, matches } from '../../api/http/ready.ts'
import { pageHeaders } from '../../core/server/page-headers.ts'
import { headersOf } from '../caddy/site-headers.ts'

const codings = [
  ['br', '.br'],
  ['gzip', '.gz'],
] as const

/**
 * Serves a directory of pages: `/admin` is `admin/index.html`, an unknown path is `404.html`, and one page stands for that of each
 * event.
 */
export function siteFiles(dir: string): (request: Request) => Promise<Response> {
  const root = realpathSync(dir)
  return async (request) => {
    const url = new URL(request.url)
    if (request.method !== 'GET' && request.method !== 'HEAD')
      return new Response(null, { status: 405, headers: { ...pageHeaders, allow: 'GET, HEAD' } })
    for (const name of namesOf(url.pathname)) {
      const found = await openInside(root, name)
      if (found) return answer(request, root, found, name)
    }
    const missing = await openInside(root, '404.html')
    const headers = { ...headersOf('404.html'), 'content-type': 'text/html; charset=utf-8' }
    const body = request.method === 'HEAD' ? null : (missing ?? 'Not found')
    return new Response(body, { status: 404, headers })
  }
}

/** Candidate files for a path; none for a malformed path or one that leaves the directory. */
function namesOf(pathname: string): string[] {
  let path: string
  try {
    path = decodeURIComponent(pathname)
  } catch {
    return []
  }
  const event = /^(\/ko)?\/e\/[1-9]\d{0,8}\/?$/.exec(path)
  if (event) return [`_event/${event[1] ? 'ko' : 'en'}.html`]
  const parts = path.split('/').filter(Boolean)
  if (/[\0\\]|\.(br|gz)$/.test(path) || parts.some((part) => part.startsWith('.')) || parts[0] === '_event')
    return []
  const name = parts.join('/')
  if (name === '') return ['index.html']
  return path.endsWith('/') ? [`${name}/index.html`] : [name, `${name}/index.html`, `${name}.html`]
}

async function openInside(root: string, name: string) {
  const file = Bun.file(join(root, name))
  const isFile = await file.stat().then(
    (stat) => stat.isFile(),
    () => false,
  )
  if (!isFile) return undefined
  const path = relative(root, realpathSync(join(root, name)))
  return path.startsWith(`..${sep}`) ? undefined : file
}

/** The build put a compressed copy beside every larger text; each encoding needs its own strong ETag. */
async function answer(request: Request, root: string, file: Bun.BunFile, name: string): Promise<Response> {
  const accepted = request.headers.get('accept-encoding') ?? ''
  const coding = codings.find(([word]) => accepts(accepted, word))
  const compressed = coding && (await openInside(root, name + coding[1]))
  const bytes = await (compressed ?? file).bytes()
  const etag = `"${createHash('sha256').update(bytes).digest('base64url').slice(0, 22)}"`
  const headers = {
    ...headersOf(name),
    etag,
    'content-type': file.type.startsWith('text/html') ? 'text/html; charset=utf-8' : file.type,
    vary: 'accept-encoding',
    ...(compressed && coding && { 'content-encoding': coding[0] }),
  }
  if (matches(request.headers.get('if-none-match') ?? '', etag))
    return new Response(null, { status: 304, headers })
  if (request.method === 'HEAD')
    return new Response(null, { headers: { ...headers, 'content-length': `${bytes.length}` } })
  return new Response(bytes, { headers })
}
