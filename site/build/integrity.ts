import { createHash } from 'node:crypto'

const loaded =
  /<(?:script type="module" src|link rel="(?:stylesheet|modulepreload)" href)="(\/_astro\/[^"]+)"/g

/**
 * `html` whose scripts and style sheets run only as they were built: a browser compares them with the hash in
 * the page (Subresource Integrity), so a file changed at a CDN is not run. `read` returns a file by address.
 */
export const withIntegrity = (html: string, read: (href: string) => Uint8Array): string =>
  html.replace(loaded, (tag, href: string) => `${tag} integrity="sha384-${sha384(read(href))}"`)

const sha384 = (bytes: Uint8Array): string => createHash('sha384').update(bytes).digest('base64')

/** Lines as `sha256sum` writes them, in the order of the names: `sha256sum -c` compares a deployed copy with a build. */
export const checksums = (names: readonly string[], read: (name: string) => Uint8Array): string =>
  [...names]
    .sort()
    .map((name) => `${createHash('sha256').update(read(name)).digest('hex')}  ${name}\n`)
    .join('')
