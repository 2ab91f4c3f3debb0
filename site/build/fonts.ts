import { createHash } from 'node:crypto'
import { existsSync, mkdirSync, readdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { basename, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { AstroIntegration } from 'astro'
import subsetFont from 'subset-font'
import { firstEventContent } from '../../core/content/first-event.ts'
import still from '../src/messages/en/still.json'

/** `wght`: the weights that stay in a variable face; `truetype` for programs that read no compressed faces. */
type Cut = { name: string; file: string; wght?: number | { min: number; max: number }; format?: 'truetype' }
/** A preload finds it as `~fonts/NAME.woff2`, styles all of them in `~fonts/faces.css`. */
type Face = Cut & {
  family: string
  weight: string
  range?: string
  letters: keyof Letters | { only: string }
}

const besley = '@fontsource-variable/besley/files/besley-latin-wght-normal.woff2'
const franklin = '@fontsource-variable/libre-franklin/files/libre-franklin-latin-wght-normal.woff2'
const plex = (weight: number) => `@fontsource/ibm-plex-mono/files/ibm-plex-mono-latin-${weight}-normal.woff2`
const pretendard = 'pretendard/dist/web/variable/woff2/PretendardVariable.woff2'
const named = still.header.otherLanguage + still.header.offer
const bold = { weight: '600 700', wght: 600 }
const all = { weight: '400 700', wght: { min: 400, max: 700 } }
const range = 'U+1100-11FF, U+3130-318F, U+A960-A97F, U+AC00-D7FF'
const print = { only: 'Blockdraw 0123456789$€₩,.' }

/**
 * The faces of the public page; the administrator's pages add Pretendard whole, in pieces. Of Korean: our own letters, those
 * that an operator's own words need, and for systems without a Korean face the name of the other language. Print stays
 * print on pages in Korean: our name and the money on the ticket.
 */
const faces: readonly Face[] = [
  { name: 'besley', family: 'Besley Variable', file: besley, letters: 'latin', ...bold },
  { name: 'franklin', family: 'Libre Franklin Variable', file: franklin, letters: 'latin', ...all },
  { name: 'plex-500', family: 'IBM Plex Mono', file: plex(500), letters: 'latin', weight: '500' },
  { name: 'plex-600', family: 'IBM Plex Mono', file: plex(600), letters: 'latin', weight: '600' },
  { name: 'pretendard', family: 'Pretendard Cut', file: pretendard, letters: 'korean', range, ...all },
  { name: 'hangul-rest', family: 'Pretendard Rest', file: pretendard, letters: 'rest', range, ...all },
  { name: 'print-besley', family: 'Besley Print', file: besley, letters: print, ...bold },
  {
    ...{ name: 'korean-name', family: 'Korean Name', file: pretendard, letters: { only: named } },
    ...{ weight: '500', wght: 500 },
  },
]

const dir = fileURLToPath(new URL('../.astro/fonts/', import.meta.url))

/** All that Latin faces have, for titles that are written when the site is long built. */
const latin = Array.from({ length: 0x250 }, (_, code) => String.fromCharCode(code)).join('')
const signs = `${latin}–—‘’“”…€₩`

/** Files of the faces that pictures for shared links are printed with; all of Hangul, as its texts are not known here. */
export async function pictureFonts(): Promise<string[]> {
  const cuts = [
    cut({ name: 'share-besley', file: besley, wght: 600, format: 'truetype' }, `${signs}₮`),
    cut({ name: 'share-plex', file: plex(500), format: 'truetype' }, signs),
  ]
  const whole = createRequire(import.meta.url).resolve('pretendard/dist/public/static/Pretendard-Bold.otf')
  return [...(await Promise.all(cuts)), whole]
}

const keepFeatures = ['kern', 'liga', 'calt', 'ccmp', 'locl', 'mark', 'tnum', 'lnum']

/** Cuts the typefaces to letters: 53 KB for those of our own Korean texts; 248 for other ones, which a page fetches
 * when an operator's words need them. */
export const fonts = (): AstroIntegration => ({
  name: 'blockdraw:fonts',
  hooks: {
    'astro:config:setup': async ({ config, updateConfig }) => {
      const letters = lettersIn(fileURLToPath(config.srcDir), JSON.stringify(firstEventContent))
      const lettersOf = ({ letters: wanted }: Face) =>
        typeof wanted === 'string' ? letters[wanted] : wanted.only
      const made = await Promise.all(
        faces.map(async (face) => ({ ...face, path: await cut(face, lettersOf(face)) })),
      )
      const rules = made.map(ruleOf).join('\n')
      const alias = [
        { find: '~fonts/faces.css', replacement: await kept('faces', rules, 'css', () => rules) },
        ...made.map(({ name, path }) => ({ find: new RegExp(`^~fonts/${name}\\.woff2`), replacement: path })),
      ]
      updateConfig({ vite: { resolve: { alias } } })
    },
  },
})

const ruleOf = ({ family, weight, range, path }: Face & { path: string }): string =>
  `@font-face{font-family:"${family}";font-weight:${weight};font-display:swap;src:url("./${basename(path)}") format("woff2");${range ? `unicode-range:${range}` : ''}}`

async function cut({ name, file, wght, format }: Cut, letters: string): Promise<string> {
  const whole = readFileSync(createRequire(import.meta.url).resolve(file))
  const options = {
    targetFormat: format ?? 'woff2',
    noHinting: true,
    keepFeatures,
    ...(wght !== undefined && { variationAxes: { wght } }),
  } as const
  const inputs = createHash('sha256').update(whole).update(letters).update(JSON.stringify(options))
  return kept(name, inputs.digest('hex'), format ? 'ttf' : 'woff2', () => subsetFont(whole, letters, options))
}

/** The path of what is made of these inputs; its name holds their hash, so it is made once. */
async function kept(name: string, inputs: string, ending: string, make: () => Promise<Buffer> | string) {
  const hash = createHash('sha256').update(inputs).digest('hex').slice(0, 12)
  const path = join(dir, `${name}-${hash}.${ending}`)
  if (existsSync(path)) return path
  mkdirSync(dir, { recursive: true })
  const half = `${path}.${process.pid}`
  writeFileSync(half, await make())
  renameSync(half, path)
  return path
}

/** `latin` and `korean` are in our texts, `rest` are the other common ones of Korean. */
type Letters = { latin: string; korean: string; rest: string }

const sources = /\.(ts|tsx|astro)$|messages\/ko\/\w+\.json$|still\.json$/
const ascii = String.fromCharCode(...Array.from({ length: 95 }, (_, index) => 32 + index))
const isKorean = (letter: string) => /\p{Script=Hangul}/u.test(letter)

/** The letters in the sources below `dir` and in `more`, sorted, and all of ASCII, which data may contain. @internal */
export function lettersIn(dir: string, more = ''): Letters {
  const all = new Set(ascii + more)
  for (const name of readdirSync(dir, { recursive: true, encoding: 'utf8' }))
    if (sources.test(name) && !/\.test\.|(^|\/)admin\//.test(name))
      for (const letter of readFileSync(join(dir, name), 'utf8')) all.add(letter)
  const sorted = [...all].filter((letter) => letter >= ' ').sort()
  return {
    latin: sorted.filter((letter) => !isKorean(letter)).join(''),
    korean: sorted.filter(isKorean).join(''),
    rest: commonHangul()
      .filter((letter) => !all.has(letter))
      .join(''),
  }
}

/** The 2,350 of KS X 1001: rows B0 to C8, columns A1 to FE of EUC-KR. */
function commonHangul(): string[] {
  const columns = Array.from({ length: 0x5e }, (_, column) => 0xa1 + column)
  const bytes = Array.from({ length: 0x19 }, (_, row) => columns.flatMap((column) => [0xb0 + row, column]))
  return [...new TextDecoder('euc-kr').decode(new Uint8Array(bytes.flat()))]
}
