import { buy, report } from '../crowd.ts'
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
export async function claimAddress({ psql }: Stack, pair: string): Promise<string> {
  return psql(
    'blockdraw',
    `select client_address from claims where transaction_hash = '0x${pair.repeat(32)}'`,
  )
}
