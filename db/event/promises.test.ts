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

describe('entropy and number of winners', () => {
  test('are chosen before the first ticket, listed, and stay when a process starts again', async () => {
    const { event: updated } = await updateEvent(own.db, { entropy: 'blocks+drand', winners: 3 }, rules)
    expect(updated).toMatchObject({
      ...{ entropy: 'blocks+drand', winners: 3, revision: 2 },
    })
    expect(await publicChanges()).toEqual([
      ['entropy', 'blocks', 'blocks+drand'],
      ['winners', '1', '3'],
    ])
    await applyEnvironment(own.db, envTerms, undefined)
    expect(await getOpenEvent(own.db)).toMatchObject({ entropy: 'blocks+drand', winners: 3 })
  })

  test('are locked since the first ticket, by the form and by the database', async () => {
    await foldTo(own.db, event, 5, [paid(event, { block: 2, cents: 3_00 })])
    for (const [field, value] of [
      ['entropy', 'blocks+drand'],
      ['winners', 2],
    ] as const) {
      await expect(updateEvent(own.db, { [field]: value }, rules)).rejects.toMatchObject({
        ...{ code: 'EVENT_LOCKED', field },
      })
      await expect(own.db.update(events).set({ [field]: value })).rejects.toThrow()
    }
    await updateEvent(own.db, { entropy: 'blocks', winners: 1 }, rules)
  })

  test('prizes are one for each winner, listed where they are money, and locked like the rest', async () => {
    const token = (cents: number) => ({ kind: 'token' as const, units: `${unitsOf(cents)}` })
    const goods = { kind: 'goods' as const, units: null }
    const refused = { code: 'INVALID_VALUE', field: 'prizes' }
    await expect(updateEvent(own.db, { prizes: [token(5_00), goods] }, rules)).rejects.toMatchObject(refused)
    await expect(updateEvent(own.db, { prizes: [token(0)] }, rules)).rejects.toMatchObject(refused)
    await updateEvent(own.db, { winners: 3, prizes: [goods, token(500_50), goods] }, rules)
    expect(await getOpenEvent(own.db)).toMatchObject({
      ...{ winners: 3, prizes: [goods, token(500_50)] },
    })
    await updateEvent(own.db, { prizes: [goods, token(500_50), goods] }, rules)
    // Fewer winners take their prizes with them.
    await updateEvent(own.db, { winners: 1 }, rules)
    expect(await getOpenEvent(own.db)).toMatchObject({ winners: 1, prizes: [] })
    expect((await publicChanges()).filter(([field]) => field === 'prizes')).toEqual([
      ['prizes', 'goods', '2: 500.5 USDT'],
      ['prizes', '2: 500.5 USDT', 'goods'],
    ])
    await foldTo(own.db, event, 5, [paid(event, { block: 2, cents: 3_00 })])
    await expect(updateEvent(own.db, { prizes: [token(1_00)] }, rules)).rejects.toMatchObject({
      ...{ code: 'EVENT_LOCKED', field: 'prizes' },
    })
    await expect(own.db.update(events).set({ prizes: [token(1_00)] })).rejects.toThrow()
    await updateEvent(own.db, { prizes: [goods] }, rules)
  })

  test('of the call that opens the next event come before its draft', async () => {
    await endSale({ drawn: true })
    await freezeLedger(own.db)
    await saveDraft(
      own.db,
      { ...emptyDraft, entropy: 'blocks+drand', winners: 5 },
      { terms: envTerms, revision: (await getDraft(own.db)).revision },
    )
    const { event: next } = await updateEvent(own.db, { drawDate: inFuture(3_600), winners: 2 }, rules)
    expect(next).toMatchObject({ number: 2, entropy: 'blocks+drand', winners: 2 })
  })
})
