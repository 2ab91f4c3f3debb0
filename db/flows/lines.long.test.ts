import { createHash } from 'node:crypto'
import { sql } from 'drizzle-orm'
import type { Address } from 'viem'
import { expect, test } from 'vitest'
import { createFlowsReader, type FlowLine, type FlowsHead } from '../../core/flows/file.ts'
import { unitsOf } from '../../core/money.ts'
import { testDb } from '../../e2e/lab/database.ts'
import { openWallet, received, reckonTo, sent } from '../../e2e/lab/flows-story.ts'
import { alice, bob, foldTo, openEvent, operator, paid } from '../../e2e/lab/ledger-story.ts'
import { forFile } from '../../e2e/lab/opened.ts'
import { watchWallet } from '../event/events.ts'
import { events } from '../schema/index.ts'
import { checkedFlowsFile, fingerprintFlows, flowsFilePages, getFlowsHead } from './lines.ts'

const { db } = await forFile(testDb())
const event = await openEvent(db)
const refunder = `0x${'1f'.repeat(20)}` as Address
await watchWallet(db, operator)
await watchWallet(db, refunder)
await db.execute(
  sql`update operator_wallets set role = 'refund', own_since = now() where address = ${refunder}`,
)

async function fileOf(number = 1, rows?: number) {
  const head = (await getFlowsHead(db, number)) as FlowsHead
  const text = (await Array.fromAsync(flowsFilePages(db, head, rows))).map((page) => page.text).join('')
  const reader = createFlowsReader()
  const lines: FlowLine[] = []
  const problems = text
    .slice(0, -1)
    .split('\n')
    .flatMap((each) => {
      const taken = reader.take(each)
      if (typeof taken === 'object') lines.push(taken)
      return typeof taken === 'string' ? [taken] : []
    })
  expect([problems, reader.end(), reader.head()]).toEqual([[], undefined, head])
  return { text, lines, head }
}
const told = (lines: readonly FlowLine[]) =>
  lines.map((line) => [
    ...[Number(line.blockNumber), line.direction, line.wallet, line.counterparty],
    ...[line.units / unitsOf(1), line.class],
  ])

test('there is no file of an event for which nothing was reckoned', async () => {
  expect(await getFlowsHead(db, 1)).toBe(undefined)
  await openWallet(db, event, { block: 1, cents: 5_00 })
  expect(await getFlowsHead(db, 1)).toBe(undefined)
  expect(await getFlowsHead(db, 7)).toBe(undefined)
})

test('every transfer since the opening is a line, in chain order, each with its class; earlier ones are part of the opening', async () => {
  await openWallet(db, event, { block: 4, cents: 0, wallet: refunder })
  const top = { block: 6, index: 2, to: refunder, cents: 4_00 }
  await foldTo(db, event, 20, [
    paid(event, { block: 1, cents: 3_00, payer: bob }),
    paid(event, { block: 2, cents: 99_00 }),
    paid(event, { block: 3, cents: 1_00, payer: bob, index: 3 }),
    paid(event, { block: 6, cents: 6_00, index: 1 }),
    paid(event, { block: 19, cents: 9_00 }),
  ])
  const hash = await sent(db, event, top)
  await received(db, event, { ...top, hash, from: operator })
  await received(db, event, { block: 3, to: refunder, cents: 1, from: bob })
  await received(db, event, { block: 8, to: refunder, cents: 2, from: bob })
  await sent(db, event, { block: 9, from: refunder, to: bob, cents: 1_00 })
  await sent(db, event, { block: 9, to: alice, cents: 2_00, index: 7 })
  await reckonTo(db, event, 18)
  const { lines, head } = await fileOf()
  expect(told(lines)).toEqual([
    [2, 'in', operator, alice, 99_00n, 'credited'],
    [3, 'in', operator, bob, 1_00n, 'underpaid'],
    [6, 'in', operator, alice, 6_00n, 'credited'],
    [6, 'in', refunder, operator, 4_00n, 'own'],
    [6, 'out', operator, refunder, 4_00n, 'own'],
    [8, 'in', refunder, bob, 2n, 'other'],
    [9, 'out', refunder, bob, 1_00n, 'other'],
    [9, 'out', operator, alice, 2_00n, 'other'],
  ])
  expect(head.wallets.map((each) => [each.address, each.openingBlock, each.openingUnits])).toEqual([
    [operator, 1n, unitsOf(5_00)],
    [refunder, 4n, 0n],
  ])
})

test('is the same in pages of any size, and has the fingerprint that is told beforehand', async () => {
  const { text, head } = await fileOf()
  for (const rows of [1, 2, 3, 5]) expect((await fileOf(1, rows)).text).toBe(text)
  expect(await fingerprintFlows(db, head)).toBe(`0x${createHash('sha256').update(text).digest('hex')}`)
})

test('breaks off where the transfers are not those that were counted, or fingerprinted', async () => {
  const { head } = await fileOf()
  let told = 0
  const read = async (counted: FlowsHead, sha256: `0x${string}`) =>
    Array.fromAsync(checkedFlowsFile(db, counted, sha256, () => told++))
  const sha256 = await fingerprintFlows(db, head)
  await expect(read({ ...head, lines: head.lines + 1 }, sha256)).rejects.toThrow('its head says')
  await expect(read(head, `0x${'00'.repeat(32)}`)).rejects.toThrow('changed while it was sent')
  expect([told, (await read(head, sha256)).length]).toEqual([2, 2])
})

test('a wallet whose opening nobody could tell is named without it', async () => {
  await db.execute(
    sql`update wallet_openings set units = null, why = 'state_gone' where wallet = ${refunder}`,
  )
  const { text, head } = await fileOf()
  expect(head.wallets[1]?.openingUnits).toBe(null)
  expect(text).toMatch(new RegExp(`\n${refunder},4,0x[0-9a-f]{64},none\n`))
  await db.execute(sql`update wallet_openings set units = 0, why = null where wallet = ${refunder}`)
})

test("the next event's file begins where this one's ends, with what is held there", async () => {
  const before = await fileOf()
  const [row] = await db.select().from(events)
  await db.execute(sql`update events set archived_at = now()`)
  await db.insert(events).values({
    ...(row as typeof events.$inferInsert),
    ...{
      number: 2,
      archivedAt: null,
      ticketsSold: 0,
      saleStart: new Date(event.saleStart.getTime() + 30_000),
    },
  })
  await sent(db, event, { block: 21, to: bob, cents: 1_00 })
  await reckonTo(db, { ...event, number: 2 }, 25)
  const { lines, head } = await fileOf(2)
  expect(told(lines)).toEqual([
    [19, 'in', operator, alice, 9_00n, 'credited'],
    [21, 'out', operator, bob, 1_00n, 'other'],
  ])
  const held = 500n + 9_900n + 100n + 600n - 400n - 200n
  expect(head.wallets.map((each) => [each.address, each.openingBlock, each.openingUnits])).toEqual([
    [operator, 18n, held * unitsOf(1)],
    [refunder, 18n, unitsOf(4_00 + 2 - 1_00)],
  ])
  expect(head.wallets[0]?.openingHash).toBe(before.head.until.hash)
  expect((await fileOf()).text).toBe(before.text)
})
