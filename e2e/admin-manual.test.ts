import { afterAll, beforeAll, expect, test } from 'vitest'
import { listAudit } from '../db/admin/audit.ts'
import { operatorAccount } from '../infra/local/chain.ts'
import { rpc } from '../infra/local/rpc.ts'
import { createAdminClient } from './lab/admin-client.ts'
import { admin } from './lab/admin-verbs.ts'
import { accountsOf, mine, startBlocks, stopBlocks, waitBlockTime } from './lab/chain-verbs.ts'
import { payBnb, payByHand, payWithFakeToken } from './lab/pay.ts'
import { type Stack, startStack } from './lab/stack.ts'
import { until } from './lab/until.ts'
import { transferData, usdt, usdtGas, usdtUnits } from './lab/usdt.ts'

let stack: Stack
let accounts: `0x${string}`[]
const { call, login } = createAdminClient(() => stack.url, admin)
const processHash = (transactionHash: string) =>
  call('POST', '/api/admin/blockchain/process-transaction', { transactionHash })
/** The public figures follow within a moment. */
const shownSold = async (tickets: number) => {
  const sold = async () => (await call('GET', '/api/raffle/stats')).body.ticketsSold
  await until(async () => (await sold()) === tickets, `${tickets} tickets in the public figures`)
}
const payer = (index: number) => accounts[index] as `0x${string}`

beforeAll(async () => {
  stack = await startStack({
    env: { ADMIN_USERNAME: admin.username, ADMIN_PASSWORD: admin.password, SALE_LEAD_SECONDS: '10' },
  })
  accounts = await accountsOf(stack.chain.url)
  await login()
})
afterAll(() => stack?.stop())

test('a payment by hand becomes tickets; only the first manual call gets the result', async () => {
  const hash = await payByHand(stack.chain.url, payer(1), 33)
  expect(await processHash(`  ${hash.toUpperCase()} `)).toMatchObject({
    status: 200,
    body: { ticketsCreated: 11 },
  })
  await shownSold(11)
  expect(await processHash(hash)).toMatchObject({ status: 409, body: { code: 'ALREADY_PROCESSED' } })
  const [again, first] = await listAudit(stack.db, { action: 'process-transaction' }, 2)
  expect(first).toMatchObject({ outcome: '200', after: { transactionHash: hash, ticketsCreated: 11 } })
  expect(again).toMatchObject({ outcome: '409', after: { refused: 'ALREADY_PROCESSED' } })
})

test('of parallel calls for one payment one gets its tickets', async () => {
  const hash = await payByHand(stack.chain.url, payer(2), 9)
  const answers = await Promise.all(Array.from({ length: 5 }, () => processHash(hash)))
  expect(answers.map(({ status }) => status).sort()).toEqual([200, 409, 409, 409, 409])
  await shownSold(14)
})

test('a hash that the buyer has posted is already processed', async () => {
  const transactionHash = await payByHand(stack.chain.url, payer(3), 3)
  const hints = { walletAddress: payer(3), quantity: 1, amount: 300 }
  expect((await call('POST', '/api/tickets/purchase', { transactionHash, ...hints })).status).toBe(202)
  expect(await processHash(transactionHash)).toMatchObject({
    status: 409,
    body: { code: 'ALREADY_PROCESSED' },
  })
})

test('a payment that bought nothing is answered with the reason', async () => {
  const { url } = stack.chain
  // More than its balance: the transfer fails on chain.
  const tooMuch = await payByHand(url, payer(4), 2_000_000)
  const answers = {
    'less than a ticket': await processHash(await payByHand(url, payer(4), 2)),
    'a token that only looks like USDT': await processHash(await payWithFakeToken(url, payer(4))),
    'no token at all': await processHash(await payBnb(url, payer(4))),
    'a transfer that failed': await processHash(tooMuch),
  }
  const told = Object.entries(answers).map(([name, { status, body }]) => [name, status, body.code])
  expect(told).toEqual([
    ['less than a ticket', 422, 'BELOW_TICKET_PRICE'],
    ['a token that only looks like USDT', 422, 'NO_MATCHING_TRANSFER'],
    ['no token at all', 422, 'NO_MATCHING_TRANSFER'],
    ['a transfer that failed', 422, 'TX_FAILED'],
  ])
  await shownSold(15)
})

test('an unknown hash is answered as not found within some seconds', async () => {
  const began = performance.now()
  const unknown = `0x${'ab'.repeat(32)}`
  expect(await processHash(unknown)).toMatchObject({
    status: 404,
    body: { code: 'TRANSACTION_NOT_FOUND', error: expect.stringContaining('transaction not found') },
  })
  expect(performance.now() - began).toBeGreaterThan(2_000)
  // A second call looks it up again, as the buyer may have been too quick.
  expect((await processHash(unknown)).body.code).toBe('TRANSACTION_NOT_FOUND')
})

test('a hash that waits for its block is pending, and counts with the next call', async () => {
  const { url } = stack.chain
  await stopBlocks(url)
  const data = transferData(operatorAccount, usdtUnits(6))
  const hash = await rpc<string>(url, 'eth_sendTransaction', [
    { from: payer(5), to: usdt, data, gas: usdtGas },
  ])
  expect(await processHash(hash)).toMatchObject({ status: 409, body: { code: 'TX_PENDING' } })
  await mine(url, 4)
  expect(await processHash(hash)).toMatchObject({ status: 200, body: { ticketsCreated: 2 } })
  await startBlocks(url)
})

test('a payment after the sale end got no ticket', async () => {
  const { url } = stack.chain
  const drawAt = Math.ceil(Date.now() / 1000) + 14
  const drawDate = new Date(drawAt * 1000).toISOString()
  expect(await call('PATCH', '/api/admin/raffle/config', { drawDate, minTicketsForDraw: 10 })).toMatchObject({
    status: 200,
  })
  await waitBlockTime(url, (drawAt - 10) * 1000)
  const hash = await payByHand(url, payer(6), 30)
  expect(await processHash(hash)).toMatchObject({ status: 409, body: { code: 'OUTSIDE_SALE_WINDOW' } })
  expect(await call('GET', `/api/admin/payments?hash=${hash}`)).toMatchObject({
    body: [{ status: 'rejected', reason: 'late', ticketCount: 0, amount: 3_000 }],
  })
})

test('without a reachable chain the payment is not judged', async () => {
  await stack.chain.stop()
  const hash = `0x${'cd'.repeat(32)}`
  expect(await processHash(hash)).toMatchObject({ status: 503, body: { code: 'RPC_UNAVAILABLE' } })
  const [row] = await listAudit(stack.db, { action: 'process-transaction' }, 1)
  expect(row).toMatchObject({ outcome: '503', after: { refused: 'RPC_UNAVAILABLE' } })
})
