import { writeFileSync } from 'node:fs'
import { join } from 'node:path'

/** Headers of every page and file of the site on any host. The rest of the policy is in the pages. */
export const safeHeaders = {
  'x-content-type-options': 'nosniff',
  'x-frame-options': 'DENY',
  'content-security-policy': "frame-ancestors 'none'", // the rest is in the pages, which know their hashes
  // A script that a page has no hash for is not run. Chromium knows no such rule for style sheets yet.
  'integrity-policy': 'blocked-destinations=(script)',
  'referrer-policy': 'strict-origin-when-cross-origin',
  'cross-origin-opener-policy': 'same-origin-allow-popups',
  'permissions-policy': 'camera=(), geolocation=(), microphone=()',
}

/** Pages that our own administrator's page holds in a frame; no other site may. */
export const framedPages = 'preview/'
const ofFramed = { 'x-frame-options': 'SAMEORIGIN', 'content-security-policy': "frame-ancestors 'self'" }
export const framedHeaders = { ...safeHeaders, ...ofFramed }

/** Names below these change with their content; all other files are revalidated each time. */
export const hashedFiles = ['_astro/', 'pictures/', 'share/'] as const
export const cacheOfHashed = 'public, max-age=31536000, immutable'
export const cacheOfPages = 'no-cache'

/** Browsers apply it only over https. The domain's owner decides about `preload`, as it cannot be undone. */
const https = { 'strict-transport-security': 'max-age=31536000; includeSubDomains' }

/**
 * The file `_headers` as CDNs read it. If two rules set one header such hosts join the values, so the caching
 * of pages is left to the hosts' default, which is to revalidate each time, and what framed pages have another value of
 * is taken off first (`! name`); a host that cannot do that keeps them out of frames, and only the preview stays empty.
 */
export const headersFile = (): string =>
  [
    rule('/*', { ...safeHeaders, ...https }),
    rule(`/${framedPages}*`, ofFramed, Object.keys(ofFramed)),
    ...hashedFiles.map((place) => rule(`/${place}*`, { 'cache-control': cacheOfHashed })),
  ].join('\n')

const hashedPaths = hashedFiles.map((place) => `/${place}*`).join(' ')

/** The same for Caddy: a snippet that the Caddyfile imports. */
export const headersSnippet = (): string =>
  `(site-headers) {\n${lines('header', { ...ofAll, ...https })}
\t@framed path /${framedPages}*
${lines('header @framed', ofFramed)}
\t@unframed not path /${framedPages}*
${lines('header @unframed', ofUnframed)}
\t@hashed path ${hashedPaths}
${lines('header @hashed', { 'cache-control': cacheOfHashed })}
\t@asked not path ${hashedPaths}
${lines('header @asked', { 'cache-control': cacheOfPages })}
}
`

const { 'x-frame-options': xFrameOptions, 'content-security-policy': frameAncestors, ...ofAll } = safeHeaders
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
