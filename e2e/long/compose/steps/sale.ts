import { networkInterfaces } from 'node:os'
import type { Hash } from 'viem'
import { buy, report, ticketsOf } from '../crowd.ts'
import { untilUp } from '../engine.ts'
import { expect, type Stack } from '../stack.ts'

/** What a visitor sees, a purchase and a stream through the web server, and whose address the api believes. */
export async function sells(stack: Stack): Promise<string> {
  await stack.trust(false)
  await expectHeaders(stack.siteUrl)
  const stream = holdStream(stack.siteUrl, 25)
  stream.catch(() => undefined) // awaited below
  const first = await buy(stack.place, 1, 99)
  expect(first.tickets === 33, `99 USDT made ${first.tickets} tickets`)
  stack.bought.push(first.hash)
  await report(stack.siteUrl, `0x${'ab'.repeat(32)}`, '6.6.6.6')
  expect(!(await claimAddress(stack, 'ab')).startsWith('6.6.6.6'), 'a forged X-Forwarded-For was believed')
  const events = await stream

  const isWorkbook = async () => {
    const list = await fetch(`${stack.siteUrl}/api/tickets/export/excel`)
    return list.ok && new TextDecoder().decode((await list.bytes()).slice(0, 2)) === 'PK'
  }
  await untilUp(isWorkbook, 'the ticket list is a workbook')
  return `bought through the web server, tickets ${first.seconds.toFixed(1)} s after the payment; a stream had ${events} events in 25 s, not cut`
}

async function expectHeaders(siteUrl: string): Promise<void> {
  const page = await fetch(siteUrl)
  const html = await page.text()
  expect(page.ok && html.includes('<html'), 'the page is not served')
  expect(page.headers.get('x-frame-options') === 'DENY', 'the page may be framed')
  expect(/^max-age=0\b/.test(page.headers.get('cache-control') ?? ''), 'a browser may keep the page')
  const asset = /\/_astro\/[^"']+\.(?:css|js)/.exec(html)?.[0]
  const cached = await fetch(siteUrl + asset)
  expect(cached.ok && /immutable/.test(cached.headers.get('cache-control') ?? ''), 'assets are not cached')
  const missing = await fetch(`${siteUrl}/nothing`)
  expect(missing.status === 404 && (await missing.text()).includes('<html'), 'there is no page for 404')
  for (const path of ['/api/docs', '/_headers', '/.git/config', '/metrics', '/_astro/', '/_astro/none.js'])
    expect((await fetch(siteUrl + path)).status === 404, `${path} is served`)
}

/** Events received in that many seconds; throws when the stream ends earlier. */
async function holdStream(siteUrl: string, seconds: number): Promise<number> {
  const response = await fetch(`${siteUrl}/api/live`)
  const reader = (response.body as ReadableStream<Uint8Array>).getReader()
  let events = 0
  for (const end = Date.now() + seconds * 1000; Date.now() < end; ) {
    const { done, value } = await reader.read()
    if (done) throw new Error('The stream through the web server was cut.')
    events += new TextDecoder().decode(value).split('\n\n').length - 1
  }
  await reader.cancel()
  return events
}

/** The client address that the api stored for this hash. */
async function claimAddress({ psql }: Stack, pair: string): Promise<string> {
  return psql(
    'blockdraw',
    `select client_address from claims where transaction_hash = '0x${pair.repeat(32)}'`,
  )
}

/** Four workers, one of them killed while eight wallets buy; the address that a CDN tells is believed. */
export async function survivesAKilledWorker(stack: Stack): Promise<string> {
  const { behindCdn, place } = stack
  await behindCdn.compose('up', '-d', '--no-build', '--scale', 'api=2', '--scale', 'worker=4')
  await stack.ready(behindCdn)
  await report(stack.siteUrl, `0x${'cd'.repeat(32)}`, '6.6.6.6, 198.51.100.7')
  const address = await claimAddress(stack, 'cd')
  expect(address === '198.51.100.7', `the address that the CDN tells was not believed: ${address}`)

  /** One after the other: the transactions of one wallet have consecutive nonces. */
  const buyThrice = async (account: number) => [
    await buy(place, account, 3),
    await buy(place, account, 3),
    await buy(place, account, 3),
  ]
  const [victim = ''] = await behindCdn.containers('worker')
  const buyers = Promise.all([1, 2, 3, 4, 5, 6, 7, 8].map(buyThrice))
  buyers.catch(() => undefined) // awaited below
  await Bun.sleep(1_000)
  await behindCdn.kill(victim)
  const bought = (await buyers).flat()
  stack.bought.push(...bought.map(({ hash }) => hash))
  const slowest = Math.max(...bought.map(({ seconds }) => seconds))
  return `4 workers, one killed in mid-load: ${bought.length} purchases, slowest ${slowest.toFixed(1)} s`
}

const scale = ['--scale', 'api=2', '--scale', 'worker=1']

/** With ipv6.yaml a visitor by IPv6 is known by the own address; without it nobody comes in that way. */
export async function takesIpv6(stack: Stack): Promise<string> {
  const own = Object.values(networkInterfaces()).flatMap((all) => all ?? [])
  const found = own.find((one) => one.family === 'IPv6' && !one.internal && !/^fe80/.test(one.address))
  if (!found) return 'IPv6: not tried, as this machine has no address of it'
  const siteUrl = `http://[${found.address}]:${new URL(stack.siteUrl).port}`
  const visit = (pair: string) => report(siteUrl, `0x${pair.repeat(32)}`).catch(() => undefined)
  expect(!(await visit('e0')), 'IPv6 is published without ipv6.yaml')

  const more = stack.withIpv6(found.address)
  await stack.plain.compose('down')
  try {
    const refused = await more.compose('up', '-d', '--no-build', ...scale).then(
      () => undefined,
      (error: Error) => error.message.trim().split('\n').at(-1),
    )
    if (refused) return `IPv6: this engine cannot: ${refused}`
    await stack.ready(more)
    await untilUp(() => visit('ef'), `an answer on ${siteUrl}`)
    const seen = await claimAddress(stack, 'ef')
    expect(seen.includes(':'), `a visitor by IPv6 (${found.address}) is taken for ${seen}`)
    return `IPv6: a visitor from ${found.address} is known as ${seen}`
  } finally {
    await more.compose('down')
    await stack.plain.compose('up', '-d', '--no-build', ...scale)
    await stack.ready()
  }
}

/** Everything is taken down and started again: the data is there, and the sale goes on. */
export async function restartsWithItsData(stack: Stack): Promise<string> {
  const { plain, place, siteUrl } = stack
  if (!stack.bought.length) stack.bought.push((await buy(place, 3, 3)).hash)
  // The page shows a purchase a moment after its row is there.
  const sold = Number(
    await stack.psql('blockdraw', 'select tickets_sold from events where archived_at is null'),
  )
  await untilUp(
    async () => JSON.parse(await stack.stats()).ticketsSold === sold,
    `${sold} tickets on the page`,
  )
  const before = await stack.stats()
  await plain.compose('down')
  await plain.compose('up', '-d', '--no-build', '--scale', 'api=2', '--scale', 'worker=4')
  await stack.ready()
  expect((await stack.stats()) === before, 'after down and up the page shows something else')
  const again = await buy(place, 2, 3)
  expect((await ticketsOf(siteUrl, stack.bought[0] as Hash)) > 0, 'the first purchase is gone')
  return `down and up again: the data is there, bought again in ${again.seconds.toFixed(1)} s`
}
