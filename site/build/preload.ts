import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'

const entry = /<script type="module" src="(\/_astro\/[^"]+)"/g
const entryElement = /<script type="module" src="(\/_astro\/[^"]+)"[^>]*><\/script>/g
const imported = /(?:from|import)\s*"\.\/([^"]+\.js)"/g

/** Returns a file by its address. */
type Read = (href: string) => Uint8Array

const importsOf = (href: string, read: Read): string[] =>
  [...Buffer.from(read(href)).toString().matchAll(imported)].map(([, name]) => `/_astro/${name}`)

/** `html` with a preload for each import of its scripts, so that a browser requests all of them at once. */
export const withPreloads = (html: string, read: Read): string =>
  html.replace(entry, (tag, href: string) => {
    const links = importsOf(href, read).map(
      (address) => `<link rel="modulepreload" href="${address}" fetchpriority="low">`,
    )
    return links.join('') + tag.replace('<script ', '<script fetchpriority="low" ')
  })

const starter = readFileSync(
  fileURLToPath(new URL('../src/shell/start-when-painted.js', import.meta.url)),
  'utf8',
)

/** `html` whose scripts are asked for after its first paint, all at once; their hashes are in the import map. */
export const withLaterScripts = (html: string, read: Read): string =>
  html.replace(entryElement, (_, href: string) => {
    const addresses = JSON.stringify([...importsOf(href, read), href])
    return `<script>${starter.trim().replace('ADDRESSES', () => addresses)}</script>`
  })
