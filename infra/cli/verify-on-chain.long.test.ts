import { createHash } from 'node:crypto'
import { readFileSync, rmSync } from 'node:fs'
import { concat, type Hex, numberToHex, pad } from 'viem'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Proof } from '../../core/draw/proof.ts'
import { transferTopic } from '../../core/payment/payment.ts'
import { loadProof } from '../../db/draw/proof.ts'
import { ledgerPages } from '../../db/payment/ledger.ts'
import { events } from '../../db/schema/index.ts'
import { type DrawWorld, openDrawWorld, saleEndAt } from '../../e2e/lab/draw-story.ts'
import { flowsOfChain, flowsText } from '../../e2e/lab/flows-file.ts'
import { forged } from '../../e2e/lab/forged-proof.ts'
import { newPlace, run, serve } from '../../e2e/lab/verify-command.ts'
import { rpc } from '../local/rpc.ts'

let world: DrawWorld
let made: Proof
let list: string
let noted: string[]
/** The only line of a list paid in a token that the operator made. */
let ownTokenLine: string
const ownToken = `0x${'70'.repeat(20)}` as const

beforeAll(async () => {
  world = await openDrawWorld()
  const { url, accounts, start } = world
  // The contract emits its calldata as a log: topics, then the amount.
  await rpc(url, 'anvil_setCode', [ownToken, '0x6020606060003760403560203560003560206000a300'])
  await world.pay(1, 99_00, 10)
  await world.pay(2, 3_50, 20)
  await rpc(url, 'evm_setNextBlockTimestamp', [start + 30])
  const [friend, operator] = [accounts[6] as Hex, accounts[0] as Hex]
  const value = 30n * 10n ** 18n
  const sent = await world.send(
    6,
    concat([transferTopic, pad(friend), pad(operator), numberToHex(value, { size: 32 })]),
    ownToken,
  )
  await world.pay(3, 300_00, 190)
  await world.endSale()
  await world.sendAnchor(await world.commitment(), { at: saleEndAt + 20 })
  await world.reachDraw()
  await world.draw()
  await world.db.update(events).set({ redrawnAt: new Date(Date.now() - 20_000) })
  made = (await loadProof(world.db, 1)) as Proof
  list = (await Array.fromAsync(ledgerPages(world.db, 1))).map(({ text }) => text).join('')
  const { blockNumber, logs } = await rpc<{ blockNumber: Hex; logs: unknown[] }>(
    url,
    'eth_getTransactionReceipt',
    [sent],
  )
  expect(logs).toHaveLength(1)
  ownTokenLine = `1,10,${sent},${friend.toLowerCase()},${value},${Number(blockNumber)},0`
  noted = [
    ...['--wallet', made.operatorWallet, '--price', '3', '--sale-start', made.saleStart],
    ...['--sale-end', made.saleEndDate, '--draw-date', made.drawDate, '--terms', made.terms],
  ]
})
afterAll(() => world?.close())

function check(files: { proof: string; ledger: string }, ...args: string[]) {
  const write = newPlace()
  return run('--proof', write('proof', files.proof), '--ledger', write('ledger', files.ledger), ...args)
}
const honest = (change: Partial<Proof> = {}) => ({
  proof: JSON.stringify({ ...made, ...change }),
  ledger: list,
})
/** The test's node, which refuses these methods as real nodes do. */
const nodeWithout = (...methods: string[]) =>
  serve(async (request) => {
    const body = await request.text()
    const { id, method } = JSON.parse(body) as { id: number; method: string }
    if (methods.includes(method))
      return Response.json({ jsonrpc: '2.0', id, error: { code: -32005, message: 'limit exceeded' } })
    return fetch(world.url, { method: 'POST', headers: { 'content-type': 'application/json' }, body })
  })

test('an honest draw, with noted terms and a node that serves every method, is verified', async () => {
  const { code, text } = await check(honest(), '--rpc', world.url, ...noted)
  expect(text).toContain('\nVerified: ')
  expect(code).toBe(0)
})

test('the money of a site is checked with its fingerprint; a site that has no such file leaves it incomplete', async () => {
  const until = Number(made.blocks.at(-1)?.number)
  const flows = flowsText(await flowsOfChain(world.url, made, list, { opening: 0, until }))
  const sha256 = `0x${createHash('sha256').update(flows).digest('hex')}`
  const siteOf = (money: () => Response) =>
    serve(({ url }) => {
      if (url.includes('/proof/')) return new Response(JSON.stringify(made))
      if (/\/(solvency|content)/.test(url)) return new Response('', { status: 404 })
      return url.includes('/ledger/') ? new Response(list) : money()
    })
  const told = async (money: () => Response) => {
    const { code, text } = await run('--site', siteOf(money), '--event', '1', '--rpc', world.url, ...noted)
    const [status = '', title] = /^(.{4}) (Every transfer.*)$/m.exec(text)?.slice(1) ?? []
    return [code, status.trim(), title !== undefined]
  }
  let asked = 0
  const etag = (value: string) => ({ headers: { etag: value } })
  expect([
    await told(() => new Response(flows, etag(`"${sha256}"`))),
    await told(() => new Response(flows, etag(`W/"${sha256}"`))),
    await told(() => new Response(flows)),
    await told(() => new Response(flows, etag(`"0x${'11'.repeat(32)}"`))),
    await told(() => new Response('', { status: 404 })),
    await told(() => {
      const isFirst = asked++ === 0
      return isFirst
        ? new Response('', { status: 429, headers: { 'retry-after': '1' } })
        : new Response(flows)
    }),
    await told(() => new Response('', { status: 500 })),
  ]).toEqual([
    [0, 'ok', true],
    [0, 'ok', true],
    [0, 'ok', true],
    [1, 'FAIL', true],
    [2, '-', true],
    [0, 'ok', true],
    [2, '??', true],
  ])
  const saved = await check(honest(), '--rpc', world.url, ...noted, '--flows', newPlace()('flows', flows))
  expect([saved.code, saved.text]).toEqual([0, expect.stringContaining('Verified: all 15 steps')])
})

test('a node without logs is enough with --full, and what was done is not done again with --state', async () => {
  const state = newPlace()('state', '')
  rmSync(state)
  const node = nodeWithout('eth_getLogs')
  const args = ['--rpc', node, '--full', '--state', state, ...noted]
  const first = await check(honest(), ...args)
  expect([first.code, first.text]).toEqual([0, expect.stringContaining('the sale: exactly')])
  expect(first.text).toMatch(/missing from the list: requests to the endpoint: about \d+\./)
  const again = await check(honest(), ...args)
  expect(again.code).toBe(0)
  expect(JSON.parse(readFileSync(state, 'utf8'))).toMatchObject({ block: expect.any(Number), lines: 3 })
  const other = await check(honest({ secondReading: !made.secondReading }), ...args)
  expect([other.code, other.text]).toEqual([64, expect.stringContaining('is of another proof')])
})

test('the line that a buyer noted settles the terms; another promise contradicts', async () => {
  const line = made.terms.trim()
  expect((await check(honest(), '--rpc', world.url, '--terms', line)).code).toBe(0)
  const write = newPlace()
  const lower = write('terms', line.replace(',10,true,', ',5,true,'))
  const raised = await check(honest(), '--rpc', world.url, '--terms', lower)
  expect([raised.code, raised.text]).toEqual([
    1,
    expect.stringContaining('minTickets is not what was promised'),
  ])
  const kept = [{ terms: made.terms, firstDrawDate: null, ownUntil: 0 }]
  expect(
    (await check(honest(), '--rpc', world.url, '--terms', write('kept', JSON.stringify(kept)))).code,
  ).toBe(0)
})

test('I35: payments in a token that the operator made are contradicted', async () => {
  for (const anchor of [null, made.anchor]) {
    const files = await forged(made, [ownTokenLine], { token: ownToken, anchor })
    const { code, text } = await check(files, '--rpc', world.url, '--full', ...noted)
    expect(text).toContain('FAIL The terms are those shown while tickets were sold')
    expect(text).toContain('\nContradicted: ')
    expect(code).toBe(1)
  }
})

test('I35: a node without logs, no endpoint or a term not noted leave it incomplete', async () => {
  const logless = await check(honest(), '--rpc', nodeWithout('eth_getLogs'), ...noted)
  expect(logless.code).toBe(2)
  expect(logless.text).toContain('but 2 of 14 steps were not checked, or not in full:')
  expect(logless.text).toContain('The endpoint serves no logs')
  const offline = await check(honest(), ...noted)
  expect(offline.code).toBe(2)
  const byHand = await check(honest(), '--rpc', world.url, ...noted.slice(0, -2))
  expect([byHand.code, byHand.text]).toEqual([2, expect.stringContaining('keep the whole terms line')])
})
