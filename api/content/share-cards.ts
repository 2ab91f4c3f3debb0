import { createHash } from 'node:crypto'
import { extname, join } from 'node:path'
import type { EventPage } from '../../core/content/event-content.ts'
import type { PublicBranding } from '../../core/house/branding.ts'
import { limit } from '../../core/server/concurrency.ts'
import { cardSvg } from '../../site/src/event/share/card-svg.ts'
import type { Lang } from '../../site/src/texts/index.ts'
import type { Deps } from '../deps.ts'
import { uploadPath } from '../upload/schema.ts'
import { openStorage } from '../upload/storage.ts'

/** Stands beside this file, as source and in the bundle. */
const printer = join(import.meta.dirname, `card-printer${extname(import.meta.filename)}`)
/** The largest picture takes some seconds on a busy machine. */
const longestMs = 60_000
const againMs = 60_000

type Options = { storageUrl: string; fonts: string; log: Deps['log'] }

/** Pictures for shared links, stored under a hash of what is on them. A process of its own prints each once,
 * so that its memory is given back. */
export function shareCards({ storageUrl, fonts, log }: Options) {
  const storage = openStorage(storageUrl)
  const there = new Set<string>()
  const begun = new Set<string>()
  const inTurn = limit(1)

  async function print(key: string, page: EventPage, language: Lang, brand: PublicBranding): Promise<void> {
    const picture = page.content?.prizes[0]?.pictures[0]
    const stored = picture && (await storage.open(picture.key).catch(() => undefined))
    const image = stored && Buffer.from(await stored.arrayBuffer()).toString('base64')
    const child = Bun.spawn([process.execPath, printer, fonts], {
      // It gets no variable of our environment.
      env: { PATH: process.env.PATH, TMPDIR: process.env.TMPDIR },
      stdin: new Blob([JSON.stringify({ page, language, image, brand })]),
      stdout: 'pipe',
      stderr: 'pipe',
      timeout: longestMs,
    })
    const end = () => child.kill('SIGKILL')
    process.once('exit', end)
    void child.exited.then(() => process.off('exit', end))
    const [png, complaint] = await Promise.all([
      new Response(child.stdout).bytes(),
      new Response(child.stderr).text(),
    ])
    if ((await child.exited) !== 0) throw new Error(`the printer ended: ${complaint.slice(0, 500)}`)
    if (complaint) log.warn({ complaint: complaint.slice(0, 500) }, 'a shared picture lacks its photo')
    await storage.save(key, png, 'image/png').catch(async (error) => {
      // Another api was first.
      if (!(await storage.open(key))) throw error
    })
  }

  return {
    /** The path of the card of this page; empty until it is printed, which begins now. */
    async pathOf(page: EventPage, language: Lang, brand: PublicBranding): Promise<string> {
      const svg = cardSvg(page, language, ({ sha256 }) => sha256, brand)
      const key = `${createHash('sha256').update(svg).digest('hex').slice(0, 32)}.png`
      if (there.has(key) || (await storage.open(key).catch(() => undefined))) {
        there.add(key)
        return `${uploadPath}${key}`
      }
      if (begun.has(key)) return ''
      begun.add(key)
      void inTurn(() => print(key, page, language, brand)).catch((err) => {
        log.warn({ err, event: page.eventNumber }, 'no picture for shared links')
        setTimeout(() => begun.delete(key), againMs).unref()
      })
      return ''
    },
  }
}
