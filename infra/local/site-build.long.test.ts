import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { copyCheckout } from '../../e2e/lab/start-trial.ts'
import { buildSite } from './site-build.ts'

const place = mkdtempSync(join(tmpdir(), 'blockdraw-build-'))
const root = copyCheckout(join(place, 'blockdraw'))
const dataDirs = ['first', 'second'].map((name) => join(place, name))

afterAll(() => rmSync(place, { recursive: true, force: true }))

const build = (dataDir: string, site: string) =>
  buildSite({ root, dataDir, publicEnv: { NODE_ENV: 'production', VITEST: '', PUBLIC_SITE_URL: site } })
/** Where shared links lead, as the first page names it. */
const addressIn = (dir: string): string | undefined =>
  /rel="canonical" href="([^"]+)"/.exec(readFileSync(join(dir, 'index.html'), 'utf8'))?.[1]

test('two starts in one checkout build at the same moment, each its own pages', async () => {
  const sites = ['https://one.example', 'https://two.example']
  const [first = '', second = ''] = await Promise.all(
    sites.map((site, index) => build(dataDirs[index] as string, site)),
  )
  expect([addressIn(first), addressIn(second)]).toEqual(['https://one.example/', 'https://two.example/'])
}, 300_000)

test('pages are built once for what goes into them, and nothing is left in the checkout', async () => {
  const [dataDir = ''] = dataDirs
  const again = await build(dataDir, 'https://one.example')
  expect(readdirSync(join(dataDir, 'builds'))).toEqual([again.split('/').at(-1)])
  expect(existsSync(join(root, 'site/dist'))).toBe(false)
})
