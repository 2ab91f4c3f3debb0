import { sql } from 'drizzle-orm'
import { keccak256, toHex } from 'viem'
import { expect, test } from 'vitest'
import { testDb } from '../../e2e/lab/database.ts'
import { alice, bob } from '../../e2e/lab/ledger-story.ts'
import { forEachTest } from '../../e2e/lab/opened.ts'
import { RefundTrail } from '../../e2e/lab/refund-ledger.ts'
import { until } from '../../e2e/lab/until.ts'
import { noteChecked } from './checks.ts'
import { noteSent } from './reports.ts'

const own = forEachTest(testDb)
const trail = forEachTest(() => RefundTrail.open(own))
const hash = keccak256(toHex('sent'))

const isWaiting = async () =>
  (await trail.db.execute(sql`select 1 from pg_locks where not granted`)).length > 0

test('a worker that notes checked payers and the desk that notes sent rows both come to their end', async () => {
  for (const payer of [alice, bob]) await trail.pay(payer, 200)
  await trail.prepare('leftover')
  const ids = (await trail.rows()).map(({ row }) => row.id)
  const [first, second] = ids as [number, number]
  // The first row now lies behind the second one in the table, where an update of both meets it last.
  await trail.db.execute(sql`update refund_rows set checked_at = null where id = ${second}`)
  await trail.db.execute(sql`update refund_rows set checked_at = null where id = ${first}`)
  let checked: Promise<void> | undefined
  await trail.db.transaction(async (tx) => {
    await noteSent(tx, [first], hash)
    checked = noteChecked(trail.db, ids, [first])
    checked.catch(() => undefined) // thrown below
    await until(isWaiting, 'the worker waits for the desk')
    await noteSent(tx, [second], hash)
  })
  await checked
  const rows = await trail.rows()
  expect(rows.map(({ stored }) => [stored.state, stored.hold])).toEqual([
    ['sent', 'contract'],
    ['sent', null],
  ])
})
