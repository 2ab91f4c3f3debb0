import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { commandsOf, openCheckout } from '../checkout.ts'
import { buy, visitWhile } from '../crowd.ts'
import { run, untilUp } from '../engine.ts'
import { expect, root, type Stack, say } from '../stack.ts'

/** Every api stops and starts once while visitors come; none of them is refused. */
export async function replacesApis(stack: Stack): Promise<string> {
  await stack.trust(true)
  const told = await visitWhile(stack, async () => {
    for (const id of await stack.behindCdn.containers('api')) await stack.behindCdn.restart(id)
  })
  return `api restarted one by one: ${told}`
}

/** A new web server takes the place of the old one without a cut stream; the door itself cuts its own. */
export async function replacesPages(stack: Stack): Promise<string> {
  const { behindCdn, siteUrl, dir } = stack
  await stack.trust(true)
  const page = async (path: string) => (await fetch(siteUrl + path)).text()
  const asset = /\/_astro\/[^"']+\.js/.exec(await page('/'))?.[0] ?? ''
  const streams = await openStreams(siteUrl, 10)

  const next = join(dir, 'next-pages')
  mkdirSync(next)
  writeFileSync(join(next, 'Dockerfile'), nextPages)
  await run(dir, ['docker', 'build', '-q', '-t', 'blockdraw-web:check', next])
  const replacing = stack.with({ WEB_IMAGE: 'blockdraw-web:check' })
  const old = await behindCdn.containers('web')
  const put = await visitWhile(stack, async () => {
    const up = ['up', '-d', '--no-build', '--no-deps', '--no-recreate', '--scale', 'web=2', 'web']
    await replacing.compose(...up)
    await replacing.healthy('web')
    await Bun.sleep(5_000) // the door asks for the names of all once a second
    for (const id of old) await run(dir, ['docker', 'stop', id])
  })
  await untilUp(async () => (await page('/favicon.svg')).includes('<!-- next -->'), 'the new pages')
  expect((await fetch(siteUrl + asset)).ok, `an open page cannot load ${asset} any more`)
  expect((await fetch(`${siteUrl}/_astro/`)).status === 404, 'a directory is listed')
  expect(streams.cut() === 0, `${streams.cut()} of 10 streams were cut by new pages`)

  const door = await visitWhile(
    stack,
    () => behindCdn.compose('up', '-d', '--no-build', '--no-deps', '--force-recreate', 'door'),
    true,
  )
  await stack.ready()
  await streams.close()
  return `pages replaced: ${put}, no stream of 10 cut; the door itself replaced: ${door}, its ${streams.cut()} streams ended`
}

const nextPages = `FROM blockdraw-web:local
USER 0:0
RUN echo '<!-- next -->' >> /site/favicon.svg && rm -f /site/favicon.svg.br /site/favicon.svg.gz \\
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

/** The older release sells; then the runbook's commands put this one in its place while visitors come. */
export async function upgrades(stack: Stack): Promise<string> {
  const { type, newer } = await openCheckout(stack)
  await type('git checkout -q v0.2.0 && bash infra/docker/release.sh build')
  await type(`git checkout -q v0.1.0 && bash ${join(root, 'infra/docker/release.sh')}`)
  await type('docker compose up -d --no-build --scale api=2 --scale worker=1')
  await stack.ready()
  stack.bought.push((await buy(stack.place, 9, 30)).hash)
  say('another release sells')
  return `upgraded to ${newer.slice(0, 7)}: ${await replaced(stack, 'To a newer release:')}`
}

/** Back to the older release and forth again: it sells on what the newer one has written. */
export async function rollsBack(stack: Stack): Promise<string> {
  const back = await replaced(stack, 'Back to the one before:')
  return `rolled back: ${back}; and forth again: ${await replaced(stack, 'To a newer release:')}`
}

/** Types the commands under load: whoever finds somebody is answered rightly, and a page that is open loads its files. */
async function replaced(stack: Stack, sentence: string): Promise<string> {
  const { type } = await openCheckout(stack)
  const [sold, files] = [await stack.psql('blockdraw', soldSoFar), await filesOf(stack)]
  const typed = async () => {
    for (const command of commandsOf('upgrade', sentence)) await type(command)
  }
  const told = await visitWhile(stack, typed, true)
  await stack.ready()
  expect((await stack.psql('blockdraw', soldSoFar)) === sold, 'the payments are others than before')
  const now = await filesOf(stack)
  expect(
    files.some((file) => !now.includes(file)),
    'the page is that of the release before',
  )
  for (const file of files)
    expect((await fetch(stack.siteUrl + file)).ok, `an open page cannot load ${file} any more`)
  const isBefore = (await stack.plain.compose('logs', '--tail=500', 'api')).includes('the release before')
  expect(isBefore === sentence.startsWith('Back'), 'the api is that of the release before')
  stack.bought.push((await buy(stack.place, 9, 3)).hash)
  return told
}

const soldSoFar = `select count(*) || md5(string_agg(concat(transaction_hash, ticket_number), ' ' order by id)) from payments`

const filesOf = async ({ siteUrl }: Stack): Promise<string[]> =>
  (await (await fetch(siteUrl)).text()).match(/\/_astro\/[\w.-]+\.(?:js|css)/g) ?? []
