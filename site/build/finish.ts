import {
  appendFileSync,
  copyFileSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmdirSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { dirname, extname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { AstroIntegration } from 'astro'
import { drandRelays } from '../../core/draw/beacon.ts'
import { fillPage } from '../src/event/fill-page.ts'
import { firstSlots, shellSlots } from '../src/event/head-slots.ts'
import { compressFiles } from './compress.ts'
import { pictureFonts } from './fonts.ts'
import { checksums, withIntegrity } from './integrity.ts'
import { type Kind, type Places, withPolicy } from './policy.ts'

const kinds: [RegExp, Kind][] = [
  [/^check(\/|\.html$)/, 'check'],
  [/^admin(\/|\.html$)/, 'holding'],
  [/^(admin-login|preview|404)(\/|\.html$)/, 'closed'],
]

/** What the API makes pages and pictures of (api/content), and what stands for an event's page while it is away. */
const ofEvents = '_event'
const templates: Record<string, string> = { 'e/index.html': 'en.html', 'ko/e/index.html': 'ko.html' }

/** Public pages get words, styles and faces inlined, and scripts after the first view; each page gets hashes and policy. */
export const finish = (): AstroIntegration => ({
  name: 'blockdraw:finish',
  hooks: {
    'astro:build:done': async ({ dir }) => {
      const root = fileURLToPath(dir)
      finishPages(root, readdirSync(root, { recursive: true, encoding: 'utf8' }))
      await layTemplates(root)
      if (process.env.PUBLIC_SITE_URL)
        appendFileSync(
          join(root, 'robots.txt'),
          `Sitemap: ${new URL('/sitemap.xml', process.env.PUBLIC_SITE_URL).href}\n`,
        )
      const names = readdirSync(root, { recursive: true, encoding: 'utf8' })
      const read = (name: string) => readFileSync(join(root, name))
      const files = names.filter((name) => statSync(join(root, name)).isFile())
      writeFileSync(join(root, 'sha256sums.txt'), checksums(files, read))
      await compressFiles(root, [...names, 'sha256sums.txt'])
    },
  },
})

function finishPages(root: string, names: readonly string[]): void {
  const read = (name: string) => readFileSync(join(root, name))
  const scripts = readdirSync(join(root, '_astro'))
  const siteUrl = process.env.PUBLIC_SITE_URL || undefined
  for (const name of names.filter((file) => file.endsWith('.html'))) {
    const file = join(root, name)
    const kind = kinds.find(([names]) => names.test(name))?.[1] ?? 'public'
    const first = () => firstSlots(name.startsWith('ko/') ? 'ko' : 'en', siteUrl)
    const slots = templates[name] ? shellSlots : first()
    const html = fillPage(readFileSync(file, 'utf8'), slots)
    const loading =
      kind === 'public' ? withLaterScripts(inlineStyles(html, read), read) : withPreloads(html, read)
    const strict = withIntegrity(loading, { read, names: scripts })
    writeFileSync(file, withPolicy(strict, placesOf(process.env), kind))
  }
}

/** The page of an event is no page of its own: it stands for each of them. */
async function layTemplates(root: string): Promise<void> {
  const place = join(root, ofEvents)
  mkdirSync(place, { recursive: true })
  for (const [page, template] of Object.entries(templates)) {
    renameSync(join(root, page), join(place, template))
    rmdirSync(dirname(join(root, page)))
  }
  const fonts = await pictureFonts()
  fonts.forEach((font, at) => {
    copyFileSync(font, join(place, `font-${at}${extname(font)}`))
  })
}

const placesOf = (env: Record<string, string | undefined>): Places => ({
  apiUrl: env.PUBLIC_API_URL,
  demoRpcUrl: env.PUBLIC_DEMO_RPC_URL,
  rpcUrls: env.PUBLIC_RPC_URLS?.split(',').map((url) => url.trim()) ?? [],
  relays: env.PUBLIC_LOCAL_BEACON_URL ? [] : drandRelays,
  hasWalletConnect: Boolean(env.PUBLIC_REOWN_PROJECT_ID),
})
/** Faces of the first view; the one for Hangul is larger than the page, so only Korean pages have it. */
const faces = {
  en: /url\((\/_astro\/(?:besley|franklin|plex|korean-name)[^)]*\.woff2)\)/,
  ko: /url\((\/_astro\/(?:print-besley|franklin|plex|pretendard)[^)]*\.woff2)\)/,
}

/** Laid out once; by `font-display: block` show-when-unpacked.js knows the faces that are inside. @internal */
export function inlineStyles(html: string, read: (href: string) => Buffer): string {
  const wanted = html.includes('<html lang="ko"') ? faces.ko : faces.en
  const inlined = new Set<string>()
  const withFace = (rule: string) =>
    rule.replace(wanted, (_, href: string) => {
      inlined.add(href)
      return `url(data:font/woff2;base64,${read(href).toString('base64')})`
    })
  const withFaces = (css: string) =>
    css.replace(/@font-face\s*\{[^}]*\}/g, (rule) =>
      wanted.test(rule) ? withFace(rule).replace('font-display:swap', 'font-display:block') : rule,
    )
  const page = html.replace(/<link rel="stylesheet" href="(\/[^"]+)"\s*\/?>/g, (_, href: string) => {
    const text = read(href).toString().trim()
    if (/<\/style/i.test(text)) throw new Error(`${href} cannot be written into a page.`)
    return `<style>${withFaces(text)}</style>`
  })
  return page.replace(/<link rel="preload" href="([^"]+)" as="font"[^>]*>/g, (link, href: string) =>
    inlined.has(href) ? '' : link,
  )
}

const entry = /<script type="module" src="(\/_astro\/[^"]+)"/g
const entryElement = /<script type="module" src="(\/_astro\/[^"]+)"[^>]*><\/script>/g
const imported = /(?:from|import)\s*"\.\/([^"]+\.js)"/g

type Read = (href: string) => Uint8Array

const importsOf = (href: string, read: Read): string[] =>
  [...Buffer.from(read(href)).toString().matchAll(imported)].map(([, name]) => `/_astro/${name}`)

/** `html` with a preload for each import of its scripts, so that a browser requests all of them at once. @internal */
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

/** `html` whose scripts are asked for after its first paint; their hashes are in the import map. @internal */
export const withLaterScripts = (html: string, read: Read): string =>
  html.replace(entryElement, (_, href: string) => {
    const addresses = JSON.stringify([...importsOf(href, read), href])
    return `<script>${starter.trim().replace('ADDRESSES', () => addresses)}</script>`
  })
