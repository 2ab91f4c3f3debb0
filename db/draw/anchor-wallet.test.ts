import type { Address } from 'viem'
import { expect, test } from 'vitest'
import { alice, bob, envTerms, listChanges, openEvent, operator } from '../../e2e/lab/ledger-story.ts'
import { forEachTest } from '../../e2e/lab/opened.ts'
import { withOtherPast } from '../../e2e/lab/other-past.ts'
import { fromNow } from '../../e2e/lab/test-time.ts'
import { usedDb } from '../../e2e/lab/used-database.ts'
import { watchWallet } from '../../e2e/lab/watch-wallet.ts'
import { getOpenEvent } from '../event/events.ts'
import { openNext } from '../event/next.ts'
import { updateEvent } from '../event/update.ts'
import { endings, events } from '../schema/index.ts'
import { takeAnchorWallet } from './anchors.ts'

const own = forEachTest(usedDb)
const terms = { ...envTerms, operatorWallet: undefined }
const changed = async () =>
  (await listChanges(own.db))
    .filter(({ field }) => field === 'anchorWallet')
    .map(({ to }) => to?.toLowerCase())
const anchorWallet = async () => (await getOpenEvent(own.db))?.anchorWallet

test('the key of a worker becomes the anchor wallet, once and in public, until the first ticket', async () => {
  await openEvent(own.db)
  await takeAnchorWallet(own.db, alice)
  await takeAnchorWallet(own.db, alice)
  expect(await changed()).toEqual([alice])
  await own.db.update(events).set({ lockedAt: fromNow(0) })
  await takeAnchorWallet(own.db, bob)
  expect(await changed()).toEqual([alice])
  expect(await anchorWallet()).toBe(alice)
})

test('from the sale end on it stays, and so it does for a wallet that took money', async () => {
  await openEvent(own.db)
  await takeAnchorWallet(own.db, operator)
  expect(await anchorWallet()).toBe(null)
  await own.db.transaction((tx) => watchWallet(tx, alice))
  await takeAnchorWallet(own.db, alice)
  expect(await anchorWallet()).toBe(null)
  await withOtherPast(own.db, (tx) =>
    tx.execute(`update events set draw_date = now(), sale_end = now() - interval '1 minute'`),
  )
  await takeAnchorWallet(own.db, bob)
  expect(await anchorWallet()).toBe(null)
})

test('it cannot become the operator wallet, and the next event keeps it', async () => {
  await openEvent(own.db)
  await takeAnchorWallet(own.db, bob)
  const change = updateEvent(own.db, { operatorWallet: bob }, { terms, pinnedWallet: undefined })
  await expect(change).rejects.toMatchObject({ code: 'INVALID_WALLET' })
  const event = await getOpenEvent(own.db)
  const end = (eventNumber: number) =>
    own.db.insert(endings).values({ eventNumber, kind: 'refunds', reason: 'stopped' })
  await end(1)
  if (event) await own.db.transaction((tx) => openNext(tx, event, terms))
  expect(await getOpenEvent(own.db)).toMatchObject({ number: 2, anchorWallet: bob })
  const second = await getOpenEvent(own.db)
  await end(2)
  const pinned = { ...terms, operatorWallet: bob as Address }
  if (second) await own.db.transaction((tx) => openNext(tx, second, pinned))
  expect(await getOpenEvent(own.db)).toMatchObject({ operatorWallet: bob, anchorWallet: null })
})
