import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { initWasm, Resvg } from '@resvg/resvg-wasm'
// Where it lies: in node_modules, or beside the program in an image.
import library from '@resvg/resvg-wasm/index_bg.wasm' with { type: 'file' }
import type { EventPage, Picture } from '../../core/content/event-content.ts'
import type { PublicBranding } from '../../core/house/branding.ts'
import { cardSvg } from '../../site/src/event/share/card-svg.ts'
import type { Lang } from '../../site/src/texts/index.ts'

/** `card-printer FONTS`: the page on its input as a PNG on its output, in these fonts alone. A photo that
 * cannot be read gives way to our drawing. */
type Input = { page: EventPage; language: Lang; image?: string; brand: PublicBranding }
const { page, language, image, brand }: Input = await Bun.stdin.json()
const shown = page.content?.prizes[0]?.pictures[0]
const photo = image && (await small(image).catch((error) => void console.error(`${shown?.key}: ${error}`)))
// What reading it took, before the printer takes its own.
Bun.gc(true)

await initWasm(await Bun.file(new URL(library, import.meta.url)).arrayBuffer())
const [, , fonts = ''] = process.argv
const fontBuffers = readdirSync(fonts)
  .filter((file) => /\.(ttf|otf)$/.test(file))
  .map((file) => readFileSync(join(fonts, file)))
const hrefOf = ({ key }: Picture) => (key === shown?.key ? photo || undefined : undefined)
const svg = new Resvg(cardSvg(page, language, hrefOf, brand), {
  font: { fontBuffers, defaultFontFamily: 'Pretendard' },
})
await Bun.write(Bun.stdout, svg.render().asPng())

/** Twice the size at which it is printed: the printer would take 400 MB for the 40 megapixels that an upload may have. */
async function small(bytes: string): Promise<string> {
  const picture = new Bun.Image(Buffer.from(bytes, 'base64'))
  const png = await picture.resize(592, 444, { fit: 'inside', withoutEnlargement: true }).png().bytes()
  return `data:image/png;base64,${Buffer.from(png).toString('base64')}`
}
