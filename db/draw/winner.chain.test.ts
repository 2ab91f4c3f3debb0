import { afterEach, describe, expect, test } from 'vitest'
import { type DrawWorld, drawAt, openDrawWorld } from '../../e2e/lab/draw-story.ts'
import { envTerms } from '../../e2e/lab/ledger-story.ts'
import { stateNow } from '../../e2e/lab/public-state.ts'
import { daysFromNow, fromNow } from '../../e2e/lab/test-time.ts'
import { updateEvent } from '../event/update.ts'
import { draws } from '../schema/index.ts'
import { announceAgain, clearWinner } from './draws.ts'
import { enterRefundMode, loadProof } from './facts.ts'

let world: DrawWorld
afterEach(() => world?.close())

const inTransaction = <T>(act: (db: DrawWorld['db']) => Promise<T>) => world.db.transaction((tx) => act(tx))
const rules = { terms: envTerms, pinnedWallet: undefined }
const nextDate = () => daysFromNow(1)

/** The drawing goes on until the test ends it, however long it takes. */
async function drawn(): Promise<void> {
  world = await openDrawWorld()
  await world.drawn()
  await dateDraw(fromNow(3_600))
}
const reveal = () => dateDraw(fromNow(-10))
/** Only the owner of the table can. */
async function dateDraw(drawnAt: Date): Promise<void> {
  await world.db.execute('alter table draws disable trigger draws_append_only')
  await world.db.update(draws).set({ drawnAt })
  await world.db.execute('alter table draws enable trigger draws_append_only')
}

describe('an archive', () => {
  test('waits for the end of the drawing, then keeps the winner in the public history and the proof as it was', async () => {
    await drawn()
    const early = updateEvent(world.db, { drawDate: nextDate() }, rules)
    await expect(early).rejects.toMatchObject({ code: 'EVENT_LOCKED' })
    await reveal()
    const proof = await loadProof(world.db, 1)
    const { archived, event } = await updateEvent(world.db, { drawDate: nextDate(), minTickets: 7 }, rules)
    expect([archived, event.number, event.minTickets]).toEqual([1, 2, 7])
    const { winner, history, drawStatus } = await stateNow(world.db)
    expect([winner, drawStatus.isDrawing]).toEqual([null, false])
    expect(history).toMatchObject([{ eventNumber: 1, winnerTransactionHash: proof?.winner.transactionHash }])
    expect(await loadProof(world.db, 1)).toEqual(proof)
    expect(await loadProof(world.db, 2)).toBeUndefined()
  })

  test('shows a cleared winner again', async () => {
    await drawn()
    await reveal()
    const cleared = await inTransaction(clearWinner)
    expect((await stateNow(world.db)).history).toEqual([])
    await updateEvent(world.db, { drawDate: nextDate() }, rules)
    expect((await stateNow(world.db)).history).toMatchObject([
      { eventNumber: 1, winnerWallet: cleared.walletAddress },
    ])
  })
})

describe('a clear', () => {
  test('I12: of many parallel clears one hides the winner, and of many draws after it one shows it again', async () => {
    await drawn()
    await expect(inTransaction(clearWinner)).rejects.toMatchObject({ code: 'NO_WINNER' })
    await reveal()
    const clears = await Promise.allSettled(Array.from({ length: 8 }, () => inTransaction(clearWinner)))
    expect(clears.filter(({ status }) => status === 'fulfilled')).toHaveLength(1)
    const again = await Promise.all(Array.from({ length: 8 }, () => inTransaction(announceAgain)))
    expect(again.filter(Boolean)).toHaveLength(1)
    expect(await world.db.select().from(draws)).toHaveLength(1)
    await expect(inTransaction(clearWinner)).rejects.toMatchObject({ code: 'NO_WINNER' })
  })
})

test('I14: an event that was drawn, also one whose winner was cleared, never goes into refund mode', async () => {
  await drawn()
  await reveal()
  await inTransaction(clearWinner)
  const long = 30 * 86_400
  expect(await enterRefundMode(world.db, 1, { finalTime: world.start + drawAt + long })).toBeUndefined()
  await world.draw()
  expect((await world.event()).refundModeAt).toBeNull()
})
