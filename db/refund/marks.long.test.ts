import type { Hash } from 'viem'
import { beforeEach, expect, test } from 'vitest'
import { testDb } from '../../e2e/lab/database.ts'
import { alice } from '../../e2e/lab/ledger-story.ts'
import { forEachTest } from '../../e2e/lab/opened.ts'
import { RefundTrail } from '../../e2e/lab/refund-ledger.ts'
import { operatorTransfers } from '../schema/index.ts'
import { markTransfer } from './decisions.ts'
import { listUnallocated } from './list.ts'

const own = forEachTest(testDb)
const trail = forEachTest(() => RefundTrail.open(own))

beforeEach(async () => {
  await trail.pay(alice, 200)
  await trail.prepare('leftover')
})

const rows = async () => (await trail.rows()).map(({ row, toSend }) => [row.state, row.reason, toSend.amount])
const hash = (): Hash => trail.transfers[0]?.transactionHash as Hash
const mark = (isOther: boolean) => {
  const markedAs = isOther ? ('other' as const) : null
  return trail.db.transaction((tx) => markTransfer(tx, { transactionHash: hash(), position: 0, markedAs }))
}
const listed = async () =>
  (await listUnallocated(trail.db)).map((one) => [one.amount, one.class, one.notRefund])

test('a transfer that has settled a row can be marked as no refund, and the mark taken back', async () => {
  trail.byHand(alice, 200)
  await trail.mine()
  expect(await rows()).toEqual([['settled', null, 0]])
  expect(await mark(true)).toMatchObject({ before: null })
  expect(await rows()).toEqual([['planned', null, 200]])
  expect(await listed()).toEqual([[200, 'other', true]])
  expect(await mark(false)).toMatchObject({ before: 'other' })
  expect(await rows()).toEqual([['settled', null, 0]])
  expect(await listed()).toEqual([])
})

test('what was marked stays marked when its block is replaced, and the row can be paid again', async () => {
  trail.byHand(alice, 200)
  await trail.mine()
  await mark(true)
  await trail.rewind(Number(trail.transfers[0]?.blockNumber))
  await trail.watch()
  expect(await rows()).toEqual([['planned', null, 200]])
  await trail.offer()
  await trail.mine()
  expect(await rows()).toEqual([['settled', null, 0]])
})

test('the mark of a transfer that settled an offered row frees what another transfer then pays', async () => {
  await trail.offer()
  await trail.mine()
  await mark(true)
  trail.byHand(alice, 200)
  await trail.mine()
  expect(await rows()).toEqual([['settled', null, 0]])
  await mark(false)
  // More than was owed went out, so both are shown.
  expect(await listed()).toEqual([
    [200, 'refund', false],
    [200, 'refund', false],
  ])
})

test('what the register paid is a refund whatever anybody says', async () => {
  trail.byHand(alice, 200)
  await trail.mine()
  await trail.db.update(operatorTransfers).set({ debtor: alice })
  await expect(mark(true)).rejects.toMatchObject({ code: 'ALREADY_PROCESSED' })
  expect(await rows()).toEqual([['settled', null, 0]])
})
