import type { EventPage } from '../../core/content/event-content.ts'
import type { Lang } from '../../site/src/texts/index.ts'
import { keptFiles } from './kept-files.ts'
import { pagesOf, type Site } from './pages.ts'
import { Pictures } from './pictures.ts'
import { type Source, SourceReader } from './read.ts'
import { ShareCards } from './share/cards.ts'
import type { Content, Files } from './write.ts'

export type PublisherOptions = Site & {
  /** Where the API is reached from here. */
  apiUrl: string
  /** What is served, for pictures that are in it already. */
  former?: string | undefined
  /** Where fetched pictures are kept. */
  pictureDir: string
  /** False prints no pictures for shared links: two of them take a processor for 2 s. */
  shareCards?: boolean
  log?: (line: string) => void
}

/** Makes the files of a publication from the built site and the answers of the public API; holds no login of any kind. */
export class Publisher {
  readonly #options: PublisherOptions
  readonly #reader: SourceReader
  readonly #pictures: Pictures
  readonly #cards: ShareCards

  constructor(options: PublisherOptions) {
    const { apiUrl, dir, former, pictureDir, log = () => {} } = options
    this.#options = options
    this.#reader = new SourceReader(apiUrl, log)
    this.#pictures = new Pictures({ dir: pictureDir, image: (key) => this.#reader.image(key), log })
    this.#cards = new ShareCards({ dir, former, log })
  }

  /**
   * All files that the API's present answers make. Pictures for shared links that are not printed within `waitMs` are left
   * out; `isComplete` is false then, and the next call has them, as it is where an event could not be read: its pages stay.
   */
  async files({ all = false, waitMs = 10_000 } = {}): Promise<{ files: Files; isComplete: boolean }> {
    const source = await this.#reader.read({ all })
    const contents = source.events.map(({ content }) => content)
    await this.#pictures.fetch(contents)
    const { shareCards = true } = this.#options
    const isPrinted = !shareCards || (await this.#cards.print(source.events, this.#pictures, waitMs))
    const pages = this.#pages(source)
    const kept = keptFiles(this.#options.former, source)
    return {
      files: new Map<string, Content>([
        ...kept,
        ...this.#pictures.files(contents),
        ...this.#cards.files(),
        ...pages,
      ]),
      isComplete: isPrinted && source.unread.length === 0,
    }
  }

  stop(): void {
    this.#cards.stop()
  }

  #pages(source: Source) {
    return pagesOf(source, {
      ...this.#options,
      picturePath: this.#pictures.path,
      sharePath: (page: EventPage, language: Lang) => this.#cards.path(page, language),
    })
  }
}
