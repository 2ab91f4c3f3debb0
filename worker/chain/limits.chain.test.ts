import { beforeAll, describe, expect, test } from 'vitest'
import { codeOf, faultyChain, openFaultyChain, readAll, watch } from '../../e2e/lab/faulty-chain.ts'
import { type HandClock, handClock } from '../../e2e/lab/hand-clock.ts'
import { forTest } from '../../e2e/lab/opened.ts'
import type { RpcFault } from '../../e2e/lab/rpc-faults.ts'
import { type RpcProxy, startRpcProxy } from '../../e2e/lab/rpc-proxy.ts'
import { type Chain, connectChain } from './index.ts'

const { chain, a, payments, one, two } = await faultyChain()

type Scanned = { reader: Chain; clock: HandClock }
const scanned = (open: (clock: HandClock) => Chain): Scanned => {
  const clock = handClock()
  return { reader: open(clock), clock }
}

/** Scans as a worker does, every 400 ms even after a failure; calls `look` after each scan. */
async function scanFor(
  ms: number,
  { reader, clock }: Scanned,
  { look = () => {}, hanging }: { look?: () => void; hanging?: RpcProxy | undefined } = {},
): Promise<void> {
  for (const end = clock.now() + ms; clock.now() < end; clock.advance(400)) {
    const code = codeOf(readAll(reader))
    await (hanging ? outwait(code, hanging, clock) : code)
    look()
  }
}

/** Lets 5 s pass for each request that the endpoint takes and does not answer, until `work` is over. */
async function outwait(work: Promise<unknown>, endpoint: RpcProxy, clock: HandClock): Promise<void> {
  for (let count = endpoint.hung(); ; ) {
    const what = await Promise.race([work.then(() => 'over'), endpoint.hangs(++count)])
    if (what === 'over') return
    clock.advance(5_000)
  }
}

/** Scans until every payment is read again, for less than 5 s. */
async function recovered({ reader, clock }: Scanned): Promise<void> {
  const codes: unknown[] = []
  for (const end = clock.now() + 5_000; clock.now() < end; clock.advance(400)) {
    const found = await readAll(reader).catch(({ code }) => void codes.push(code))
    if (found) return expect(found).toEqual(payments)
  }
  expect.fail(`It did not recover: ${codes.join()}`)
}

const endpoint = (reader: Chain, at = 0) => reader.health().endpoints[at]

describe('the HTTP status is checked first', () => {
  test.each([
    ['limit-429', 'busy 429'],
    ['error-500', 'http 500'],
  ] as const)('%s: a JSON-RPC error in the body does not hide it', async (fault, failure) => {
    const reader = one()
    await readAll(reader)
    a.set(fault)
    expect(await codeOf(readAll(reader))).toBe('RPC_UNAVAILABLE')
    expect(endpoint(reader)).toMatchObject({ lastFailure: failure, failures: 1, logs: 'ranges' })
  })
})

describe('an endpoint has recovered: its payments are read within 5 s', () => {
  const faults: RpcFault[][] = [
    ['limit-429'],
    ['limit-429-for-three-of-ten'],
    ['limit-200'],
    ['error-500'],
    ['http-429-for-an-hour'],
    ['down'],
    ['wrong-chain'],
    ['hang'],
    ['logs-disabled', 'block-receipts-limited'],
    ['no-logs-method', 'no-block-receipts'],
  ]
  const moments = ['at once', 'after it has answered'] as const
  const cases = faults.flatMap((list) => moments.map((when) => [list.join(' '), when, list] as const))

  test.each(cases)('%s, %s', async (_, when, list) => {
    const proxy = await forTest(startRpcProxy(chain.url))
    const scan = scanned((clock) => connectChain([proxy.url, chain.url], 56, clock))
    if (when !== 'at once') await readAll(scan.reader)
    proxy.set(...list)
    const hanging = list.includes('hang') ? proxy : undefined
    await scanFor(6_000, scan, { hanging })
    // 15 scans, each of three or four requests with a few calls if nothing is refused.
    expect(proxy.requests()).toBeLessThan(150)
    // It is well again just after it was asked in vain once more, when it has the longest rest before it.
    for (const before = proxy.requests(); proxy.requests() === before; ) await scanFor(400, scan, { hanging })
    proxy.set()
    await recovered(scan)
  })
})

describe('a method is not given up after one failure', () => {
  test('three of ten calls refused: log queries stay on', async () => {
    const proxy = await forTest(startRpcProxy(chain.url))
    const scan = scanned((clock) => connectChain([proxy.url, chain.url], 56, clock))
    await readAll(scan.reader)
    proxy.set('limit-429-for-three-of-ten')
    const look = () => expect(endpoint(scan.reader)).toMatchObject({ logs: 'ranges' })
    await scanFor(4_000, scan, { look })
  })

  test('that was answered before is retried with the next range; receipts serve meanwhile', async () => {
    const reader = one()
    await readAll(reader)
    // Each block that can hold a payment is settled by its receipts, once.
    expect(a.asked('eth_getBlockReceipts')).toBe(3)
    const to = (await reader.finalized()).number
    const readAgain = async () => {
      const { value } = await reader.readAgain(watch, { from: 0n, to }).next()
      return value?.transfers.map(({ transactionHash }) => transactionHash)
    }
    a.set('logs-disabled')
    expect(await readAgain()).toEqual(payments)
    expect(endpoint(reader)).toMatchObject({ logs: 'ranges' })
    a.set()
    expect(await readAgain()).toEqual(payments)
    expect(a.asked('eth_getLogs')).toBeGreaterThan(0)
  })

  test('that does not exist is not called for every range', async () => {
    a.set('no-logs-method')
    const reader = one()
    for (let n = 0; n < 20; n++) expect(await readAll(reader)).toEqual(payments)
    expect(endpoint(reader)).toMatchObject({ logs: 'receipts' })
    expect(a.asked('eth_getLogs')).toBe(1)
    a.set('no-block-receipts')
    const other = one()
    for (let n = 0; n < 20; n++) expect(await readAll(other)).toEqual(payments)
    expect(endpoint(other)).toMatchObject({ logs: 'ranges' })
  })

  test('with neither, both are retried every 2 s, and no endpoint gets other useless requests', async () => {
    // One block to settle: with more, some requests of the first reading would still be on their way when it has failed.
    const { a, b, two } = await forTest(openFaultyChain([3_00]))
    b.set('no-logs-method', 'no-block-receipts')
    const scan = scanned(two)
    const { reader } = scan
    await codeOf(readAll(reader))
    expect(endpoint(reader, 1)).toMatchObject({ logs: 'none' })
    a.set()
    b.set('no-logs-method', 'no-block-receipts')
    await scanFor(5_000, scan)
    for (const method of ['eth_getLogs', 'eth_getBlockReceipts']) expect(b.asked(method)).toBe(2)
    expect(a.asked('eth_getLogs')).toBeLessThanOrEqual(4)
    // Only the heads for finality.
    expect(a.asked('eth_getBlockByNumber')).toBeLessThan(40)
    expect(endpoint(reader, 1)).toMatchObject({ logs: 'none' })
  })
})

describe('a range that is refused by an HTTP status', () => {
  test('is made smaller, like one that is refused by JSON-RPC', async () => {
    a.set('logs-of-6-blocks-500')
    const scan = scanned(one)
    await recovered(scan)
    expect(endpoint(scan.reader)).toMatchObject({ logs: 'ranges' })
  })
})

describe('batches', () => {
  beforeAll(() => chain.mine(60))

  test('refused by an HTTP status are made smaller until they are answered, and stay small', async () => {
    a.set('batches-of-3')
    const reader = one()
    expect(await readAll(reader)).toEqual(payments)
    expect(endpoint(reader)).toMatchObject({ state: 'ok', failures: 0 })
    a.set('batches-of-3')
    const { number } = await reader.finalized()
    expect(await readAll(reader)).toEqual(payments)
    // Three per batch would be best; some are smaller and a few are refused.
    expect(a.requests()).toBeLessThan(10 + (Number(number) / 3) * 1.5)
  })

  test('refused for a missing key are not made smaller', async () => {
    const reader = one()
    await reader.finalized()
    a.set('http-401')
    expect(await codeOf(reader.headers([1n, 2n, 3n, 4n]))).toBe('RPC_UNAVAILABLE')
    expect(a.requests()).toBe(1)
    expect(endpoint(reader)).toMatchObject({ lastFailure: 'http 401' })
  })

  test('an outage does not count as a batch that is too large', async () => {
    const scan = scanned(one)
    const { reader } = scan
    expect(await readAll(reader)).toEqual(payments)
    const { number } = await reader.finalized()
    a.set('error-500')
    expect(await codeOf(reader.headers(Array.from({ length: 80 }, (_, n) => BigInt(n))))).toBe(
      'RPC_UNAVAILABLE',
    )
    expect(a.requests()).toBeLessThan(10)
    a.set()
    await recovered(scan)
    a.set()
    await reader.headers(Array.from({ length: 80 }, (_, n) => number - BigInt(n)))
    expect(a.requests()).toBe(1)
  })
})

describe('trouble that does not end', () => {
  test('methods that fail and recover twice a second: payments are read meanwhile and soon after', async () => {
    const scan = scanned(two)
    let reads = 0
    for (let n = 0; n < 12; n++) {
      if (n % 2 === 0) a.set('no-logs-method', 'no-block-receipts')
      else a.set()
      if (!(await codeOf(readAll(scan.reader)))) reads++
      scan.clock.advance(400)
      expect(a.requests()).toBeLessThan(15)
    }
    expect(reads).toBeGreaterThan(0)
    a.set()
    await recovered(scan)
  })

  test('only block receipts, three of ten calls refused: steps get shorter until they succeed', async () => {
    const proxy = await forTest(startRpcProxy(chain.url))
    const payer = chain.buyers[1]
    const from = (await chain.height()) + 1n
    const hashes: string[] = []
    for (let n = 0; n < 40; n++) {
      hashes.push(await chain.submitPayment({ from: payer, cents: 3_00 }))
      await chain.mine()
    }
    await chain.finalize()
    const { reader, clock } = scanned((hand) => connectChain([proxy.url], 56, hand))
    proxy.set('no-logs-method', 'limit-429-for-three-of-ten')
    const to = (await chain.height()) - 2n
    const found: string[] = []
    for (let at = from; at <= to && clock.now() < 60_000; clock.advance(400)) {
      const step = await reader.transfers(watch, { from: at, to, head: to }).catch(() => undefined)
      if (!step) continue
      found.push(...step.transfers.map((transfer) => transfer.transactionHash))
      at = step.end.number + 1n
    }
    expect(found).toEqual(hashes)
  })
})
