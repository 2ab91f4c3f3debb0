import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Source } from './read.ts'
import { type Content, sha256 } from './write.ts'

/** Names of the pictures in a page, for itself and for shared links. */
const pictured = /\/((?:pictures|share)\/[0-9a-f]+\.(?:png|jpg))/g

/**
 * Pages that the `former` publication has of events of which nothing is known now, with their pictures. Throws where the running
 * event is one of them and was never published: home pages would tell of another one's prize.
 */
export function keptFiles(
  former: string | undefined,
  { current, missing }: Pick<Source, 'current' | 'missing'>,
): [name: string, content: Content][] {
  const names = missing.flatMap((number) => both(`e/${number}/index.html`))
  if (missing.includes(current)) names.push(...both('index.html'))
  const files = new Map<string, Content>()
  for (const name of names) {
    const page = former && read(former, name)
    if (!page) {
      if (name === 'index.html') throw new Error(`event ${current} runs, and could never be read`)
      continue
    }
    files.set(name, asFile(former, name, page))
    for (const [, picture = ''] of page.toString().matchAll(pictured)) {
      const bytes = read(former, picture)
      if (bytes) files.set(picture, asFile(former, picture, bytes))
    }
  }
  return [...files]
}

const both = (name: string): string[] => [name, `ko/${name}`]

function read(former: string, name: string): Buffer | undefined {
  const file = join(former, name)
  return existsSync(file) ? readFileSync(file) : undefined
}

const asFile = (former: string, name: string, bytes: Buffer): Content => ({
  from: join(former, name),
  sha256: sha256(bytes),
})
