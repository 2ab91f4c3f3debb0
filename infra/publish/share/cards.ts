import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { extname, join } from 'node:path'
import { Worker } from 'node:worker_threads'
import type { EventPage, Picture } from '../../../core/content/event-content.ts'
import { cardSvg } from '../../../site/src/event/share/card-svg.ts'
import type { Lang } from '../../../site/src/texts/index.ts'
import { sha256 } from '../write.ts'

type Options = {
  dir: string
  /** A publication whose pictures need not be printed again. */
  former?: string | undefined
  log: (line: string) => void
}
/** Where a picture of an event is published, and what is in it. */
type Shown = {
  path: (picture: Picture) => string | undefined
  bytes: (picture: Picture) => Uint8Array
}
type Answer = { name: string; png?: Uint8Array; trouble?: string }

/**
 * Pictures for shared links, one for each event, language and state. They are printed in a thread, so nothing else waits; the
 * name holds a hash of what is on it, so nobody is shown an old one.
 */
export class ShareCards {
  readonly #options: Options
  #thread: Worker | undefined
  #names = new Map<string, string>()
  readonly #printed = new Map<string, Uint8Array>()
  readonly #printing = new Map<string, PromiseWithResolvers<void>>()

  constructor(options: Options) {
    this.#options = options
  }

  /** False while some are still being printed after `waitMs`. */
  async print(events: readonly EventPage[], pictures: Shown, waitMs: number): Promise<boolean> {
    this.#names = new Map()
    for (const page of events)
      for (const language of ['en', 'ko'] as const) {
        const name = `share/${sha256(cardSvg(page, language, pictures.path)).slice(0, 20)}.png`
        this.#names.set(key(page, language), name)
        const old = this.#options.former && join(this.#options.former, name)
        if (old && !this.#printed.has(name) && existsSync(old)) this.#printed.set(name, readFileSync(old))
        if (!this.#printed.has(name) && !this.#printing.has(name))
          this.#begin(name, cardSvg(page, language, await this.#asData(page, pictures)))
      }
    const wanted = new Set(this.#names.values())
    for (const name of this.#printed.keys()) if (!wanted.has(name)) this.#printed.delete(name)
    const open = [...this.#printing.values()].map(({ promise }) => promise)
    if (open.length > 0) {
      const late = Promise.withResolvers<void>()
      const timer = setTimeout(late.resolve, waitMs)
      await Promise.race([Promise.all(open), late.promise])
      clearTimeout(timer)
    }
    return this.#printing.size === 0
  }

  path(page: EventPage, language: Lang): string {
    const name = this.#names.get(key(page, language))
    return name && this.#printed.has(name) ? `/${name}` : ''
  }

  files(): [name: string, png: Uint8Array][] {
    return [...this.#printed]
  }

  stop(): void {
    void this.#thread?.terminate()
    this.#thread = undefined
  }

  /** The printer opens no file. One picture is on a card: without it, if it cannot be read, our drawing is. */
  async #asData(page: EventPage, { path, bytes }: Shown): Promise<(picture: Picture) => string | undefined> {
    const shown = page.content?.prizes[0]?.pictures[0]
    if (!shown || !path(shown)) return () => undefined
    const data = await smallData(bytes(shown)).catch((error) => {
      this.#options.log(`The picture ${shown.key} is not on the one for shared links: ${error}`)
      return undefined
    })
    return (picture) => (picture === shown ? data : undefined)
  }

  #begin(name: string, svg: string): void {
    this.#printing.set(name, Promise.withResolvers<void>())
    this.#thread ??= this.#start()
    this.#thread.postMessage({ name, svg })
  }

  #start(): Worker {
    const thread = new Worker(join(import.meta.dirname, `share-thread${extname(import.meta.filename)}`))
    const place = join(this.#options.dir, '_publish')
    const fonts = readdirSync(place)
      .filter((file) => /\.(ttf|otf)$/.test(file))
      .map((file) => readFileSync(join(place, file)))
    thread.postMessage({ fonts })
    thread.on('message', (data: Answer) => {
      if (data.png) this.#printed.set(data.name, data.png)
      else this.#options.log(`A picture for shared links could not be printed: ${data.trouble}`)
      this.#printing.get(data.name)?.resolve()
      this.#printing.delete(data.name)
      // Its memory is given back once there is nothing to print.
      if (this.#printing.size === 0) this.stop()
    })
    thread.on('error', (error) => {
      this.#options.log(`No pictures for shared links: ${error}`)
      for (const { resolve } of this.#printing.values()) resolve()
      this.#printing.clear()
      this.stop()
    })
    thread.unref()
    return thread
  }
}

/** Twice the size at which it is printed: the printer would take 400 MB for the 40 megapixels that an upload may have. */
const smallData = async (bytes: Uint8Array): Promise<string> =>
  `data:image/png;base64,${Buffer.from(
    await new Bun.Image(bytes).resize(592, 444, { fit: 'inside', withoutEnlargement: true }).png().bytes(),
  ).toString('base64')}`

const key = ({ eventNumber }: EventPage, language: Lang): string => `${eventNumber} ${language}`
