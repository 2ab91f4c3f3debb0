import { eq } from 'drizzle-orm'
import { expect, test } from 'vitest'
import { testDb } from '../../e2e/lab/database.ts'
import { bob, envTerms, foldTo, openEvent, operator, paid } from '../../e2e/lab/ledger-story.ts'
import { forEachTest } from '../../e2e/lab/opened.ts'
import { operatorWallets, payments } from '../schema/index.ts'
import { listChanges } from './changes.ts'
import { getOurWallets, proveWallet } from './own-wallets.ts'
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

test('no program changes since when a wallet is an own one', async () => {
  await proveWallet(own.db, 1, operator)
  for (const since of [{ ownSince: new Date(0) }, { provenSince: new Date(0) }]) {
    const change = own.db.update(operatorWallets).set(since).where(eq(operatorWallets.address, operator))
    await expect(change).rejects.toThrow()
  }
})
