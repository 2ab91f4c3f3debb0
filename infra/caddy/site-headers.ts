import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { pageHeaders } from '../../core/server/page-headers.ts'

/** Framed by pages of our own alone. The check of a draw may connect to anybody, so it has no origin: a
 * script elsewhere on the site could reach into it. */
const framed = (policy: string) => ({ 'x-frame-options': 'SAMEORIGIN', 'content-security-policy': policy })

/** What is sent otherwise below these folders. Names in the last change with their content; all other files
 * are revalidated each time. */
const places: Record<string, Record<string, string>> = {
  'preview/': framed("frame-ancestors 'self'"),
  'check/': framed("frame-ancestors 'self'; sandbox allow-scripts"),
  '_astro/': {
    'cache-control': 'public, max-age=31536000, immutable',
    // A page without an origin asks for its script as a stranger does.
    'access-control-allow-origin': '*',
  },
}

/** Headers of one file of the site, by its name in the build. */
export function headersOf(name: string): Record<string, string> {
  const place = Object.keys(places).find((each) => name.startsWith(each)) ?? ''
  return { ...pageHeaders, 'cache-control': 'no-cache', ...places[place] }
}

/** Browsers apply it only over https. The domain's owner decides about `preload`, as it cannot be undone. */
const https = { 'strict-transport-security': 'max-age=31536000; includeSubDomains' }

/** The file `_headers` of CDNs, which join the values of two rules: so the caching of pages is the host's
 * default, and what a folder has otherwise is taken off first (`! name`). */
export function headersFile(): string {
  const rule = (path: string, headers: Record<string, string>) =>
    [path, ...lines(headers, (name, value) => `  ${name}: ${value}`), ''].join('\n')
  const ofPlaces = Object.entries(places).map(([place, headers]) => {
    const without = Object.keys(headers).filter((name) => name in pageHeaders)
    return rule([`/${place}*`, ...without.map((name) => `  ! ${name}`)].join('\n'), headers)
  })
  return [rule('/*', { ...pageHeaders, ...https }), ...ofPlaces].join('\n')
}

/** The same for Caddy: a snippet that the Caddyfile imports. Each path has one rule, as Caddy keeps no order between two. */
export function headersSnippet(): string {
  const names = Object.keys(places)
  const rule = (matcher: string, paths: string, name: string) => [
    `\t${matcher} ${paths}`,
    ...lines({ ...headersOf(name), ...https }, (header, value) => `\theader ${matcher} ${header} "${value}"`),
  ]
  const rest = rule('@rest', `not path ${names.map((name) => `/${name}*`).join(' ')}`, '')
  const rows = [...names.flatMap((name, at) => rule(`@place${at}`, `path /${name}*`, name)), ...rest]
  return `(site-headers) {\n${rows.join('\n')}\n}\n`
}

const lines = (headers: Record<string, string>, write: (name: string, value: string) => string): string[] =>
  Object.entries(headers).map(([name, value]) => write(name, value))

/** `bun infra/caddy/site-headers.ts DIR [SNIPPET]`: part of `bun run build`; SNIPPET is Caddy's file. */
if (import.meta.main) {
  const [dir = 'site/dist', snippetFile] = process.argv.slice(2)
  writeFileSync(join(dir, '_headers'), headersFile())
  if (snippetFile) writeFileSync(snippetFile, headersSnippet())
}
