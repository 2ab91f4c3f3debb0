import { eq, sql } from 'drizzle-orm'
import { expect, test } from 'vitest'
import { ownWalletsSha256, parseTerms } from '../../core/event/terms.ts'
import { testDb } from '../../e2e/lab/database.ts'
import { bob, envTerms, foldTo, openEvent, operator, paid } from '../../e2e/lab/ledger-story.ts'
import { forEachTest } from '../../e2e/lab/opened.ts'
import { freezeLedger } from '../payment/ledger.ts'
import { events, operatorWallets, payments } from '../schema/index.ts'
import { listChanges } from './changes.ts'
import { lockOpenEvent } from './events.ts'
import { getOurWallets, ownWalletsBefore, proveWallet } from './own-wallets.ts'
import { loadPublicFacts } from './public.ts'
import { noteNewestBlock } from './scan-cursor.ts'
import { updateEvent } from './update.ts'

const own = forEachTest(testDb)
const event = forEachTest(() => openEvent(own.db))

const ownSince = async (address: string) =>
  (await getOurWallets(own.db)).find((wallet) => wallet.address === address)?.ownSince
const publicWallets = async () =>
  (await listChanges(own.db)).filter(({ field }) => field === 'ownWallet').map(({ to }) => to)

test('a wallet that signs is an own one for blocks after every block seen, once and in public', async () => {
  await foldTo(own.db, event, 1)
  const newest = event.saleStart.getTime() / 1000 + 5_000
  await noteNewestBlock(own.db, { timestamp: newest, notAfter: newest })
  await proveWallet(own.db, 1, operator)
  expect(await ownSince(operator)).toBe(newest + 1)
  await noteNewestBlock(own.db, { timestamp: newest + 100, notAfter: newest + 100 })
  await proveWallet(own.db, 1, operator)
  expect(await ownSince(operator)).toBe(newest + 1)
  expect(await publicWallets()).toEqual([
    `0x0f0f0F0f0f0F0F0f0F0F0F0F0F0F0f0f0F0F0F0F since ${new Date((newest + 1) * 1000).toISOString()}`,
  ])
})

test('nor for a block of the time in which the proof waits for its turn', async () => {
  let proven: Promise<void> | undefined
  let from = 0
  await own.db.transaction(async (tx) => {
    await lockOpenEvent(tx)
    proven = proveWallet(own.db, 1, operator)
    proven.catch(() => undefined) // thrown below
    await Bun.sleep(2_500)
    const [row] = await tx.execute<{ now: string }>(sql`select extract(epoch from clock_timestamp()) as now`)
    from = Number(row?.now)
  })
  await proven
  expect(await ownSince(operator)).toBeGreaterThan(from)
})

test('what a wallet bought before it was shown to be ours stays bought; naming a wallet takes nothing away', async () => {
  await updateEvent(own.db, { operatorWallet: bob }, { terms: envTerms, pinnedWallet: undefined })
  await foldTo(own.db, event, 4, [paid(event, { block: 2, cents: 9_00, payer: operator, wallet: bob })])
  await proveWallet(own.db, 1, operator)
  const since = (await ownSince(operator)) as number
  const block = since - event.saleStart.getTime() / 1000
  await foldTo(own.db, event, block, [
    paid(event, { block: block - 1, cents: 9_00, payer: operator, wallet: bob }),
    paid(event, { block, cents: 9_00, payer: operator, wallet: bob }),
  ])
  expect(await own.db.select().from(payments).orderBy(payments.blockNumber)).toMatchObject([
    { ticketNumber: 1 },
    { ticketNumber: 4 },
    { reason: 'held', ticketNumber: null },
  ])
})

test('a wallet whose event froze is an own one in the next event, not in the proof of this one', async () => {
  const saleEnd = new Date(event.saleStart.getTime() + 5_000)
  await own.db.update(events).set({ saleEnd, drawDate: new Date(saleEnd.getTime() + 10_000) })
  await foldTo(own.db, event, 5, [paid(event, { block: 2, cents: 9_00 })])
  await freezeLedger(own.db)
  expect(await ownSince(operator)).toBeGreaterThan(saleEnd.getTime() / 1000)
  expect(await ownWalletsBefore(own.db, saleEnd)).toEqual([])
  expect(await publicWallets()).toHaveLength(1)
})

test('no program changes since when a wallet is an own one', async () => {
  await proveWallet(own.db, 1, operator)
  for (const since of [{ ownSince: new Date(0) }, { provenSince: new Date(0) }]) {
    const change = own.db.update(operatorWallets).set(since).where(eq(operatorWallets.address, operator))
    await expect(change).rejects.toThrow()
  }
})

test('the site tells the list of own wallets that its terms name by a hash', async () => {
  await proveWallet(own.db, 1, operator)
  const { facts } = (await loadPublicFacts(own.db)) ?? {}
  const list =
    facts?.event.ownWallets.map(({ address, since }) => ({ address, since: new Date(since) })) ?? []
  expect(list).toEqual([{ address: operator, since: expect.any(Date) }])
  expect(parseTerms(facts?.event.terms as string)?.ownWalletsSha256).toBe(ownWalletsSha256(list))
})
