import { cpSync, existsSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join, resolve } from 'node:path'
import { parseArgs } from 'node:util'
import { compressFiles } from '../../site/build/compress.ts'
import { command } from '../local/progress.ts'

/** `bun run pages OUT [--site DIR] [--api URL]`: writes the site for a static host that is pushed to, the
 * pages of events as a running API fills them. OUT stays as it was if one of them cannot be had. */
const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { site: { type: 'string', default: 'site/dist' }, api: { type: 'string' } },
})
const [out] = positionals
const api = (values.api ?? process.env.PUBLIC_API_URL ?? process.env.PUBLIC_SITE_URL)?.replace(/\/$/, '')
if (!out || positionals.length > 1 || !api) {
  console.error(
    `${command('pages')} OUT [--site DIR] [--api URL]; without --api, PUBLIC_API_URL or PUBLIC_SITE_URL is asked.`,
  )
  process.exit(2)
}
const [target, site] = [resolve(out), resolve(values.site)]
const half = `${target}.new`
try {
  const pages = await filledPages(api)
  rmSync(half, { recursive: true, force: true })
  cpSync(site, half, { recursive: true, filter: (path) => path !== join(site, '_event') })
  for (const [name, text] of pages) {
    mkdirSync(dirname(join(half, name)), { recursive: true })
    writeFileSync(join(half, name), text)
  }
  const sums = readFileSync(join(half, 'sha256sums.txt'), 'utf8').split('\n')
  const asBuilt = sums.filter((line) => !pages.has(line.slice(66)) && !line.slice(66).startsWith('_event/'))
  writeFileSync(join(half, 'sha256sums.txt'), asBuilt.join('\n'))
  await compressFiles(half, [...pages.keys(), 'sha256sums.txt'])
  if (existsSync(target)) renameSync(target, `${target}.old`)
  renameSync(half, target)
  console.log(`${target}: ${pages.size} pages from ${api}, all else as it was built.`)
} catch (error) {
  console.error(`Nothing was written, ${target} is as it was: ${error}`)
  process.exitCode = 1
} finally {
  for (const ending of ['new', 'old']) rmSync(`${target}.${ending}`, { recursive: true, force: true })
}

async function filledPages(api: string): Promise<Map<string, string>> {
  const get = (path: string) => fetch(api + path, { signal: AbortSignal.timeout(30_000) })
  const { eventNumber: newest } = (await (await get('/api/raffle/config')).json()) as { eventNumber: number }
  const paths = ['', 'terms/', 'privacy/', ...Array.from({ length: newest }, (_, index) => `e/${index + 1}/`)]
  const pages = new Map<string, string>()
  for (const name of [...paths.flatMap((path) => [path, `ko/${path}`]), 'sitemap.xml']) {
    const answer = await get(`/${name}`)
    if (answer.status === 404 && name === 'sitemap.xml') continue
    // A page that the API could not fill is marked to be asked for again.
    if (!answer.headers.get('cache-control')?.includes('s-maxage'))
      throw new Error(`GET /${name}: ${answer.status}`)
    pages.set(name.endsWith('.xml') ? name : `${name}index.html`, await answer.text())
  }
  return pages
}
