import { sql } from 'drizzle-orm'
import type { Address } from 'viem'
import { encodeFunctionData, parseAbi } from 'viem'
import { type HDAccount, mnemonicToAccount } from 'viem/accounts'
import { expect, test } from 'vitest'
import { unitsOf } from '../../core/money.ts'
import { usdtOnBsc } from '../../core/server/env.ts'
import { openWalletProofs, purgeWalletProofs } from '../../db/event/wallet-proofs.ts'
import { shipPrize } from '../../db/prize/claims.ts'
import { dueRefundWork } from '../../db/refund/due.ts'
import { events, prizeClaims, walletProofs } from '../../db/schema/index.ts'
import { openAdminApi } from '../../e2e/lab/admin-api.ts'
import { openDrawWorld } from '../../e2e/lab/draw-story.ts'
import { forTest } from '../../e2e/lab/opened.ts'
import { withOtherPast } from '../../e2e/lab/other-past.ts'
import { prizesOf } from '../../e2e/lab/prize-story.ts'
import { openSafe } from '../../e2e/lab/safe.ts'
import { until } from '../../e2e/lab/until.ts'
import { mintData, transferData } from '../../e2e/lab/usdt.ts'
import { operatorAccount } from '../../infra/local/chain.ts'
import { rpc } from '../../infra/local/rpc.ts'
import { checkSignatures } from '../refund/signatures.ts'
import { checkHolders } from './holders.ts'

const accountAt = (addressIndex: number) =>
  mnemonicToAccount('test test test test test test test test test test test junk', { addressIndex })
const closed = { status: 409, body: { code: 'CLAIM_CLOSED' } }

async function openWorld() {
  const adminApi = await openAdminApi()
  const world = await forTest(openDrawWorld({ database: adminApi, minTickets: 2 }))
  await world.db.update(events).set({ winners: 2 })
  const get = (query: string) => adminApi.call('GET', `/api/raffle/claim/1${query}`)
  const post = (path: string, body: unknown, from?: string) =>
    adminApi.call('POST', path, { body, ...(from && { from }) })
  /** A call that waits for a worker, and a worker that asks the chain. */
  async function asked<T>(call: Promise<T>): Promise<T> {
    await until(async () => (await openWalletProofs(world.db)).length > 0, 'A worker is asked')
    await checkSignatures(world.deps)
    return call
  }
  return { ...{ world, get, post, asked }, story: prizesOf(world) }
}

/** Two payers and two winners: a Safe is one of them. */
async function openSafeWorld() {
  const opened = await openWorld()
  const { world, story } = opened
  const safe = await openSafe(world.url)
  await world.send(1, mintData(safe.address, unitsOf(30_00)))
  await world.mineAt(20)
  await safe.execute([{ to: usdtOnBsc, value: 0n, data: transferData(operatorAccount, unitsOf(30_00)) }])
  await world.pay(2, 30_00, 60)
  await world.endSale()
  await world.reachDraw()
  await world.draw()
  await story.announce()
  await world.catchUp()
  return { ...opened, safe }
}

test('a Safe claims and confirms by its owners; what it says later changes nothing that was recorded', async () => {
  const { world, story, get, post, asked, safe } = await openSafeWorld()
  await checkHolders(world.deps)
  const { message, place } = (await get(`?wallet=${safe.address}`)).body
  const word = { eventNumber: 1, place, message }
  const forged = await accountAt(9).signMessage({ message })
  expect(await asked(post('/api/raffle/claim', { ...word, signature: forged }))).toMatchObject({
    status: 422,
    body: { code: 'INVALID_VALUE', field: 'signature' },
  })
  const signature = await safe.signMessage(message)
  const claimed = await asked(post('/api/raffle/claim', { ...word, signature }))
  expect(claimed).toMatchObject({ status: 200, body: { code: expect.any(String) } })
  const recorded = await world.db.select().from(prizeClaims)
  expect(recorded).toMatchObject([{ place, wallet: safe.address, proof: 'contract', signature }])

  const threshold = encodeFunctionData({ abi: parseAbi(['function changeThreshold(uint256)']), args: [3n] })
  await safe.execute([{ to: safe.address, value: 0n, data: threshold }])
  await story.settle()
  expect(await world.db.select().from(prizeClaims)).toEqual(recorded)
  expect((await story.rows())[place - 1]).toMatchObject({ state: 'claimed', holderWallet: safe.address })
  await world.db.transaction((tx) => shipPrize(tx, { eventNumber: 1, place, tracking: null }))
  const receipt = (await get(`/receipt?place=${place}`)).body.message
  const receive = async (signers: number[]) =>
    asked(
      post('/api/raffle/claim/receipt', {
        ...{ eventNumber: 1, place, message: receipt },
        signature: await safe.signMessage(receipt, signers),
      }),
    )
  // Two of three were enough before.
  expect(await receive([0, 1])).toMatchObject({ status: 422, body: { field: 'signature' } })
  expect(await receive([0, 1, 2])).toMatchObject({ status: 200, body: { state: 'delivered' } })
})

test('what strangers post of a Safe keeps its owners out of nothing and leaves nothing behind', async () => {
  const { world, get, post, safe } = await openSafeWorld()
  const { message, place } = (await get(`?wallet=${safe.address}`)).body
  const word = { eventNumber: 1, place, message }
  const forged = await accountAt(9).signMessage({ message })
  const claim = (signature: string, from: string) => post('/api/raffle/claim', { ...word, signature }, from)
  const proofs = () => world.db.select().from(walletProofs)
  const busy = { status: 503, body: { code: 'BUSY' } }
  // No worker has looked what this wallet is.
  expect(await claim(forged, '203.0.113.1')).toMatchObject({ body: { code: 'RPC_UNAVAILABLE' } })
  expect(await proofs()).toEqual([])
  await checkHolders(world.deps)
  expect(await claim(`0x${'00'.repeat(1_025)}`, '203.0.113.1')).toMatchObject({ status: 422 })
  // From two addresses of one network.
  const stranger = (n: number) => claim(forged, `2001:db8:1:${n}::1`)
  const strangers = [1, 2, 3, 4, 5].map(stranger)
  await until(async () => (await proofs()).length >= 5, 'The Safe is to be asked')
  expect(await stranger(6)).toMatchObject(busy)
  const owners = claim(await safe.signMessage(message), '203.0.113.2')
  await until(async () => (await proofs()).length >= 6, 'The Safe is to be asked for its owner')
  await checkSignatures(world.deps)
  expect(await owners).toMatchObject({ status: 200, body: { code: expect.any(String) } })
  for (const { body } of await Promise.all(strangers)) expect(body.code).toBe('INVALID_VALUE')
  await purgeWalletProofs(world.deps.db)
  expect(await proofs()).toHaveLength(6)
  await world.db.execute(sql`update wallet_proofs set expires_at = now() - interval '2 minutes'`)
  await purgeWalletProofs(world.deps.db)
  expect(await proofs()).toMatchObject([{ wallet: safe.address, isGood: true }])
  await world.db.transaction((tx) => shipPrize(tx, { eventNumber: 1, place, tracking: null }))
  const late = { ...word, message: (await get(`?wallet=${safe.address}`)).body.message, signature: forged }
  expect(await post('/api/raffle/claim', late)).toMatchObject(closed)
  expect(await post('/api/raffle/claim/receipt', { ...late, message })).toMatchObject({ status: 422 })
  expect(await proofs()).toHaveLength(1)
})

test('nobody asks the chain what an account with a key says, and a delegated one has a key', async () => {
  const { world, story, get, post } = await openWorld()
  await world.drawn()
  await story.announce()
  const { message, place, walletAddress } = (await get('')).body
  await rpc(world.url, 'anvil_setCode', [walletAddress, `0xef0100${'ab'.repeat(20)}`])
  await world.catchUp()
  expect((await dueRefundWork(world.db)).mustAsk).toBe(true)
  await checkHolders(world.deps)
  expect((await dueRefundWork(world.db)).mustAsk).toBe(false)
  expect((await story.rows()).map(({ holderIsContract }) => holderIsContract)).toEqual([false, false])
  const forged = { eventNumber: 1, place, message, signature: `0x${'11'.repeat(65)}` }
  expect(await post('/api/raffle/claim', forged)).toMatchObject({
    ...{ status: 422, body: { code: 'INVALID_VALUE', field: 'signature' } },
  })
  expect(await world.db.select().from(walletProofs)).toEqual([])
})

test('while the chain is not read a winner cannot claim by signature, so no turn is longer than its days', async () => {
  const { world, story, get, post } = await openWorld()
  await world.drawn()
  await story.announce()
  const account = accountAt(story.accountOf((await story.rows())[0]?.wallet as Address))
  const claim = async () => {
    const { message, place } = (await get(`?wallet=${account.address}`)).body
    const signature = await account.signMessage({ message })
    return post('/api/raffle/claim', { eventNumber: 1, place, message, signature })
  }
  const behind = (minutes: number) =>
    world.db.execute(sql`update scan_cursor set block_time = now() - ${`${minutes} minutes`}::interval`)
  await world.catchUp()
  await behind(11)
  expect(await claim()).toMatchObject({ status: 503, body: { code: 'NOT_FINAL' } })
  expect(await world.db.select().from(prizeClaims)).toEqual([])
  await behind(9)
  expect((await claim()).status).toBe(200)
})

test('where a winner is silent the reserve claims in its turn, not before, and the winner not behind it', async () => {
  const { world, story, get, post } = await openWorld()
  await world.drawn()
  await story.announce()
  const rows = await story.rows()
  const buyers = [1, 2, 3].map(accountAt)
  const accountOf = (wallet: string) =>
    buyers.find(({ address }) => address.toLowerCase() === wallet.toLowerCase()) as HDAccount
  const [first, silent] = rows.map(({ wallet }) => accountOf(wallet)) as [HDAccount, HDAccount]
  const reserve = buyers.find((one) => one !== first && one !== silent) as HDAccount
  const claim = async (account: HDAccount, { message, place }: { message: string; place: number }) =>
    post('/api/raffle/claim', {
      ...{ eventNumber: 1, place, message, signature: await account.signMessage({ message }) },
    })
  const asks = async (account: HDAccount) => get(`?wallet=${account.address}`)

  expect(await asks(reserve)).toMatchObject(closed)
  const end = story.secondOf(rows[1]?.claimBy as Date)
  // The newest final block is of the last second of the turn, whatever has been mined since.
  for (const second of [end - 1, end, end + 1]) await world.mineAt(second)
  await world.scan()
  const winners = await claim(first, (await asks(first)).body)
  expect(winners.status).toBe(200)
  const old = (await asks(silent)).body
  await world.mine(3)
  await world.scan()
  // No worker has swept yet: the call itself looks whose turn it is.
  expect(await claim(silent, old)).toMatchObject(closed)
  await story.sweep()
  expect(await story.told()).toEqual(['winner 1, claimed, claimed', 'reserve 1, unclaimed, turn'])
  expect(await asks(silent)).toMatchObject(closed)
  expect(await claim(silent, old)).toMatchObject({ status: 422, body: { code: 'CLAIM_MISMATCH' } })
  // A claim of a turn that a reorg gave and took stays on record, and speaks for no later one.
  await world.db.insert(prizeClaims).values({
    ...{ eventNumber: 1, place: 2, wallet: reserve.address.toLowerCase() as Address, message: 'before' },
    ...{ signature: '0x' as const, proof: 'personal' as const, at: rows[1]?.drawnAt as Date },
  })
  const reserves = await claim(reserve, (await asks(reserve)).body)
  expect(reserves.status).toBe(200)
  expect(reserves.body.code).not.toBe(winners.body.code)
  expect(await story.told()).toEqual(['winner 1, claimed, claimed', 'reserve 1, claimed, turn, claimed'])
  const { message, place } = (await asks(reserve)).body
  // Claimed twice by the same holder: the same code, and no second record.
  expect((await claim(reserve, { message, place })).body).toEqual(reserves.body)
  expect(await world.db.select().from(prizeClaims)).toHaveLength(3)
})

test('an event that was drawn before there were records gets none, and its calls say so', async () => {
  const { world, story, get, post } = await openWorld()
  await world.drawn()
  await story.announce()
  const { message, place } = (await get('')).body
  await withOtherPast(world.db, (tx) => tx.execute(sql`truncate prizes, prize_steps`))
  await world.mine(3)
  await world.scan()
  await story.sweep()
  expect(await story.rows()).toEqual([])
  expect(await get('')).toMatchObject(closed)
  expect(await get('/receipt?place=1')).toMatchObject(closed)
  const signature = await accountAt(1).signMessage({ message })
  expect(await post('/api/raffle/claim', { eventNumber: 1, place, message, signature })).toMatchObject(closed)
})

test('when all turns went by nobody can claim, and the page of the event still tells so', async () => {
  const { world, story, get, post } = await openWorld()
  await world.drawn()
  await story.announce()
  const end = story.secondOf((await story.rows())[0]?.claimBy as Date)
  const { message, place } = (await get('')).body
  await story.reach(end)
  await story.reach(end + 30 * 86_400)
  expect(await story.told()).toEqual(['nobody, unclaimed, turn', 'nobody, unclaimed'])
  expect((await story.shown())[0]).toMatchObject({ holder: null, claimBy: null })
  expect(await get('')).toMatchObject(closed)
  const signature = await accountAt(1).signMessage({ message })
  expect(await post('/api/raffle/claim', { eventNumber: 1, place, message, signature })).toMatchObject(closed)
})
