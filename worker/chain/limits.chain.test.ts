import { beforeAll, describe, expect, test } from 'vitest'
import { codeOf, faultyChain, readAll, watch } from '../../e2e/lab/faulty-chain.ts'
import type { RpcFault } from '../../e2e/lab/rpc-faults.ts'
import { startRpcProxy } from '../../e2e/lab/rpc-proxy.ts'
import { type Chain, connectChain } from './index.ts'

const { chain, a, b, payments, one, two } = await faultyChain()

/** Scans as a worker does, every 400 ms even after a failure; calls `look` after each scan. */
async function scanFor(ms: number, reader: Chain, look: () => void = () => undefined): Promise<void> {
  for (const end = performance.now() + ms; performance.now() < end; ) {
    await Promise.all([codeOf(readAll(reader)), Bun.sleep(400)])
    look()
  }
}

/** Waits until every payment is read again, as a worker scans. */
async function recovered(reader: Chain): Promise<void> {
  const began = performance.now()
  for (;;) {
    const [found] = await Promise.all([readAll(reader).catch(() => []), Bun.sleep(400)])
    if (found.length > 0) {
      expect(found).toEqual(payments)
      return
    }
    if (performance.now() - began > 20_000) throw new Error('It did not recover.')
  }
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

  test.concurrent.each(cases)('%s, %s', async (_, when, list) => {
    const proxy = await startRpcProxy(chain.url)
    const reader = connectChain([proxy.url, chain.url], 56)
    if (when !== 'at once') await readAll(reader)
    proxy.set(...list)
    await scanFor(6_000, reader)
    // Some 15 scans, each of three or four requests with a few calls if nothing is refused.
    expect(proxy.requests()).toBeLessThan(150)
    proxy.set()
    await recovered(reader)
    await proxy.stop()
  })
})

describe('a method is not given up after one failure', () => {
  test('three of ten calls refused: log queries stay on', async () => {
    const reader = two()
    await readAll(reader)
    a.set('limit-429-for-three-of-ten')
    await scanFor(4_000, reader, () => expect(endpoint(reader)).toMatchObject({ logs: 'ranges' }))
  })

  test('that was answered before is retried with the next range; receipts serve meanwhile', async () => {
    const reader = one()
    await readAll(reader)
    // Each block that can hold a payment is settled by its receipts, once.
    expect(a.asked('eth_getBlockReceipts')).toBe(3)
    a.set('logs-disabled')
    expect(await readAll(reader)).toEqual(payments)
    expect(endpoint(reader)).toMatchObject({ logs: 'ranges' })
    a.set()
    expect(await readAll(reader)).toEqual(payments)
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
    b.set('no-logs-method', 'no-block-receipts')
    const reader = two()
    await codeOf(readAll(reader))
    expect(endpoint(reader, 1)).toMatchObject({ logs: 'none' })
    a.set()
    b.set('no-logs-method', 'no-block-receipts')
    await scanFor(5_000, reader)
    const methods = ['eth_getLogs', 'eth_getBlockReceipts'] as const
    for (const method of methods) expect(b.asked(method)).toBeGreaterThanOrEqual(2)
    for (const method of methods) expect(b.asked(method)).toBeLessThanOrEqual(4)
    expect(a.asked('eth_getLogs')).toBeLessThanOrEqual(4)
    // Only the heads for finality.
    expect(a.asked('eth_getBlockByNumber')).toBeLessThan(40)
    expect(endpoint(reader, 1)).toMatchObject({ logs: 'none' })
  })
})

describe('a range that is refused by an HTTP status', () => {
  test('is made smaller, like one that is refused by JSON-RPC', async () => {
    a.set('logs-of-6-blocks-500')
    const reader = one()
    await recovered(reader)
    expect(endpoint(reader)).toMatchObject({ logs: 'ranges' })
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
    const reader = one()
    expect(await readAll(reader)).toEqual(payments)
    const { number } = await reader.finalized()
    a.set('error-500')
    expect(await codeOf(reader.headers(Array.from({ length: 80 }, (_, n) => BigInt(n))))).toBe(
      'RPC_UNAVAILABLE',
    )
    expect(a.requests()).toBeLessThan(10)
    a.set()
    await recovered(reader)
    a.set()
    await reader.headers(Array.from({ length: 80 }, (_, n) => number - BigInt(n)))
    expect(a.requests()).toBe(1)
  })
})

describe('trouble that does not end', () => {
  test('methods that fail and recover twice a second: payments are read meanwhile and soon after', async () => {
    const reader = two()
    let reads = 0
    // An endpoint is tried again every 2 s, and whether it is well just then depends on how busy the machine is.
    for (let n = 0; n < 12 || (reads === 0 && n < 100); n++) {
      if (n % 2 === 0) a.set('no-logs-method', 'no-block-receipts')
      else a.set()
      const [found] = await Promise.all([readAll(reader).catch(() => []), Bun.sleep(400)])
      if (found.length > 0) reads++
      expect(a.requests()).toBeLessThan(15)
    }
    expect(reads).toBeGreaterThan(0)
    a.set()
    await recovered(reader)
  })

  test('only block receipts, three of ten calls refused: steps get shorter until they succeed', async () => {
    const proxy = await startRpcProxy(chain.url)
    const payer = chain.buyers[1]
    const from = (await chain.height()) + 1n
    const hashes: string[] = []
    for (let n = 0; n < 40; n++) {
      hashes.push(await chain.submitPayment({ from: payer, cents: 3_00 }))
      await chain.mine()
    }
    await chain.finalize()
    const reader = connectChain([proxy.url], 56)
    proxy.set('no-logs-method', 'limit-429-for-three-of-ten')
    const head = await chain.height()
    const found: string[] = []
    let tries = 0
    for (let at = from; at <= head - 2n && tries < 200; tries++) {
      const read = reader.transfers(watch, { from: at, to: head - 2n, head: head - 2n })
      const step = await read.catch(() => Bun.sleep(50))
      if (!step) continue
      found.push(...step.transfers.map((transfer) => transfer.transactionHash))
      at = step.end.number + 1n
    }
    expect(found).toEqual(hashes)
    await proxy.stop()
  })
})
