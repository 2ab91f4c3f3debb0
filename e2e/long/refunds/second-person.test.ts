import { sql } from 'drizzle-orm'
import type { Address, Hash } from 'viem'
import { privateKeyToAccount } from 'viem/accounts'
import { beforeEach, expect, test } from 'vitest'
import { refundWalletMessage } from '../../../core/event/wallet-proof.ts'
import { unitsOf } from '../../../core/money.ts'
import { watchWallet } from '../../../db/event/events.ts'
import { admins, refundBatches, refundRows } from '../../../db/schema/index.ts'
import { forEachTest } from '../../lab/opened.ts'
import { withOtherPast } from '../../lab/other-past.ts'
import { type Desk, openDesk } from '../../lab/refund-desk.ts'

const password = 'another horse battery'
const desk: Desk = forEachTest(() => openDesk({ twoPerson: true }))
let second: ReturnType<Desk['adminApi']['as']>
beforeEach(async () => {
  for (const [at, cents] of [600, 900, 1_200].entries())
    await desk.chain.submitPayment({ from: desk.chain.buyers[at] as Address, cents })
  await desk.refundMode()
  await desk.adminApi.addAdmin('second', password)
  second = desk.adminApi.as(await desk.adminApi.login({ username: 'second', password }))
})

const unknownHash = `0x${'ab'.repeat(32)}` as Hash
const approve = async (id: number) =>
  expect((await second('POST', `/api/admin/approvals/${id}/approve`)).status).toBe(200)
/** Asks with the call itself; the other one approves, and the call is made again. */
async function withWord(
  act: () => Promise<{ status: number; body: { code?: string; approvalId?: number } }>,
) {
  const asked = await act()
  expect([asked.status, asked.body.code]).toEqual([409, 'SECOND_PERSON_REQUIRED'])
  await approve(asked.body.approvalId as number)
  return act()
}
const idsOf = ({ body }: { body: { refundTransactions: { id: number }[] } }) =>
  body.refundTransactions.map(({ id }) => id)
const codeOf = ({ status, body }: { status: number; body: { code?: string } }) => body.code ?? status

test('a batch is prepared, handed out and signed with one word for all of it', async () => {
  const asked = await desk.execute()
  expect(codeOf(asked)).toBe('SECOND_PERSON_REQUIRED')
  expect(await desk.db.select().from(refundBatches)).toEqual([])
  const { approvals } = (await second('GET', '/api/admin/approvals')).body
  expect(approvals).toMatchObject([
    {
      ...{ action: 'refund.execute', askedBy: 'owner', neededRole: 'operator', eventNumber: 1 },
      after: { kind: 'event', eventNumber: 1, totalTickets: 9, totalRefunds: 3, totalAmount: 2_700 },
    },
  ])
  await approve(asked.body.approvalId)
  const { request } = (await desk.get('/approvals')).body.approvals[0]
  const prepared = await desk.post(request.path.replace('/api/admin', ''), request.body)
  expect(prepared.status).toBe(200)
  const ids = idsOf(prepared as never)
  expect(ids).toHaveLength(3)

  // The page asks again whenever it begins to sign, and hands out row by row.
  expect(codeOf(await desk.execute())).toBe(200)
  const offered = await desk.offer(ids.slice(0, 1))
  expect(offered.body.rows).toMatchObject([{ id: ids[0] }])
  const [{ id, to, units }] = offered.body.rows
  const hash = await desk.transfer(to, BigInt(units))
  expect(codeOf(await desk.post(`/refunds/${id}/sent`, { transactionHash: hash }))).toBe(200)
  await desk.settle()
  expect((await desk.row(id))?.state).toBe('settled')
  expect((await desk.offer(ids.slice(1))).body.rows).toHaveLength(2)
  expect((await desk.get('/approvals')).body.approvals).toEqual([])
})

test('a batch that was prepared without the word is handed to no wallet', async () => {
  const prepared = await withWord(() => desk.execute())
  const ids = idsOf(prepared as never)
  // As if TWO_PERSON had been off until now.
  await desk.db.execute(
    sql`set session_replication_role = replica; delete from approvals; set session_replication_role = origin`,
  )
  const offer = await desk.offer(ids)
  expect(codeOf(offer)).toBe('SECOND_PERSON_REQUIRED')
  expect((await desk.db.select().from(refundRows)).every(({ offeredAt }) => offeredAt === null)).toBe(true)
  // What is asked for is the batch: carried out once, its rows go out.
  await approve(offer.body.approvalId)
  expect((await desk.offer(ids)).body.rows).toHaveLength(3)
})

test('the word ends with the office of who gave it', async () => {
  const ids = idsOf((await withWord(() => desk.execute())) as never)
  await desk.db.update(admins).set({ role: 'auditor' }).where(sql`username = 'second'`)
  expect(codeOf(await desk.offer(ids))).toBe('SECOND_PERSON_REQUIRED')
  await desk.db.update(admins).set({ role: 'owner' }).where(sql`username = 'second'`)
  // Made again what he was: his old word does not come back.
  second = desk.adminApi.as(await desk.adminApi.login({ username: 'second', password }))
  expect(codeOf(await desk.offer(ids))).toBe('SECOND_PERSON_REQUIRED')
  expect((await withWord(() => desk.offer(ids))).body).toMatchObject({ rows: [{}, {}, {}] })
})

test('the word is for these payers and amounts: other ones of the same totals take another', async () => {
  const ids = idsOf((await withWord(() => desk.execute())) as never)
  await withOtherPast(desk.db, (tx) =>
    tx.execute(sql`update payments set payer = ${`0x${'e1'.repeat(20)}`} where units = ${`${unitsOf(600)}`}`),
  )
  expect(codeOf(await desk.execute())).toBe('SECOND_PERSON_REQUIRED')
  expect(codeOf(await desk.offer(ids))).toBe('SECOND_PERSON_REQUIRED')
})

test('a transaction that nobody was asked to sign takes a word, and what a wallet answered does not', async () => {
  const [id = 0, other = 0] = idsOf((await withWord(() => desk.execute())) as never)
  for (const call of [
    () => desk.post(`/refunds/${id}/sent`, { transactionHash: unknownHash }),
    () => desk.post('/refunds/sent', { ids: [id], transactionHash: unknownHash }),
  ])
    expect(codeOf(await call())).toBe('SECOND_PERSON_REQUIRED')
  expect((await desk.row(id))?.state).toBe('planned')
  expect(
    codeOf(await withWord(() => desk.post('/refunds/sent', { ids: [id], transactionHash: unknownHash }))),
  ).toBe(200)
  expect((await desk.row(id))?.state).toBe('sent')
  await desk.offer([other])
  expect(
    codeOf(await desk.post('/refunds/sent', { ids: [other], transactionHash: `0x${'cd'.repeat(32)}` })),
  ).toBe(200)
})

test('a released row, a transfer’s purpose and the words about wallets are each another one’s word too', async () => {
  const [id = 0] = idsOf((await withWord(() => desk.execute())) as never)
  await desk.db.execute(sql`update refund_rows set hold = 'exchange' where id = ${id}`)
  const spare = `0x${'5e'.repeat(20)}` as Address
  await watchWallet(desk.db, spare)
  const word = { wallet: spare, note: 'the key is gone' }
  const calls: [string, object | undefined][] = [
    [`/refunds/${id}/release`, undefined],
    ['/refunds/wallets/lost', word],
    ['/refunds/wallets/found', word],
  ]
  for (const [path, body] of calls)
    expect([path, codeOf(await withWord(() => desk.post(path, body)))]).toEqual([path, 200])
  // Each word is spent.
  expect(codeOf(await desk.post('/refunds/wallets/lost', word))).toBe('SECOND_PERSON_REQUIRED')

  const hash = await desk.transfer(desk.chain.buyers[0] as Address, 5n)
  await desk.settle()
  const [{ position } = { position: 0 }] = await desk.db.execute<{ position: number }>(
    sql`select log_position as position from operator_transfers where transaction_hash = ${hash}`,
  )
  const mark = { transactionHash: hash, position, notRefund: true }
  expect(codeOf(await withWord(() => desk.post('/refunds/transfers', mark)))).toBe(200)
})

test('a wallet that is to pay refunds takes another owner’s word, not an operator’s', async () => {
  const account = privateKeyToAccount(`0x${'7'.repeat(64)}`)
  const message = refundWalletMessage(1, account.address.toLowerCase() as Address)
  const body = { wallet: account.address, message, signature: await account.signMessage({ message }) }
  const add = () => desk.post('/refunds/wallets', body)
  const asked = await add()
  expect(codeOf(asked)).toBe('SECOND_PERSON_REQUIRED')
  await desk.adminApi.addAdmin('operator', password, 'operator')
  const third = desk.adminApi.as(await desk.adminApi.login({ username: 'operator', password }))
  const given = await third('POST', `/api/admin/approvals/${asked.body.approvalId}/approve`)
  expect(codeOf(given)).toBe('FORBIDDEN_ROLE')
  const known = () =>
    desk.db.execute(sql`select 1 from operator_wallets where address = ${account.address.toLowerCase()}`)
  expect(await known()).toEqual([])
  expect(codeOf(await withWord(add))).toBe(200)
  expect(await known()).toHaveLength(1)
})
