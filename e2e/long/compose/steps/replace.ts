import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { visitWhile } from '../crowd.ts'
import { run, untilUp } from '../engine.ts'
import { expect, type Stack } from '../stack.ts'

/** Every api stops and starts once while visitors come; none of them is refused. */
export async function replacesApis(stack: Stack): Promise<string> {
  await stack.trust(true)
  const { tally } = await visitWhile(stack.siteUrl, stack.bought, async () => {
    for (const id of await stack.behindCdn.containers('api')) await stack.behindCdn.restart(id)
  })
  const { posts, failedPosts, repeatedPosts, gets, failedGets, slowestMs } = tally
  expect(repeatedPosts === 0, `${repeatedPosts} POSTs had to be made again`)
  expect(failedPosts.length === 0, `POSTs failed: ${[...new Set(failedPosts)]}`)
  expect(failedGets.length === 0, `GETs failed: ${[...new Set(failedGets)]}`)
  return `api restarted one by one: ${posts} POSTs and ${gets} GETs, none failed, slowest ${Math.round(slowestMs)} ms`
}

/** A new web server takes the place of the old one without a cut stream; the door itself cuts its own. */
export async function replacesPages(stack: Stack): Promise<string> {
  const { behindCdn, siteUrl, dir } = stack
  await stack.trust(true)
  const page = async (path = '/privacy/') => (await fetch(siteUrl + path)).text()
  const asset = /\/_astro\/[^"']+\.js/.exec(await page('/'))?.[0] ?? ''
  const streams = await openStreams(siteUrl, 10)

  const next = join(dir, 'next-pages')
  mkdirSync(next)
  writeFileSync(join(next, 'Dockerfile'), nextPages)
  await run(dir, ['docker', 'build', '-q', '-t', 'blockdraw-web:check', next])
  const replacing = stack.with({ WEB_IMAGE: 'blockdraw-web:check' })
  const old = await behindCdn.containers('web')
  const put = await visitWhile(siteUrl, stack.bought, async () => {
    const up = ['up', '-d', '--no-build', '--no-deps', '--no-recreate', '--scale', 'web=2', 'web']
    await replacing.compose(...up)
    await replacing.healthy('web')
    await Bun.sleep(5_000) // the door asks for the names of all once a second
    for (const id of old) await run(dir, ['docker', 'stop', id])
  })
  await untilUp(async () => (await page()).includes('<!-- next -->'), 'the new pages')
  expect((await fetch(siteUrl + asset)).ok, `an open page cannot load ${asset} any more`)
  expect((await fetch(`${siteUrl}/_astro/`)).status === 404, 'a directory is listed')
  const failed = [...put.tally.failedPosts, ...put.tally.failedGets]
  expect(failed.length === 0, `failed while pages were replaced: ${[...new Set(failed)]}`)
  expect(put.tally.repeatedPosts === 0, `${put.tally.repeatedPosts} POSTs had to be made again`)
  expect(streams.cut() === 0, `${streams.cut()} of 10 streams were cut by new pages`)

  const web = await visitWhile(siteUrl, stack.bought, () =>
    behindCdn.compose('up', '-d', '--no-build', '--no-deps', '--force-recreate', 'door'),
  )
  await stack.ready()
  const refused = [...web.tally.failedPosts, ...web.tally.failedGets]
  const wrong = refused.filter((answer) => /^\d{3} /.test(answer))
  expect(wrong.length === 0, `wrong answers: ${[...new Set(wrong)]}`)
  await streams.close()
  return `pages replaced: ${put.tally.gets} GETs and ${put.tally.posts} POSTs, none failed, no stream of 10 cut; the door itself replaced: its ${streams.cut()} streams ended, ${refused.length} visits of ${web.tally.gets + web.tally.posts} found nobody`
}

const nextPages = `FROM blockdraw-web:local
USER 0:0
RUN echo '<!-- next -->' >> /site/privacy/index.html && rm -f /site/privacy/index.html.br /site/privacy/index.html.gz \\
 && rm -rf /site/_astro/*.js
USER 1000:1000
`

async function openStreams(siteUrl: string, count: number) {
  const leave = new AbortController()
  let [ended, isOver] = [0, false]
  const readers = await Promise.all(
    Array.from({ length: count }, async (_, client) => {
      const headers = { 'x-forwarded-for': `203.0.113.${client}` }
      const response = await fetch(`${siteUrl}/api/live`, { headers, signal: leave.signal })
      return (response.body as ReadableStream<Uint8Array>).getReader()
    }),
  )
  const read = async (reader: ReadableStreamDefaultReader<Uint8Array>) => {
    try {
      while (!(await reader.read()).done);
    } catch {
      // A reset is an end, too.
    }
    if (!isOver) ended++
  }
  const all = Promise.all(readers.map(read))
  return {
    cut: () => ended,
    close: async () => {
      isOver = true
      leave.abort()
      await all
    },
  }
}
