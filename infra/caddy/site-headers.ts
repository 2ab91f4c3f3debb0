import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { pageHeaders } from '../../core/server/page-headers.ts'

/** Framed by pages of our own alone. The check of a draw may connect to anybody, so it has no origin: a
 * script elsewhere on the site could reach into it. */
const framed = {
  'preview/': "frame-ancestors 'self'",
  'check/': "frame-ancestors 'self'; sandbox allow-scripts",
}
const ofFramed = (policy: string) => ({ 'x-frame-options': 'SAMEORIGIN', 'content-security-policy': policy })

/** Names below this change with their content; all other files are revalidated each time. */
const hashed = '_astro/'
const ofHashed = {
  'cache-control': 'public, max-age=31536000, immutable',
  // A page without an origin asks for its script as a stranger does.
  'access-control-allow-origin': '*',
}

/** Headers of one file of the site, by its name in the build. */
export function headersOf(name: string): Record<string, string> {
  const [, policy] = Object.entries(framed).find(([place]) => name.startsWith(place)) ?? []
  return {
    ...pageHeaders,
    ...(policy && ofFramed(policy)),
    ...(name.startsWith(hashed) ? ofHashed : { 'cache-control': 'no-cache' }),
  }
}

/** Browsers apply it only over https. The domain's owner decides about `preload`, as it cannot be undone. */
const https = { 'strict-transport-security': 'max-age=31536000; includeSubDomains' }

/** The file `_headers` of CDNs, which join the values of two rules: so the caching of pages is the host's
 * default, and what framed pages have otherwise is taken off first (`! name`). */
export const headersFile = (): string =>
  [
    rule('/*', { ...pageHeaders, ...https }),
    ...Object.entries(framed).map(([place, policy]) =>
      rule(`/${place}*`, ofFramed(policy), Object.keys(ofFramed(policy))),
    ),
    rule(`/${hashed}*`, ofHashed),
  ].join('\n')

/** The same for Caddy: a snippet that the Caddyfile imports. It keeps no order between a header of all paths and one of some. */
export const headersSnippet = (): string =>
  `(site-headers) {\n${lines('header', { ...ofAll, ...https })}
${Object.entries(framed)
  .map(
    ([place, policy], at) =>
      `\t@framed${at} path /${place}*\n${lines(`header @framed${at}`, ofFramed(policy))}`,
  )
  .join('\n')}
\t@unframed not path ${Object.keys(framed)
    .map((place) => `/${place}*`)
    .join(' ')}
${lines('header @unframed', ofUnframed)}
\t@hashed path /${hashed}*
${lines('header @hashed', ofHashed)}
\t@asked not path /${hashed}*
${lines('header @asked', { 'cache-control': 'no-cache' })}
}
`

const { 'x-frame-options': xFrameOptions, 'content-security-policy': frameAncestors, ...ofAll } = pageHeaders
const ofUnframed = { 'x-frame-options': xFrameOptions, 'content-security-policy': frameAncestors }

const rule = (path: string, headers: Record<string, string>, without: readonly string[] = []): string =>
  `${path}\n${without.map((name) => `  ! ${name}\n`).join('')}${Object.entries(headers)
    .map(([name, value]) => `  ${name}: ${value}\n`)
    .join('')}`

const lines = (directive: string, headers: Record<string, string>): string =>
  Object.entries(headers)
    .map(([name, value]) => `\t${directive} ${name} "${value}"`)
    .join('\n')

/** `bun infra/caddy/site-headers.ts DIR [SNIPPET]`: part of `bun run build`; SNIPPET is Caddy's file. */
if (import.meta.main) {
  const [dir = 'site/dist', snippetFile] = process.argv.slice(2)
  writeFileSync(join(dir, '_headers'), headersFile())
  if (snippetFile) writeFileSync(snippetFile, headersSnippet())
}
