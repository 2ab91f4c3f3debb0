import { sql } from 'drizzle-orm'
import { type Address, type Hash, keccak256, toHex } from 'viem'
import { expect, test } from 'vitest'
import { unitsOf } from '../../core/money.ts'
import { testDb } from '../../e2e/lab/database.ts'
import { alice, bob, operator } from '../../e2e/lab/ledger-story.ts'
import { forEachTest } from '../../e2e/lab/opened.ts'
import { RefundTrail } from '../../e2e/lab/refund-ledger.ts'
import { type BookLine, eachBookLine } from './book-lines.ts'
import { listPayers } from './payers.ts'

const own = forEachTest(testDb)
const trail = forEachTest(() => RefundTrail.open(own))
const other: Address = `0x${'0e'.repeat(20)}`

/** The smallest possible pages: nobody is lost between two of them. */
async function books(): Promise<BookLine[]> {
  const lines: BookLine[] = []
  await eachBookLine(trail.db, { eventNumber: 1, limit: 1 }, async (page) => void lines.push(...page))
  return lines
}
const inCents = (units: bigint) => Number(units / 10n ** 16n)
const shown = async () =>
  (await books()).map(({ payer, wallet, hashes, owed, paid, register, outside, inFlight, held, left }) => ({
    ...{ payer: payer.toLowerCase(), wallet: wallet.toLowerCase(), hashes },
    sums: [owed, paid, register, outside, inFlight, held, left].map(inCents),
  }))

/** A payment of the register by `wallet`, as the watch records it. */
async function payByRegister(wallet: Address, payer: Address, cents: number): Promise<Hash> {
  const hash = keccak256(toHex(`register ${payer} ${cents}`))
  await trail.db.execute(sql`insert into operator_transfers
    (transaction_hash, log_position, token, wallet, recipient, units, debtor, block_number, block_hash, block_time)
    values (${hash}, 0, ${trail.event.token}, ${wallet}, ${payer}, ${unitsOf(cents).toString()}, ${payer},
      ${trail.height}, '0x', now())`)
  return hash
}

test('the books say by payer and wallet what is owed and how it was paid: by the register or past it', async () => {
  await trail.pay(alice, 200)
  const second = await trail.pay(alice, 100)
  await trail.pay(bob, 250)
  await trail.prepare('leftover')
  await trail.db.execute(
    sql`update payments set wallet = ${other} where transaction_hash = ${second.transactionHash}`,
  )
  const byRegister = await payByRegister(other, alice, 60)
  trail.byHand(alice, 150)
  trail.byHand(bob, 250)
  await trail.mine()
  const [toAlice, toBob] = trail.transfers.map(({ transactionHash }) => transactionHash)
  const lines = await shown()
  expect(lines).toEqual([
    { payer: alice, wallet: operator, hashes: expect.any(Array), sums: [200, 150, 0, 150, 0, 0, 50] },
    { payer: alice, wallet: other, hashes: expect.any(Array), sums: [100, 60, 60, 0, 0, 0, 40] },
    { payer: bob, wallet: operator, hashes: [toBob], sums: [250, 250, 0, 250, 0, 0, 0] },
  ])
  expect([...(lines[0]?.hashes ?? [])].sort()).toEqual([byRegister, toAlice].sort())
})

test('the books and the list of payers tell the same sums', async () => {
  await trail.pay(alice, 200)
  await trail.pay(bob, 250)
  await trail.prepare('leftover')
  await trail.offer()
  trail.byHand(bob, 50)
  const { payers } = await listPayers(trail.db, { eventNumber: 1 })
  const sums = ({
    owed,
    paid,
    inFlight,
    held,
    left,
  }: Record<'owed' | 'paid' | 'inFlight' | 'held' | 'left', unknown>) =>
    [owed, paid, inFlight, held, left].map(String)
  expect((await books()).map(sums)).toEqual(payers.map(sums))
  await trail.mine()
  expect((await shown()).map((line) => line.sums)).toEqual([
    [200, 200, 0, 200, 0, 0, 0],
    [250, 250, 0, 250, 0, 0, 0],
  ])
})
