import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { EventContent, Picture } from '../../core/content/event-content.ts'
import { type Content, sha256 } from './write.ts'

type Options = {
  /** Where they lie, on the disk of the publications. */
  dir: string
  image: (key: string) => Promise<Uint8Array>
  log: (line: string) => void
}
type Contents = readonly (EventContent | null)[]

/** Pictures of events, fetched once and published under the hash that the content names: other bytes are not published. */
export class Pictures {
  readonly #options: Options
  #here = new Set<string>()

  constructor(options: Options) {
    this.#options = options
  }

  /** Fetches what is new; one that is missing or not what was promised is left out and asked for again the next time. */
  async fetch(contents: Contents): Promise<void> {
    const { dir, image, log } = this.#options
    mkdirSync(dir, { recursive: true })
    const wanted = new Map(picturesIn(contents).map((picture) => [nameOf(picture), picture]))
    const here = new Set<string>()
    for (const [name, { key }] of wanted) {
      const file = join(dir, name)
      try {
        const isKnown = this.#here.has(name) || (existsSync(file) && isPromised(readFileSync(file), name))
        const bytes = isKnown ? undefined : await image(key)
        if (bytes && !isPromised(bytes, name)) throw new Error('it is not the one that was promised')
        if (bytes) writeFileSync(file, bytes)
        here.add(name)
      } catch (error) {
        log(`The picture ${key} is left out: ${error}`)
      }
    }
    this.#here = here
    for (const name of readdirSync(dir)) if (!wanted.has(name)) rmSync(join(dir, name))
  }

  path = (picture: Picture): string | undefined =>
    this.#here.has(nameOf(picture)) ? `/pictures/${nameOf(picture)}` : undefined

  bytes = (picture: Picture): Uint8Array => readFileSync(join(this.#options.dir, nameOf(picture)))

  files(contents: Contents): [name: string, content: Content][] {
    return picturesIn(contents)
      .filter((picture) => this.path(picture))
      .map((picture) => [
        `pictures/${nameOf(picture)}`,
        { from: join(this.#options.dir, nameOf(picture)), sha256: hashOf(picture) },
      ])
  }
}

const picturesIn = (contents: Contents): Picture[] =>
  contents.flatMap((content) => content?.prizes.flatMap(({ pictures }) => [...pictures]) ?? [])

const isPromised = (bytes: Uint8Array, name: string): boolean => name.startsWith(sha256(bytes))
const hashOf = ({ sha256: hash }: Picture): string => hash.slice('0x'.length).toLowerCase()
const nameOf = (picture: Picture): string =>
  `${hashOf(picture)}.${picture.key.endsWith('.png') ? 'png' : 'jpg'}`
