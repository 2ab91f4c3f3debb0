import { createHash, randomBytes } from 'node:crypto'
import {
  copyFileSync,
  existsSync,
  linkSync,
  mkdirSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { dirname, join } from 'node:path'
import { compressFiles, type Level } from '../../site/build/compress.ts'

/** Files beside the built ones, by their path; `from` is one that lies on the disk already, with its SHA-256. */
export type Content = string | Uint8Array | { from: string; sha256: string }
export type Files = ReadonlyMap<string, Content>

type Options = {
  /** The built site. */
  site: string
  files: Files
  /** An earlier publication: what it has already is linked, not written again. */
  former?: string | undefined
  level?: Level
}

/** Never served: what pages are made of (site/build/finish.ts). */
const templates = '_publish/'
const sumsFile = 'sha256sums.txt'

/** What `publication` would hold, line by line as `sha256sum` writes it: equal lists are equal sites. */
export function sumsOf({ site, files }: Pick<Options, 'site' | 'files'>): string {
  const sums = readSums(site)
  for (const name of sums.keys()) if (name.startsWith(templates)) sums.delete(name)
  for (const [name, content] of files) sums.set(name, sumOf(content))
  return [...sums]
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([name, sum]) => `${sum}  ${name}\n`)
    .join('')
}

/**
 * Writes a whole site into `target`, which comes to be at its end, in one step: killed before, there is nothing. Throws
 * where the disk is full, and takes away what it had written. Returns the names of what was compressed anew.
 */
export async function writeSite(target: string, { site, files, former, level }: Options): Promise<string[]> {
  const half = `${target}.${randomBytes(4).toString('hex')}.half`
  try {
    mkdirSync(half, { recursive: true })
    const sums = sumsOf({ site, files })
    const known = former === undefined ? new Map<string, string>() : readSums(former)
    const fresh: string[] = []
    for (const [name, sum] of sumsIn(sums)) {
      const place = join(half, name)
      mkdirSync(dirname(place), { recursive: true })
      const content = files.get(name)
      if (content === undefined || known.get(name) === sum) {
        const from = known.get(name) === sum && former !== undefined ? former : site
        for (const ending of ['', '.br', '.gz']) take(join(from, name + ending), place + ending)
      } else if (typeof content === 'object' && 'from' in content) take(content.from, place)
      else {
        writeFileSync(place, content)
        fresh.push(name)
      }
    }
    // Made after the list: it is for hosts that read it, and is not served.
    take(join(site, '_headers'), join(half, '_headers'))
    writeFileSync(join(half, sumsFile), sums)
    await compressFiles(half, [...fresh, sumsFile], level)
    renameSync(half, target)
    return fresh
  } catch (error) {
    rmSync(half, { recursive: true, force: true })
    throw error
  }
}

/** False where a file is missing or is not what its list says, as after a machine that lost its power. */
export function isWhole(publication: string): boolean {
  const sums = readSums(publication)
  return (
    sums.size > 0 &&
    [...sums].every(([name, sum]) => {
      const file = join(publication, name)
      return existsSync(file) && sha256(readFileSync(file)) === sum
    })
  )
}

/** On one disk a second name for the same bytes, which nobody writes into; else a copy. */
function take(from: string, to: string): void {
  if (!existsSync(from)) return
  try {
    linkSync(from, to)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOSPC') throw error
    copyFileSync(from, to)
  }
}

function readSums(dir: string): Map<string, string> {
  const file = join(dir, sumsFile)
  return existsSync(file) ? sumsIn(readFileSync(file, 'utf8')) : new Map()
}

const sumsIn = (text: string): Map<string, string> =>
  new Map(
    text
      .split('\n')
      .filter(Boolean)
      .map((line) => [line.slice(66), line.slice(0, 64)]),
  )

const sumOf = (content: Content): string =>
  typeof content === 'object' && 'from' in content ? content.sha256 : sha256(content)

export const sha256 = (content: string | Uint8Array): string =>
  createHash('sha256').update(content).digest('hex')
