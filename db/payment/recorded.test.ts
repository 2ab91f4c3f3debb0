import { expect, test } from 'vitest'
import { testDb } from '../../e2e/lab/database.ts'
import { bob, foldTo, openEvent, paid } from '../../e2e/lab/ledger-story.ts'
import { forFile } from '../../e2e/lab/opened.ts'
import { watchWallet } from '../../e2e/lab/watch-wallet.ts'
import { notRecorded, withoutKnown } from './recorded.ts'
import { getSaleRules } from './sale-rules.ts'

const { db } = await forFile(testDb())
const event = await openEvent(db)
const former = `0x${'0e'.repeat(20)}` as const
await watchWallet(db, former)

test('what one transaction pays is on record by payer and by wallet, each for itself', async () => {
  const first = paid(event, { block: 1, cents: 3_00 })
  const ofOther = { ...first, payer: bob, firstLogIndex: 1 }
  const toOther = { ...first, wallet: former, firstLogIndex: 2 }
  await foldTo(db, event, 2, [first])
  const found = [first, ofOther, toOther]
  expect(await notRecorded(db, found)).toEqual([ofOther, toOther])

  // Read again after a reorg: a ticket of an open event is never skipped, what got none stays in its block.
  const short = paid(event, { block: 3, cents: 1 })
  await foldTo(db, event, 3, [short])
  const again = [first, short, { ...short, payer: bob }, { ...short, wallet: former }]
  expect(await withoutKnown(db, again, await getSaleRules(db))).toEqual([
    first,
    { ...short, payer: bob },
    { ...short, wallet: former },
  ])
})
