import {
  existsSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  renameSync,
  rmSync,
  symlinkSync,
} from 'node:fs'
import { join } from 'node:path'
import type { Level } from '../../site/build/compress.ts'
import { type Files, isWhole, sha256, sumsOf, writeSite } from './write.ts'

/** Beside the publications: what they share, each under its hash. */
export const keptPictures = 'pictures'

type Options = {
  site: string
  files: Files
  /** What the web server reads: `current`, and `before` with the parts that open pages of the last build still load. */
  out: string
  level?: Level
  /** How long others are kept, which requests may still be answered from. */
  keptMs?: number
}

/** `fresh` are the files that no publication before had compressed. */
export type Release = { name: string; fresh: string[] }

/**
 * Lays a publication beside those that are served and makes it the current one in one step. Twice is harmless. Kept are
 * this one, the one it follows, the last one of the build before, and what is younger than a minute.
 * Undefined if it was served already.
 */
export async function release({
  site,
  files,
  out,
  level,
  keptMs = 60_000,
}: Options): Promise<Release | undefined> {
  mkdirSync(out, { recursive: true })
  const build = sha256(readFileSync(join(site, 'sha256sums.txt'))).slice(0, 16)
  const name = `${build}-${sha256(sumsOf({ site, files })).slice(0, 16)}`
  const current = served(out, 'current')
  if (current === name) return undefined
  sweep(out, [current, served(out, 'before')], keptMs)
  const former = current === undefined ? undefined : join(out, current)
  const place = join(out, name)
  // Back to the release before: its pages are there already.
  let fresh: string[] = []
  if (!existsSync(place) || !isWhole(place)) {
    rmSync(place, { recursive: true, force: true })
    fresh = await writeSite(place, { site, files, former, ...(level && { level }) })
  }
  // Publications of one build have the same parts: `before` stays the last one of another build.
  const isNewBuild = !current?.startsWith(`${build}-`)
  const before = isNewBuild ? (current ?? name) : (served(out, 'before') ?? name)
  point(out, 'before', before)
  point(out, 'current', name)
  sweep(out, [name, current, before], keptMs)
  return { name, fresh }
}

/** What one of the two names stands for; undefined where that is not there, or not whole. */
export function served(out: string, link: 'current' | 'before'): string | undefined {
  try {
    const name = readlinkSync(join(out, link))
    return existsSync(join(out, name, 'sha256sums.txt')) ? name : undefined
  } catch {
    return undefined
  }
}

/** At a start: what a machine that lost its power has left half written is published anew. */
export function forgetBroken(out: string): void {
  const current = served(out, 'current')
  if (current !== undefined && !isWhole(join(out, current))) rmSync(join(out, 'current'))
}

function point(out: string, link: string, name: string): void {
  const next = join(out, `${link}.new`)
  rmSync(next, { force: true })
  symlinkSync(name, next)
  renameSync(next, join(out, link))
}

function sweep(out: string, kept: readonly (string | undefined)[], keptMs: number): void {
  for (const name of readdirSync(out)) {
    if (['current', 'before', keptPictures].includes(name) || kept.includes(name)) continue
    const isYoung = Date.now() - lstatSync(join(out, name)).mtimeMs < keptMs
    if (!isYoung || name.endsWith('.half')) rmSync(join(out, name), { recursive: true, force: true })
  }
}
