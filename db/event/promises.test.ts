import { describe, expect, test } from 'vitest'
import { unitsOf } from '../../core/money.ts'
import { eachOpenEvent, inFuture, rules } from '../../e2e/lab/event-form.ts'
import { envTerms, foldTo, paid } from '../../e2e/lab/ledger-story.ts'
import { freezeLedger } from '../payment/ledger.ts'
import { events } from '../schema/index.ts'
import { saveDraft } from './draft.ts'
import { applyEnvironment } from './environment.ts'
import { getOpenEvent } from './events.ts'
import { emptyDraft, getDraft } from './next.ts'
import { updateEvent } from './update.ts'

const { own, event, endSale, publicChanges } = eachOpenEvent()

describe('entropy, winners and prizes', () => {
  test('entropy is chosen before the first ticket, listed, and stays when a process starts again', async () => {
    const { event: updated } = await updateEvent(own.db, { entropy: 'blocks+drand' }, rules)
    expect(updated).toMatchObject({ entropy: 'blocks+drand', revision: 2 })
    expect(await publicChanges()).toEqual([['entropy', 'blocks', 'blocks+drand']])
    await applyEnvironment(own.db, envTerms, undefined)
    expect(await getOpenEvent(own.db)).toMatchObject({ entropy: 'blocks+drand' })
  })

  test('are listed where they change, and locked since the first ticket, by the form and by the database', async () => {
    const prizes = [
      { kind: 'goods' as const, units: null },
      { kind: 'token' as const, units: `${unitsOf(500_50)}` },
    ]
    await own.db.update(events).set({ winners: 3, prizes })
    expect(await publicChanges()).toEqual([
      ['prizes', 'goods', '2: 500.5 USDT'],
      ['winners', '1', '3'],
    ])
    await foldTo(own.db, event, 5, [paid(event, { block: 2, cents: 3_00 })])
    await expect(updateEvent(own.db, { entropy: 'blocks+drand' }, rules)).rejects.toMatchObject({
      ...{ code: 'EVENT_LOCKED', field: 'entropy' },
    })
    for (const changed of [{ entropy: 'blocks+drand' as const }, { winners: 2 }, { prizes: [] }])
      await expect(own.db.update(events).set(changed)).rejects.toThrow()
    await updateEvent(own.db, { entropy: 'blocks' }, rules)
  })

  test('entropy of the call that opens the next event comes before its draft', async () => {
    await endSale({ drawn: true })
    await freezeLedger(own.db)
    await saveDraft(
      own.db,
      { ...emptyDraft, entropy: 'blocks+drand', claimDays: 60 },
      { terms: envTerms, revision: (await getDraft(own.db)).revision },
    )
    const { event: next } = await updateEvent(own.db, { drawDate: inFuture(3_600), entropy: 'blocks' }, rules)
    expect(next).toMatchObject({ number: 2, entropy: 'blocks', claimDays: 60 })
  })
})
