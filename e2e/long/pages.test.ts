import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { dateIn, openAdminStory } from '../lab/admin-story.ts'
import { builtPages } from '../lab/built-pages.ts'
import { soon } from '../lab/story.ts'

const { story, selling, endSale, get, patch } = openAdminStory()
const source = async (path: string): Promise<string> => (await fetch(story.stack.url + path)).text()

test('the command writes a folder for a CDN that is pushed, and leaves it as it was while nobody answers', async () => {
  const place = mkdtempSync(join(tmpdir(), 'blockdraw-cdn-'))
  onTestFinished(() => rmSync(place, { recursive: true }))
  const out = join(place, 'out')
  const site = await builtPages({ demoWallet: false })
  const command = join(import.meta.dirname, '../../infra/cli/pages.ts')
  const write = async (api: string) => {
    const child = Bun.spawn([process.execPath, command, out, '--site', site, '--api', api], {
      env: { PATH: process.env.PATH },
      stderr: 'pipe',
    })
    return { stderr: await new Response(child.stderr).text(), exitCode: await child.exited }
  }
  const paths = ['/', '/ko/', '/e/1/', '/ko/e/1/', '/e/2/', '/ko/e/2/']
  await selling()
  await endSale()
  await soon(async () => (await get('/api/admin/raffle/config')).isOver).toBe(true)
  await patch({ drawDate: dateIn(3_600_000) })
  // A picture for shared links is printed after the page that names it was first asked for.
  for (const path of paths) await soon(() => source(path)).toMatch(/<meta property="og:image" content="[^"]/)
  for (let time = 0; time < 2; time++)
    expect(await write(story.stack.url)).toEqual({ stderr: '', exitCode: 0 })
  for (const path of paths)
    expect(readFileSync(join(out, path, 'index.html'), 'utf8')).toBe(await source(path))
  // Whatever the build had is there as it was.
  const sums = await Bun.$`sha256sum -c --quiet sha256sums.txt`.cwd(out).nothrow()
  expect([sums.exitCode, `${sums.stderr}`]).toEqual([0, ''])
  expect(await write('http://127.0.0.1:1')).toEqual({
    ...{ stderr: expect.stringContaining('Nothing was written'), exitCode: 1 },
  })
  expect(readdirSync(place)).toEqual(['out'])
})
