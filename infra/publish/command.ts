import { randomBytes } from 'node:crypto'
import { existsSync, rmSync } from 'node:fs'
import { resolve } from 'node:path'
import { parseArgs } from 'node:util'
import { withFileLock } from '../local/lock.ts'
import { Publisher } from './publisher.ts'
import { recover, swapIn } from './swap.ts'
import { writeSite } from './write.ts'

/**
 * `bun run publish OUT [--site DIR] [--api URL]`: writes the folder for a CDN that is pushed, once. OUT is the old folder or the
 * new one, never a part of both: it is a link to a folder beside it.
 */
const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { site: { type: 'string', default: 'site/dist' }, api: { type: 'string' } },
})
const [out] = positionals
const apiUrl = values.api ?? process.env.PUBLIC_API_URL ?? process.env.PUBLIC_SITE_URL
if (!out || positionals.length > 1 || !apiUrl) {
  console.error(
    'bun run publish OUT [--site DIR] [--api URL]; without --api, PUBLIC_API_URL or PUBLIC_SITE_URL is asked.',
  )
  process.exit(2)
}
const target = resolve(out)
const made = `${target}.${randomBytes(8).toString('hex')}`
// It begins by taking away what was left half done: of two at a time, as of a timer, that would be what the other one works on.
await withFileLock(
  `${target}.lock`,
  () => publish(apiUrl),
  () => console.error(`${target} is being published already: waiting for the end of that.`),
)

async function publish(apiUrl: string): Promise<void> {
  recover(target)
  const publisher = new Publisher({
    dir: resolve(values.site),
    apiUrl,
    siteUrl: process.env.PUBLIC_SITE_URL || undefined,
    apiBase: process.env.PUBLIC_API_URL?.replace(/\/$/, '') || undefined,
    former: existsSync(target) ? target : undefined,
    pictureDir: `${target}.pictures`,
    log: (line) => console.error(line),
  })
  try {
    const { files } = await publisher.files({ all: true, waitMs: 60_000 })
    await writeSite(made, { site: resolve(values.site), files })
    swapIn(made, target)
    console.log(`${target}: ${files.size} files made from ${apiUrl}, the others as they were built.`)
  } catch (error) {
    rmSync(made, { recursive: true, force: true })
    console.error(`Nothing was published, ${target} is as it was: ${error}`)
    process.exitCode = 1
  } finally {
    publisher.stop()
    rmSync(`${target}.pictures`, { recursive: true, force: true })
  }
}
