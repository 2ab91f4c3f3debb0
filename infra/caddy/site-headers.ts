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

/** Names below `_astro/` change with their content; all other files are revalidated each time. */
export const hashedFiles = '_astro/'
export const cacheOfHashed = 'public, max-age=31536000, immutable'
export const cacheOfPages = 'no-cache'

/** Browsers apply it only over https. The domain's owner decides about `preload`, as it cannot be undone. */
const https = { 'strict-transport-security': 'max-age=31536000; includeSubDomains' }

/**
 * The file `_headers` as CDNs read it. If two rules set one header such hosts join the values, so the caching
 * of pages is left to the hosts' default, which is to revalidate each time.
 */
export const headersFile = (): string =>
  [
    rule('/*', { ...safeHeaders, ...https }),
    rule(`/${hashedFiles}*`, { 'cache-control': cacheOfHashed }),
  ].join('\n')

/** The same for Caddy: a snippet that the Caddyfile imports. */
export const headersSnippet = (): string =>
  `(site-headers) {\n${lines('header', { ...safeHeaders, ...https })}
\t@hashed path /${hashedFiles}*
${lines('header @hashed', { 'cache-control': cacheOfHashed })}
\t@asked not path /${hashedFiles}*
${lines('header @asked', { 'cache-control': cacheOfPages })}
}
`

const rule = (path: string, headers: Record<string, string>): string =>
  `${path}\n${Object.entries(headers)
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
