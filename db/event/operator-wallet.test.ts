import { sql } from 'drizzle-orm'
import { describe, expect, test } from 'vitest'
import { register } from '../../core/chain/register.ts'
import { eachOpenEvent, inFuture, rules } from '../../e2e/lab/event-form.ts'
import { bob, foldTo, operator, paid } from '../../e2e/lab/ledger-story.ts'
import { watchWallet } from '../../e2e/lab/watch-wallet.ts'
import { freezeLedger } from '../payment/ledger.ts'
import { events, payments } from '../schema/index.ts'
import { getOpenEvent, getSaleWallets } from './events.ts'
import { getScanCursor } from './sale.ts'
import { updateEvent } from './update.ts'

const { own, event, endSale } = eachOpenEvent()

describe('operator wallet', () => {
  test('is never the token, the zero address nor the register, as that money is lost for good', async () => {
    const contract = register.address.toLowerCase() as typeof event.token
    for (const operatorWallet of [event.token, `0x${'00'.repeat(20)}`, contract] as const)
      await expect(updateEvent(own.db, { operatorWallet }, rules)).rejects.toMatchObject({
        code: 'INVALID_WALLET',
        field: 'operatorWallet',
      })
    for (const wallet of [event.token, contract]) {
      await expect(own.db.update(events).set({ operatorWallet: wallet })).rejects.toThrow()
      await expect(own.db.update(events).set({ anchorWallet: wallet })).rejects.toThrow()
    }
    await own.db.update(events).set({ anchorWallet: bob })
    await expect(watchWallet(own.db, contract)).rejects.toThrow()
  })

  test('is locked from the sale end on, frozen or not', async () => {
    await endSale()
    for (const step of [async () => undefined, () => freezeLedger(own.db)]) {
      await step()
      await expect(updateEvent(own.db, { operatorWallet: bob }, rules)).rejects.toMatchObject({
        code: 'EVENT_LOCKED',
        field: 'operatorWallet',
      })
    }
  })

  test('of the next event does not make the scan skip late money of the event before', async () => {
    await endSale({ drawn: true })
    await freezeLedger(own.db)
    const cursor = await getScanCursor(own.db)
    await updateEvent(own.db, { drawDate: inFuture(3_600), operatorWallet: bob }, rules)
    expect(await getScanCursor(own.db)).toMatchObject({ height: cursor?.height })
  })

  test('that was replaced is still watched, and payments to it buy nothing', async () => {
    const { event: now } = await updateEvent(own.db, { operatorWallet: bob }, rules)
    expect((await getSaleWallets(own.db)).sort()).toEqual([operator, bob].sort())
    await foldTo(own.db, now, 5, [paid(now, { block: 2, cents: 3_00, wallet: operator })])
    expect(await own.db.select().from(payments)).toMatchObject([{ status: 'rejected', reason: 'old_wallet' }])
  })

  test('that is new is taken back by a ticket that was paid to the one before', async () => {
    await foldTo(own.db, event, 5)
    await own.db.execute(sql`update cursors set newest_block_time = block_time + interval '60 seconds'`)
    const { event: now } = await updateEvent(own.db, { operatorWallet: bob }, rules)
    expect(now.operatorWallet).toBe(bob)
    await foldTo(own.db, event, 9, [
      paid(event, { block: 6, cents: 3_00 }),
      paid(event, { block: 7, cents: 3_00, wallet: bob }),
    ])
    expect(await getOpenEvent(own.db)).toMatchObject({
      ...{ operatorWallet: operator, saleStart: event.saleStart, ticketsSold: 1 },
    })
    expect(await own.db.select().from(payments).orderBy(payments.ticketNumber)).toMatchObject([
      { ticketNumber: 1 },
      { reason: 'early' },
    ])
  })

  test('pinned by the environment cannot be changed by a form', async () => {
    const pinned = { ...rules, pinnedWallet: operator }
    await expect(updateEvent(own.db, { operatorWallet: bob }, pinned)).rejects.toMatchObject({
      code: 'WALLET_PINNED',
    })
    await updateEvent(own.db, { operatorWallet: operator }, pinned)
  })
})
