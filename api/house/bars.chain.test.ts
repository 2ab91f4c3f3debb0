import { sql } from 'drizzle-orm'
import { mnemonicToAccount } from 'viem/accounts'
import { expect, test } from 'vitest'
import { barMessage } from '../../core/house/bar.ts'
import type { BarDays } from '../../core/house/bar-days.ts'
import { bumpVersion } from '../../db/event/version.ts'
import { openWalletProofs } from '../../db/event/wallet-proofs.ts'
import { purgeBars } from '../../db/house/bars.ts'
import { houseRules, selfBars } from '../../db/schema/index.ts'
import { openAdminApi } from '../../e2e/lab/admin-api.ts'
import { openDrawWorld } from '../../e2e/lab/draw-story.ts'
import { forTest } from '../../e2e/lab/opened.ts'
import { openSafe } from '../../e2e/lab/safe.ts'
import { fromNow } from '../../e2e/lab/test-time.ts'
import { until } from '../../e2e/lab/until.ts'
import { checkWalletProofs } from '../../worker/prize/signers.ts'
import { messageNonces } from '../http/message-nonces.ts'

const accountAt = (addressIndex: number) =>
  mnemonicToAccount('test test test test test test test test test test test junk', { addressIndex })
const buyer = accountAt(1)
const dayMs = 86_400_000
const mismatch = { status: 422, body: { code: 'CLAIM_MISMATCH', field: 'message' } }
const expired = { status: 409, body: { code: 'CLAIM_EXPIRED' } }
const closed = { status: 409, body: { code: 'CLAIM_CLOSED' } }

async function openBars() {
  const adminApi = await openAdminApi()
  const { db, call, deps } = adminApi
  const switchTo = async (selfBar: boolean) => {
    await db.update(houseRules).set({ selfBar })
    await bumpVersion(db)
    await deps.state.refresh()
  }
  const bars = {
    ...adminApi,
    ask: (days: unknown, wallet: string = buyer.address) =>
      call('GET', `/api/raffle/bar/${wallet}/message?days=${days}`),
    post: (body: object, from?: string) => call('POST', '/api/raffle/bar', { body, ...(from && { from }) }),
    until: async (wallet: string = buyer.address) =>
      (await call('GET', `/api/raffle/bar/${wallet}`)).body.until as string | null,
    /** A message of ours for this wallet, made so long ago, for this site or another. */
    made(days: BarDays, { agoMs = 0, origin = 'http://localhost', key = deps.admin } = {}) {
      const issuedAt = fromNow(-agoMs / 1000)
      const { nonceFor } = messageNonces(key, 'bar messages')
      const nonce = nonceFor([buyer.address.toLowerCase(), days, 56, origin, issuedAt.getTime()])
      return barMessage({ walletAddress: buyer.address, days, chainId: 56 }, { origin, issuedAt, nonce })
    },
    async word(days: BarDays, message: string, account = buyer) {
      return {
        walletAddress: buyer.address,
        days,
        message,
        signature: await account.signMessage({ message }),
      }
    },
    switchTo,
  }
  return { ...bars, [Symbol.asyncDispose]: adminApi.close }
}
const daysFrom = (message: string, days: number): string =>
  new Date(Date.parse(/Issued At: (\S+)/.exec(message)?.[1] ?? '') + days * dayMs).toISOString()

test('no wallet can bar itself before that is switched on', async () => {
  await using bars = await openBars()
  expect(await bars.ask(7)).toMatchObject(closed)
  expect(await bars.post(await bars.word(7, bars.made(7)))).toMatchObject(closed)
  expect(await bars.until()).toBeNull()
  expect(await bars.db.select().from(selfBars)).toEqual([])
})

test('a wallet bars itself by its signature, from the message on, and anybody can ask about one address alone', async () => {
  await using bars = await openBars()
  await bars.switchTo(true)
  const { message } = (await bars.ask(7)).body
  expect(message.split('\n')).toEqual([
    'localhost wants you to sign in with your Ethereum account:',
    buyer.address,
    '',
    'I take a break of 7 days from buying tickets here. Until then this site does not open my wallet for a purchase. It cannot be shortened. This signature costs nothing and moves no money.',
    '',
    'URI: http://localhost/',
    'Version: 1',
    'Chain ID: 56',
    expect.stringMatching(/^Nonce: [0-9a-f]{56}$/),
    expect.stringMatching(/^Issued At: /),
    expect.stringMatching(/^Expiration Time: /),
  ])
  const end = daysFrom(message, 7)
  expect(await bars.post(await bars.word(7, message))).toMatchObject({ status: 200, body: { until: end } })
  expect(await bars.until()).toBe(end)
  expect(await bars.until(buyer.address.toLowerCase())).toBe(end)
  expect(await bars.until(accountAt(2).address)).toBeNull()
  expect((await bars.call('GET', '/api/raffle/bar')).status).toBe(405)
  expect(await bars.call('GET', '/api/raffle/bar/0x12')).toMatchObject({ status: 422 })
})

test('a break is never made shorter: by a replayed message, by a shorter one, or by the switch', async () => {
  await using bars = await openBars()
  await bars.switchTo(true)
  const month = bars.made(30, { agoMs: 500_000 })
  await bars.post(await bars.word(30, month))
  const end = daysFrom(month, 30)
  for (const days of [1, 7] as const) {
    const { message } = (await bars.ask(days)).body
    expect(await bars.post(await bars.word(days, message))).toMatchObject({
      status: 200,
      body: { until: end },
    })
  }
  expect(await bars.post(await bars.word(30, month))).toMatchObject({ status: 200, body: { until: end } })
  expect(await bars.db.select().from(selfBars)).toMatchObject([{ until: new Date(end), message: month }])
  await bars.switchTo(false)
  expect(await bars.until()).toBe(end)
  expect((await bars.call('GET', '/api/raffle/rules')).body).toMatchObject({
    selfBar: false,
    barredUntil: end,
  })
  await bars.switchTo(true)
  const { message } = (await bars.ask(30)).body
  const longer = await bars.post(await bars.word(30, message))
  expect(longer.body.until).toBe(daysFrom(message, 30))
  expect(longer.body.until > end).toBe(true)
})

test('no other message bars a wallet: of other days, of another site, of another key, forged, too old, or of tomorrow', async () => {
  await using bars = await openBars()
  await bars.switchTo(true)
  const { message } = (await bars.ask(7)).body
  for (const text of [
    `${message} `,
    message.replace('7 days', '1 day'),
    message.replace('localhost wants', 'evil.example wants'),
    message.replace('http://localhost', 'http://evil.example'),
    message.replace(/Nonce: .{8}/, 'Nonce: 00000000'),
    message.replace(/(?<=Issued At: )\d{4}/, (year: string) => `${Number(year) + 10}`),
    message.replace('Chain ID: 56', 'Chain ID: 1'),
    bars.made(7, { origin: 'https://other.example' }),
    bars.made(7, { key: { ...bars.deps.admin, secretKey: 'another secret that is long enough' } }),
    'I take a break of 7 days from buying tickets here.',
  ])
    expect([text, await bars.post(await bars.word(7, text))]).toMatchObject([text, mismatch])
  expect(await bars.post(await bars.word(30, message))).toMatchObject(mismatch)
  const other = { ...(await bars.word(7, message)), walletAddress: accountAt(2).address }
  expect(await bars.post(other)).toMatchObject(mismatch)
  for (const agoMs of [dayMs, 601_000, -60_000])
    expect(await bars.post(await bars.word(7, bars.made(7, { agoMs })))).toMatchObject(expired)
  for (const days of [0, 2, 31, '7', null])
    expect(await bars.post({ ...(await bars.word(7, message)), days })).toMatchObject({
      ...{ status: 422, body: { code: 'INVALID_VALUE', field: 'days' } },
    })
  for (const days of ['', '2', '07', 'x']) expect(await bars.ask(days)).toMatchObject({ status: 422 })
  expect(await bars.until()).toBeNull()
})

test('who had barred himself is forgotten a day after it is over', async () => {
  await using bars = await openBars()
  await bars.switchTo(true)
  const { message } = (await bars.ask(1)).body
  await bars.post(await bars.word(1, message))
  await purgeBars(bars.dbOf('worker'))
  expect(await bars.db.select().from(selfBars)).toHaveLength(1)
  await bars.db.execute(sql`update self_bars set until = now() - interval '1 hour'`)
  expect(await bars.until()).toBeNull()
  await purgeBars(bars.dbOf('worker'))
  expect(await bars.db.select().from(selfBars)).toHaveLength(1)
  await bars.db.execute(sql`update self_bars set until = now() - interval '25 hours'`)
  await purgeBars(bars.dbOf('worker'))
  expect(await bars.db.select().from(selfBars)).toEqual([])
})

test('one address bars only so many wallets in a while', async () => {
  await using bars = await openBars()
  await bars.switchTo(true)
  const word = await bars.word(7, bars.made(7, { agoMs: dayMs }))
  const from = '203.0.113.7'
  for (let call = 0; call < 20; call++) expect(await bars.post(word, from)).toMatchObject(expired)
  expect(await bars.post(word, from)).toMatchObject({ status: 429, body: { code: 'RATE_LIMITED' } })
  expect(await bars.post(word, '198.51.100.7')).toMatchObject(expired)
})

test('a Safe bars itself by its owners, as a worker asks it; a stranger’s signature bars nobody', async () => {
  await using bars = await openBars()
  const world = await forTest(openDrawWorld({ database: bars }))
  await bars.switchTo(true)
  const safe = await openSafe(world.url)
  await world.mineAt(20)
  const { message, walletAddress } = (await bars.ask(7, safe.address)).body
  const asked = async (signature: string) => {
    const call = bars.post({ walletAddress, days: 7, message, signature })
    await until(async () => (await openWalletProofs(bars.db)).length > 0, 'A worker is asked')
    await checkWalletProofs(world.deps)
    return call
  }
  expect(await asked(await accountAt(9).signMessage({ message }))).toMatchObject({
    ...{ status: 422, body: { code: 'INVALID_VALUE', field: 'signature' } },
  })
  expect(await bars.until(safe.address)).toBeNull()
  const end = daysFrom(message, 7)
  expect(await asked(await safe.signMessage(message))).toMatchObject({ status: 200, body: { until: end } })
  expect(await bars.until(safe.address)).toBe(end)
})
