import { sql } from 'drizzle-orm'
import { getAddress } from 'viem'
import { expect, test } from 'vitest'
import { firstEventContent } from '../../core/content/first-event.ts'
import { contentSha256 } from '../../core/content/promised.ts'
import { parseTerms } from '../../core/event/terms.ts'
import { type Env, EnvError, parseEnv } from '../../core/server/env.ts'
import {
  alice,
  bob,
  envTerms,
  foldTo,
  listChanges,
  openEvent,
  operator,
  paid,
} from '../../e2e/lab/ledger-story.ts'
import { forEachTest, forTest } from '../../e2e/lab/opened.ts'
import { usedDb } from '../../e2e/lab/used-database.ts'
import { loadContent } from '../content/contents.ts'
import { rewind } from '../payment/rewind.ts'
import { prepareDatabase } from '../prepare.ts'
import { events, owedPayments, payments } from '../schema/index.ts'
import { type Event, getOpenEvent, lockOpenEvent } from './events.ts'
import { getScanCursor } from './sale.ts'
import { termsOf } from './terms.ts'

const own = forEachTest(usedDb)
const event = forEachTest(() => openEvent(own.db))

test('a migration from a shell without the operator’s variables leaves the terms of the running event', async () => {
  await startWith({ ticketPrice: 5n * 10n ** 18n, claimDays: 60 })
  const before = await getOpenEvent(own.db)
  const vars = { SALE_LEAD_SECONDS: '77' }
  await prepareDatabase({ databaseUrl: own.url, env: parseEnv(vars), operatorWallet: undefined, vars })
  expect(await getOpenEvent(own.db)).toEqual({ ...before, saleLeadSeconds: 77, revision: 3 })
})

/** Every process starts so: with the environment it was given. */
const startWith = (changed: Partial<Env>) =>
  prepareDatabase({
    databaseUrl: own.url,
    env: { ...envTerms, adminPassword: 'a password', ...changed },
    operatorWallet: undefined,
  })

const told = async () => (await listChanges(own.db)).map(({ field, from, to }) => [field, from, to])

test('with another operator wallet the sale begins anew, and the change is public', async () => {
  await foldTo(own.db, event, 5)
  await startWith({ operatorWallet: bob })
  const now = (await getOpenEvent(own.db)) as Event
  expect(now).toMatchObject({ operatorWallet: bob, openedAt: null })
  expect(await told()).toEqual([
    ['operatorWallet', getAddress(operator), getAddress(bob)],
    ['saleStart', event.saleStart.toISOString(), now.saleStart.toISOString()],
  ])
  await foldTo(own.db, now, 9, [paid(now, { block: 1, cents: 30_00, wallet: bob })])
  expect(await getOpenEvent(own.db)).toMatchObject({ ticketsSold: 10 })
})

test('with another price the sale begins anew; what was paid before stays as it was judged, and is owed', async () => {
  await foldTo(own.db, event, 5, [paid(event, { block: 2, cents: 2_00 })])
  await startWith({ ticketPrice: 2n * 10n ** 18n })
  const { saleStart } = (await getOpenEvent(own.db)) as Event
  expect(saleStart > event.saleStart).toBe(true)
  expect(await told()).toEqual([
    ['ticketPrice', '3', '2'],
    ['saleStart', event.saleStart.toISOString(), saleStart.toISOString()],
  ])
  await foldTo(own.db, event, 9, [paid(event, { block: 9, cents: 2_00 })])
  expect(await own.db.select().from(payments).orderBy(payments.id)).toMatchObject([
    { reason: 'underpaid' },
    { status: 'credited', ticketNumber: 1, ticketCount: 1 },
  ])
  // Judged once more, by the version of its time.
  const cursor = (await getScanCursor(own.db)) ?? expect.fail('nothing read')
  await rewind(own.db, cursor, undefined, 'a test')
  await foldTo(own.db, event, 9, [
    paid(event, { block: 2, cents: 2_00 }),
    paid(event, { block: 9, cents: 2_00 }),
  ])
  expect(await own.db.select().from(owedPayments)).toMatchObject([{ units: 2n * 10n ** 18n }])
})

test('a payment without a ticket, which a stranger can send, locks nothing', async () => {
  await foldTo(own.db, event, 5, [
    paid(event, { block: 2, cents: 1 }),
    paid(event, { block: -9, cents: 3_00 }),
  ])
  await startWith({ operatorWallet: bob })
  expect(await getOpenEvent(own.db)).toMatchObject({ operatorWallet: bob })
})

test('once a ticket is sold another price, lead or rule of the draw waits for the next event', async () => {
  await foldTo(own.db, event, 5, [paid(event, { block: 2, cents: 3_00 })])
  const before = await getOpenEvent(own.db)
  await startWith({ ticketPrice: 10n ** 18n, saleLeadSeconds: 77, autoDraw: false })
  expect(await getOpenEvent(own.db)).toEqual(before)
  expect(await told()).toEqual([])
})

test('once a ticket is sold what differs is for the next event, and the start says so', async () => {
  await foldTo(own.db, event, 5, [paid(event, { block: 2, cents: 3_00 })])
  const { notes } = await startWith({ operatorWallet: bob, claimDays: 60 })
  expect(notes.join()).toContain('OPERATOR_WALLET, CLAIM_DAYS: for the next event')
  expect(await getOpenEvent(own.db)).toMatchObject({ operatorWallet: operator, claimDays: 30 })
})

test.each<[string, Partial<Env>]>([
  ['USDT_ADDRESS', { usdtAddress: alice }],
  ['CHAIN_ID', { chainId: 97 }],
])('once there is a wallet another %s stops the start and is named', async (variable, changed) => {
  const stopped = startWith(changed)
  await expect(stopped).rejects.toBeInstanceOf(EnvError)
  await expect(stopped).rejects.toMatchObject({ variable })
})

test('a ticket that is credited while a process starts is seen by it', async () => {
  let starting: Promise<unknown> | undefined
  await own.db.transaction(async (tx) => {
    await lockOpenEvent(tx)
    starting = startWith({ operatorWallet: bob })
    await expect
      .poll(() =>
        own.db.execute(
          sql`select 1 from pg_stat_activity where wait_event_type = 'Lock' and datname = current_database()`,
        ),
      )
      .toHaveLength(1)
    await foldTo(tx, event, 5, [paid(event, { block: 2, cents: 3_00 })])
  })
  await starting
  expect(await getOpenEvent(own.db)).toMatchObject({ operatorWallet: operator })
})

test('a process that starts again leaves what a draft chose for the event, and applies the rest', async () => {
  await own.db.update(events).set({ autoDraw: false, claimDays: 60, drafted: ['claimDays', 'minTickets'] })
  await startWith({ claimDays: 30, autoDraw: true })
  expect(await getOpenEvent(own.db)).toMatchObject({ claimDays: 60, autoDraw: true })
})

test('the first event of a new installation raffles the miner, and a running one without a content stays as it is', async () => {
  const started = await forTest(usedDb())
  const start = () =>
    prepareDatabase({
      databaseUrl: started.url,
      env: { ...envTerms, adminPassword: 'a password' },
      operatorWallet: undefined,
    })
  await start()
  await start()
  const first = (await getOpenEvent(started.db)) as Event
  expect(first).toMatchObject({
    number: 1,
    winners: 1,
    prizes: [],
    contentSha256: contentSha256(firstEventContent),
  })
  expect(await loadContent(started.db, 1)).toMatchObject({ content: firstEventContent })
  expect(parseTerms(await termsOf(started.db, first))).toMatchObject({
    contentSha256: first.contentSha256,
    winners: '1',
  })
  expect(await listChanges(started.db)).toEqual([])
  // One that was opened by a release which kept none.
  await startWith({})
  expect(await getOpenEvent(own.db)).toMatchObject({ contentSha256: null })
  expect(parseTerms(await termsOf(own.db, (await getOpenEvent(own.db)) as Event))).toMatchObject({
    contentSha256: 'none',
  })
})
