import { sql } from 'drizzle-orm'
import type { Address } from 'viem'
import { expect, test } from 'vitest'
import { formerWalletsSha256, parseTerms, termsSha256 } from '../../core/event/terms.ts'
import { unitsOf } from '../../core/money.ts'
import { listAudit } from '../../db/admin/settings.ts'
import { isShut } from '../../db/event/shut.ts'
import { termsOf } from '../../db/event/terms.ts'
import { draws, endings, events, outgoingTransfers } from '../../db/schema/index.ts'
import { drawAt, openDrawWorld } from '../../e2e/lab/draw-story.ts'
import { forEachTest } from '../../e2e/lab/opened.ts'
import { withOtherPast } from '../../e2e/lab/other-past.ts'
import { fromNow } from '../../e2e/lab/test-time.ts'
import { transferData, usdtUnits } from '../../e2e/lab/usdt.ts'
import { closeSale } from '../../worker/payment/second-reading.ts'
import { watchRefunds } from '../../worker/refund/refunds.ts'
import { runAdmin } from './admin.ts'

const world = forEachTest(() => openDrawWorld())
/** What the command says, whether it opens the house or not. */
const run = (...words: string[]) =>
  runAdmin(world.db, ['after-restore', ...words]).catch((error: Error) => error.message)
const nothing = ['--ending', '1=none', '--wallet', '1=none']
const account = (number: number) => world.accounts[number]?.toLowerCase() as Address
/** The terms on record with other values, as the house promised them after the backup. */
async function promised(changed: Record<string, string>): Promise<string> {
  const terms = parseTerms(await termsOf(world.db, await world.event())) as Record<string, string>
  return lineOf({ ...terms, ...changed })
}
const lineOf = (terms: Record<string, string>) => `blockdraw-terms-2,${Object.values(terms).join()}\n`
/** The worker reads all there is; up to now, unless nothing is new. */
async function read({ isNew = true } = {}): Promise<void> {
  await (isNew ? world.catchUp() : world.scan())
  await watchRefunds({ ...world.deps, refundMinUnits: usdtUnits(0.1) })
}
/** The register has paid account 1 back so much in all. */
async function paidBack(total: bigint): Promise<void> {
  const hash = termsSha256('a refund')
  await world.db.insert(outgoingTransfers).values({
    ...{ wallet: account(0), recipient: account(1), token: (await world.event()).token, units: total, total },
    ...{ transactionHash: hash, transactionIndex: 0, firstLogIndex: 0 },
    ...{ blockNumber: 1n, blockHash: hash, blockTime: fromNow(-3_000) },
  })
}
/** As `bun run restore` leaves the database. */
const restore = () => world.db.execute(sql`update house set shut_since = now(), version = version + 1`)

test('a house that was restored says what the chain knows more, takes the line that the chain knows, and then opens', async () => {
  const line = await promised({ minTickets: '20' })
  await restore()
  expect(await run(...nothing)).toContain('The worker has not read the chain up to now')
  await world.pay(1, 9_00, 10)
  await world.sendAnchor(termsSha256(line), { at: 20 })
  await world.sendAnchor(termsSha256('a stranger'), { at: 25, from: 5 })
  await read()
  const told = await run(...nothing)
  expect(told).toContain(`Event 1: ${termsSha256(line)}, anchored by ${account(0)}`)
  expect(told).toContain(`1 anchors are left out, by wallets that are not ours: ${account(5)}`)
  expect(await run('--terms', await promised({ minTickets: '21' }))).toContain('is not on the chain')
  expect(await run('--terms', 'hello')).toContain('no terms line')
  expect([(await world.event()).minTickets, await isShut(world.db)]).toEqual([10, true])

  expect(await run('--terms', line.trim(), ...nothing)).toContain('The terms of event 1 are taken and locked')
  expect(await world.event()).toMatchObject({ minTickets: 20, ticketsSold: 0, lockedAt: expect.any(Date) })
  expect(await termsOf(world.db, await world.event())).toBe(line)
  await read({ isNew: false })
  expect((await world.event()).ticketsSold).toBe(3)
  expect(await run()).toContain('Was event 1 ended after the backup?')
  expect(await run(...nothing)).toContain('The house is open.')
  expect(await isShut(world.db)).toBe(false)
  expect(await run()).toContain('the house is open')
  expect((await listAudit(world.db, { action: 'cli.after-restore' })).map(({ outcome }) => outcome)).toEqual([
    'cli',
    'cli',
  ])
})

test('a line of another wallet is taken once somebody says that the wallet is ours, and what was paid to it counts', async () => {
  const wallet = account(4)
  const line = await promised({ operatorWallet: wallet })
  await restore()
  await world.sendAt(10, 1, transferData(wallet, unitsOf(6_00)))
  await world.sendAnchor(termsSha256(line), { at: 20, from: 4 })
  await read()
  expect(await run('--terms', line)).toContain(`--wallet 1=${wallet}`)
  expect(await run('--terms', line, '--wallet', `1=${wallet}`)).toContain('are taken and locked')
  await read({ isNew: false })
  expect(await world.event()).toMatchObject({ operatorWallet: wallet, ticketsSold: 2 })
  expect(await run('--ending', '1=none', '--wallet', `1=${wallet}`)).toContain('The house is open.')
})

test('the next event, opened after the backup of one that is over, is opened again by its line', async () => {
  await world.drawn()
  await withOtherPast(world.db, (tx) => tx.update(draws).set({ drawnAt: fromNow(-60) }))
  await restore()
  const past = parseTerms(await termsOf(world.db, await world.event())) as Record<string, string>
  const line = lineOf({
    ...past,
    ...{ eventNumber: '2', anchorWallet: account(4), saleStart: `${world.start + drawAt + 30}` },
    ...{
      saleEnd: 'none',
      drawDate: 'none',
      formerWalletsSha256: formerWalletsSha256([account(0)]) as string,
    },
  })
  await world.pay(1, 6_00, drawAt + 40)
  await world.sendAnchor(termsSha256(line), { at: drawAt + 50, from: 4, eventNumber: 2 })
  await read()
  expect(await run('--terms', line)).toContain(`${account(4)} is no wallet of ours`)
  expect(await run('--terms', line, '--wallet', `2=${account(4)}`)).toContain(
    'The terms of event 2 are taken',
  )
  await read({ isNew: false })
  expect(await termsOf(world.db, await world.event())).toBe(line)
  expect(await world.event()).toMatchObject({ number: 2, ticketsSold: 2, anchorWallet: account(4) })
})

test('an event that was stopped after the backup is refunded from the moment the house opens', async () => {
  const dates = { saleEnd: fromNow(3_600_000), drawDate: fromNow(3_700_000) }
  await withOtherPast(world.db, (tx) => tx.update(events).set(dates))
  await world.pay(1, 9_00, 10)
  await restore()
  await read()
  expect(await run('--wallet', '1=none', '--ending', '1=refunds:stopped')).toContain('The house is open.')
  expect(await world.db.select().from(endings)).toMatchObject([
    { eventNumber: 1, kind: 'refunds', reason: 'stopped' },
  ])
})

test('who has seen the winner ends no event in refunds, unless the chain shows that they had begun', async () => {
  await world.toDraw()
  await restore()
  await read()
  for (const cause of ['stopped', 'ledger'])
    expect(await run('--confirm', '--ending', `1=refunds:${cause}`)).toContain(
      'The draw date of event 1 has come',
    )
  for (const cause of ['minimum', 'overdue', 'beacon_lost'])
    expect(await run('--ending', `1=refunds:${cause}`)).toContain(' run admin <command>')
  expect([await world.db.select().from(endings), await isShut(world.db)]).toEqual([[], true])
  await paidBack(1n)
  expect(await run('--ending', '1=refunds:stopped')).toContain('The house is open.')
  expect(await world.db.select().from(endings)).toMatchObject([{ kind: 'refunds', reason: 'stopped' }])
})

test('refunds that follow from the facts on record need no answer', async () => {
  await world.sell(1)
  await world.reachDraw()
  await restore()
  await read()
  await paidBack(unitsOf(200_00))
  const told = 'refunds began after the backup'
  expect(await run('--ending', '1=none')).toContain(told)
  await withOtherPast(world.db, (tx) => tx.update(events).set({ minTickets: 100 }))
  expect(await run('--ending', '1=none')).toContain(told)
  await closeSale(world.deps)
  expect(await run('--ending', '1=none')).not.toContain(told)
  expect(await run('--ending', '1=drawn')).toContain(told)
})

test.each(['payments', 'outgoing'])('the house stays shut while the cursor of %s is behind', async (name) => {
  await restore()
  await read()
  const late = sql`update cursors set block_time = block_time - interval '10 minutes' where name = ${name}`
  await withOtherPast(world.db, (tx) => tx.execute(late))
  expect(await run(...nothing)).toContain('The worker has not read the chain up to now')
})

test.each([
  ['none of ours', false, 'is no wallet of ours'],
  ['no other line for locked terms, whoever is said to be ours', true, 'are locked'],
])('a line that a stranger has anchored is %s', async (_, isLocked, why) => {
  const line = await promised({ anchorWallet: account(5), ticketPrice: '1000000000000000', minTickets: '1' })
  await world.sendAnchor(termsSha256(line), { at: 5, from: 5 })
  if (isLocked) await world.pay(1, 9_00, 10)
  await restore()
  await read()
  const named = isLocked ? ['--wallet', `1=${account(5)}`] : []
  expect(await run('--terms', line, ...named)).toContain(why)
  expect(await world.event()).toMatchObject({ ticketPrice: unitsOf(3_00), ticketsSold: isLocked ? 3 : 0 })
})

test('--confirm opens the house whatever is open, and the audit list says what was', async () => {
  const sha256 = termsSha256(await promised({ minTickets: '20' }))
  await world.sendAnchor(sha256, { at: 20 })
  await restore()
  await read()
  expect(await run('--confirm')).toContain('The house is open.')
  const [row] = await listAudit(world.db, { action: 'cli.after-restore' })
  expect(JSON.stringify(row?.after)).toContain(sha256)
})

test.each([['--wallet', '1=0x12'], ['--ending', '1=lost'], ['--terms'], ['now']])(
  '%s %s is no answer',
  async (...words) => {
    expect(await run(...words.filter(Boolean))).toContain(' run admin <command>')
  },
)
