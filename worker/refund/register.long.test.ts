import { eq, sql } from 'drizzle-orm'
import { type Address, getAddress, type Hash, type Hex, numberToHex } from 'viem'
import { beforeEach, expect, test } from 'vitest'
import { register } from '../../core/chain/register.ts'
import { unitsOf } from '../../core/money.ts'
import type { RefundKind } from '../../core/refund/rules.ts'
import { writeBatch } from '../../db/refund/batch.ts'
import { listRefundRows, listUnallocated } from '../../db/refund/list.ts'
import { offerRefunds } from '../../db/refund/offers.ts'
import { noteSent } from '../../db/refund/reports.ts'
import { operatorTransfers, refundRows, registerEntries } from '../../db/schema/index.ts'
import { newestTime, revertTo, sendMined } from '../../e2e/lab/chain-verbs.ts'
import { type DrawWorld, openDrawWorld } from '../../e2e/lab/draw-story.ts'
import { forEachTest } from '../../e2e/lab/opened.ts'
import { payUpToData, waiveData } from '../../e2e/lab/register.ts'
import { approveData, mintData, transferData, usdt } from '../../e2e/lab/usdt.ts'
import { rpc } from '../../infra/local/rpc.ts'
import { prepareRefunds } from './prepare.ts'
import { watchRefunds } from './watch.ts'

const world = forEachTest(openDrawWorld)
let refunds: ReturnType<typeof refundsOf>
let payer: Address
let wallet: Address

beforeEach(async () => {
  refunds = refundsOf(world)
  payer = world.accounts[1] as Address
  wallet = (world.accounts[0] as Address).toLowerCase() as Address
  await world.send(0, mintData(wallet, unitsOf(100_00)))
  await world.send(0, approveData(register.address))
  await world.pay(1, 2_00, 10)
  await refunds.settle()
  await refunds.prepare('leftover')
})

const sendToRegister = (data: Hex) =>
  sendMined(world.url, { from: wallet, to: register.address, data, gas: numberToHex(1_000_000) })
const pay = (cents: number, payee = payer) =>
  sendToRegister(payUpToData(usdt, [{ debtor: payer, payee, total: unitsOf(cents) }]))
const waive = (cents: number) => sendToRegister(waiveData(usdt, [{ debtor: payer, total: unitsOf(cents) }]))
/** As the desk hands a call out; its deadline is so many seconds after the newest block. */
async function offer(cents: number, seconds = 3600): Promise<void> {
  const validUntil = new Date(((await newestTime(world.url)) + seconds) * 1000)
  await world.db.update(refundRows).set({
    ...{ state: 'offered', offeredAt: sql`now()`, offeredWallet: wallet, offeredUnits: unitsOf(cents) },
    ...{ offeredPath: 'register', offeredTotal: unitsOf(cents), validUntil },
  })
}
const shown = async () => {
  const [row] = await listRefundRows(world.db, { kind: 'leftover', eventNumber: 1 })
  const { state, reason, transactionHash } = row?.row ?? {}
  return [state, reason, transactionHash, row?.toSend.amount, row?.stored.offeredAt !== null]
}
const lower = (address: Address): Address => address.toLowerCase() as Address

test('a payment of the register settles the row that was offered through it, at the address that it goes to', async () => {
  await offer(2_00)
  const payee = world.accounts[7] as Address
  await world.db.update(refundRows).set({ recipient: lower(payee) })
  const hash = await pay(2_00, payee)
  await refunds.settle()
  expect(await shown()).toEqual(['settled', null, hash, 0, false])
  const place = { transactionHash: hash, logPosition: 0, wallet, token: usdt, debtor: lower(payer) }
  expect(await world.db.select().from(operatorTransfers)).toMatchObject([
    { ...place, recipient: lower(payee), units: unitsOf(2_00) },
  ])
  expect(await world.db.select().from(registerEntries)).toMatchObject([
    { ...place, kind: 'paid', payee: lower(payee), units: unitsOf(2_00), total: unitsOf(2_00) },
  ])
})

// The log says whatever the holder of the wallet's key wants, so it is no proof that the debtor was paid.
test('a payment of the register to an address that nobody named frees its row, which says so, and is no refund', async () => {
  await offer(2_00)
  const thief = world.accounts[7] as Address
  await pay(2_00, thief)
  await refunds.settle()
  expect(await shown()).toEqual(['planned', 'elsewhere', null, 2_00, false])
  expect(await listUnallocated(world.db)).toMatchObject([
    { to: getAddress(thief), class: 'other', amount: 2_00 },
  ])
  const hash = await world.send(0, transferData(getAddress(payer), unitsOf(2_00)))
  await refunds.settle()
  expect(await shown()).toEqual(['settled', null, hash, 0, false])
})

test('a plain transfer does not settle what is in flight through the register, and does once its deadline has passed', async () => {
  await offer(2_00, 30)
  const hash = await world.send(0, transferData(getAddress(payer), unitsOf(2_00)))
  await refunds.settle()
  expect(await shown()).toEqual(['offered', null, null, 2_00, true])
  await world.mine(40)
  await refunds.settle()
  expect(await shown()).toEqual(['settled', null, hash, 0, false])
})

test('a call that was never mined frees its row when its deadline has passed at a final block', async () => {
  await offer(2_00, 30)
  await refunds.settle()
  expect(await shown()).toEqual(['offered', null, null, 2_00, true])
  await world.mine(40)
  await refunds.settle()
  expect(await shown()).toEqual(['failed', 'replaced', null, 2_00, false])
})

test('a register that has paid more than the books count shows the row as ahead, and nothing of it is sent', async () => {
  await world.send(0, transferData(getAddress(payer), unitsOf(1_00)))
  await refunds.settle()
  await pay(2_00)
  await refunds.settle()
  expect(await shown()).toEqual(['planned', 'ahead', null, 0, false])
  expect(await refunds.send('leftover')).toEqual([])
})

test('what was waived is not paid: the row stays open, and the register is not ahead', async () => {
  await waive(5_00)
  await refunds.settle()
  expect(await shown()).toEqual(['planned', null, null, 2_00, false])
  expect(await world.db.select().from(registerEntries)).toMatchObject([
    { kind: 'waived', payee: null, units: unitsOf(5_00), total: unitsOf(5_00) },
  ])
})

test('what the register paid and a reorg takes is in flight again, and settles again when it is mined again', async () => {
  await offer(2_00)
  const before = await rpc<string>(world.url, 'evm_snapshot')
  const hash = await pay(2_00)
  await refunds.settle()
  expect(await shown()).toEqual(['settled', null, hash, 0, false])
  await revertTo(world.url, before)
  await world.mine(8)
  await refunds.settle()
  expect(await shown()).toEqual(['sent', null, hash, 2_00, true])
  expect(await world.db.select().from(registerEntries).where(eq(registerEntries.isGone, false))).toEqual([])
  const again = await pay(2_00)
  await refunds.settle()
  expect(await shown()).toEqual(['settled', null, again, 0, false])
})

/** The refunds of a world: workers, the desk, and a wallet of the operator, an account by its number. */
function refundsOf(world: DrawWorld, signer = 0) {
  const minUnits = unitsOf(10)
  const wallet = (world.accounts[signer] as Address).toLowerCase() as Address
  const nonce = async () => Number(await rpc<Hex>(world.url, 'eth_getTransactionCount', [wallet, 'pending']))

  /** Folds and watches final blocks, as the workers do. */
  async function settle(): Promise<void> {
    await world.mine(3)
    // A first run may find that the chain changed, a second one continues from there.
    for (let run = 0; run < 2; run++) {
      await world.scan()
      await watchRefunds(world.deps)
    }
  }

  return {
    settle,
    prepare: async (kind: RefundKind): Promise<void> => {
      await world.db.transaction((tx) => writeBatch(tx, { kind, eventNumber: 1, minUnits }))
      await prepareRefunds({ ...world.deps, refundMinUnits: minUnits }, {})
    },
    /** Signs everything that the desk hands out and returns it. */
    send: async (kind: RefundKind): Promise<{ to: string; hash: Hash }[]> => {
      const sent: { to: string; hash: Hash }[] = []
      for (const { row } of await listRefundRows(world.db, { kind, eventNumber: 1 })) {
        const request = { ids: [row.id], wallet, nonce: await nonce(), transactions: 1 }
        for (const { id, to, units } of await world.db.transaction((tx) => offerRefunds(tx, request))) {
          const hash = await world.send(signer, transferData(to, BigInt(units)))
          sent.push({ to: to.toLowerCase(), hash })
          await world.db.transaction((tx) => noteSent(tx, [id], hash))
          await settle()
        }
      }
      return sent
    },
    states: async (kind: RefundKind) =>
      (await listRefundRows(world.db, { kind, eventNumber: 1 })).map(({ row, toSend }) => [
        row.amount,
        row.state,
        toSend.amount,
      ]),
  }
}
