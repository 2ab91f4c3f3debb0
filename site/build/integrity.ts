import { createHash } from 'node:crypto'

type Read = (href: string) => Uint8Array
type Files = { read: Read; names: readonly string[] }

const tagged =
  /<(?:script\b[^>]*\stype="module"[^>]*\ssrc|link\b[^>]*\srel="(?:stylesheet|modulepreload)"[^>]*\shref)="(\/_astro\/[^"]+)"/g
const charset = /<meta charset="?utf-8"?\s*\/?>/i

/** A file changed at a CDN is not run: tags carry hashes, an import map those of what an `import` reaches. `names`: all below `_astro`. */
export function withIntegrity(html: string, { read, names }: Files): string {
  const strict = withoutRetry(html)
  const tags = strict.replace(tagged, (tag, href: string) => `${tag} integrity="${hashOf(read(href))}"`)
  const reached = reachable(strict, { read, names })
  if (!reached.some((href) => href.endsWith('.js'))) return tags
  if (!charset.test(tags)) throw new Error('A page without a charset has no place for its import map.')
  const map = { integrity: Object.fromEntries(reached.map((href) => [href, hashOf(read(href))])) }
  return tags.replace(charset, (found) => `${found}<script type="importmap">${JSON.stringify(map)}</script>`)
}

/** What a page can reach: names of built files hold a hash, so a text that has one refers to the file. */
function reachable(html: string, { read, names }: Files): string[] {
  const known = new Map(
    names.filter((name) => /\.(js|css)$/.test(name)).map((name) => [name, `/_astro/${name}`]),
  )
  const found = new Set<string>()
  const search = (text: string) => {
    for (const [, name = ''] of text.matchAll(/([\w.-]+\.(?:js|css))(?![\w.-])/g)) {
      const href = known.get(name)
      if (!href || found.has(href)) continue
      found.add(href)
      if (name.endsWith('.js')) search(Buffer.from(read(href)).toString())
    }
  }
  search(html.replace(/<link\b[^>]*\srel="stylesheet"[^>]*>/g, ''))
  return [...found].sort()
}

/** Astro asks for an island's script a second time under another address, for which there would be no hash. */
function withoutRetry(html: string): string {
  const strict = html.replaceAll(/\w+\.searchParams\.set\("astro-retry",[^;]*?\)\),/g, '')
  if (strict.includes('astro-retry')) throw new Error('Astro loads islands in a way that is not known here.')
  return strict
}

/** Named in tag and map: two times the same text is compressed to one. */
const hashOf = (bytes: Uint8Array): string => `sha256-${createHash('sha256').update(bytes).digest('base64')}`

/** Lines as `sha256sum` writes them, in the order of the names: `sha256sum -c` compares a deployed copy with a build. */
export const checksums = (names: readonly string[], read: (name: string) => Uint8Array): string =>
  [...names]
    .sort()
    .map((name) => `${createHash('sha256').update(read(name)).digest('hex')}  ${name}\n`)
    .join('')
