import { sql } from 'drizzle-orm'
import { type Address, pad, toHex } from 'viem'
import { expect, test } from 'vitest'
import { unitsOf } from '../../core/money.ts'
import { groupOf, groupOfAll, refundGroups } from '../../core/refund/progress.ts'
import { testDb } from '../../e2e/lab/database.ts'
import { alice, bob } from '../../e2e/lab/ledger-story.ts'
import { forEachTest } from '../../e2e/lab/opened.ts'
import { RefundTrail } from '../../e2e/lab/refund-ledger.ts'
import { listPayers } from './payers.ts'

const own = forEachTest(testDb)
const trail = forEachTest(() => RefundTrail.open(own))
const carol: Address = `0x${'ca'.repeat(20)}`
const list = (wanted: Omit<Parameters<typeof listPayers>[1], 'eventNumber'> = {}) =>
  listPayers(trail.db, { eventNumber: 1, ...wanted })
const inCents = (units: string) => Number(BigInt(units) / 10n ** 16n)

test('a payer is one line over all batches: owed, paid, in flight, held and left', async () => {
  await trail.pay(alice, 200)
  await trail.prepare('leftover')
  await trail.offer()
  await trail.mine()
  await trail.pay(alice, 600)
  await trail.pay(bob, 900)
  await trail.pay(carol, 300)
  await trail.enterRefundMode()
  trail.byHand(bob, 250)
  await trail.mine()
  await trail.prepare('event')
  await trail.db.execute(sql`update refund_rows set hold = 'exchange' where payer = ${carol}`)
  const [row] = (await trail.rows()).filter(
    ({ stored }) => stored.payer === alice && stored.state === 'planned',
  )
  await trail.db.execute(sql`update refund_rows set state = 'offered', offered_at = now(), offered_units = units
    where id = ${row?.row.id}`)
  const { payers, groups, found, page, pages } = await list()
  expect(
    payers.map(({ payer, owed, paid, inFlight, held, left, rows }) => [
      payer.toLowerCase(),
      ...[owed, paid, inFlight, held, left].map(inCents),
      rows.map(({ kind, state }) => `${kind} ${state}`),
    ]),
  ).toEqual([
    [alice, 800, 200, 600, 0, 0, ['leftover settled', 'event offered']],
    [bob, 900, 250, 0, 0, 650, ['event planned']],
    [carol, 300, 0, 0, 300, 0, ['event planned']],
  ])
  expect({ groups, found, page, pages }).toEqual({
    groups: { left: 1, underWay: 1, held: 1, done: 0 },
    found: { payers: 3, amount: 2_000 },
    ...{ page: 1, pages: 1 },
  })
})

test('payers are found by address, by the address they moved to and by transaction, and shown by group', async () => {
  await trail.pay(alice, 200)
  await trail.pay(bob, 100)
  await trail.prepare('leftover')
  await trail.db.execute(sql`update refund_rows set recipient = ${carol} where payer = ${bob}`)
  const names = async (wanted: Parameters<typeof list>[0]) =>
    (await list(wanted)).payers.map(({ payer }) => payer.toLowerCase())
  expect(await names({ find: alice.toUpperCase().slice(2, 10) })).toEqual([alice])
  expect(await names({ find: ` ${carol} ` })).toEqual([bob])
  expect(await names({ find: '100%' })).toEqual([])
  const [sent] = await trail.offer()
  expect(await names({ find: sent?.hash.slice(0, 20) ?? '-' })).toEqual([alice])
  expect(await names({ group: 'underWay' })).toEqual([alice, bob])
  await trail.mine()
  expect(await names({ group: 'underWay' })).toEqual([])
  expect(await names({ group: 'done', find: 'b0b0' })).toEqual([bob])
  expect((await listPayers(trail.db, { eventNumber: 2 })).payers).toEqual([])
})

test('the groups of the list are those of the rows, whatever their state and hold', async () => {
  await trail.pay(alice, 200)
  await trail.prepare('leftover')
  await trail.db.execute(sql`
    insert into refund_rows (batch_id, payer, recipient, units, state, reason, hold, released_at, checked_at)
    select 1, '0x' || lpad(to_hex(n), 40, '0'), alice, 1, state, reason, hold, released_at, checked_at
    from (select row_number() over () as n, * from unnest(array['planned', 'offered', 'sent', 'settled', 'failed']) state,
      unnest(array['ahead', null]) reason, unnest(array['dust', null]) hold, unnest(array[now(), null]) released_at,
      unnest(array[now(), null]) checked_at, lateral (select ${alice} as alice) a) one`)
  for (const group of refundGroups) {
    const { payers } = await list({ group })
    expect(payers.length).toBeGreaterThan(10)
    for (const { rows } of payers) expect([rows, groupOfAll(rows.map(groupOf))]).toEqual([rows, group])
  }
  expect(await list()).toMatchObject({ groups: { left: 19, underWay: 32, held: 14, done: 16 } })
})

test('any page of 10,000 payers is read', async () => {
  await trail.pay(alice, 200)
  await trail.prepare('leftover')
  await trail.db.execute(sql`insert into refund_rows (batch_id, payer, recipient, units)
    select 1, a, a, ${unitsOf(300).toString()}::numeric from (
      select '0x' || lpad(to_hex(n), 40, '0') as a from generate_series(1, 10000) n) p`)
  const { payers, pages, groups } = await list({ page: 400 })
  expect([payers.length, pages, groups.left]).toEqual([25, 401, 10_001])
  expect(payers[0]?.payer.toLowerCase()).toBe(pad(toHex(9_975), { size: 20 }))
})
