import { sql } from 'drizzle-orm'
import { encodeFunctionData, parseAbi } from 'viem'
import { expect, test } from 'vitest'
import { usdtOnBsc } from '../../core/chain/register.ts'
import { unitsOf } from '../../core/money.ts'
import { openWalletProofs, purgeWalletProofs } from '../../db/event/wallet-proofs.ts'
import { unseenHolders } from '../../db/prize/claims.ts'
import { events, prizeActs, walletProofs } from '../../db/schema/index.ts'
import { openAdminApi } from '../../e2e/lab/admin-api.ts'
import { accountAt } from '../../e2e/lab/chain-verbs.ts'
import { openDrawWorld } from '../../e2e/lab/draw-story.ts'
import { forTest } from '../../e2e/lab/opened.ts'
import { withOtherPast } from '../../e2e/lab/other-past.ts'
import { prizesOf } from '../../e2e/lab/prize-story.ts'
import { openSafe } from '../../e2e/lab/safe.ts'
import { until } from '../../e2e/lab/until.ts'
import { mintData, transferData } from '../../e2e/lab/usdt.ts'
import { operatorAccount } from '../../infra/local/chain.ts'
import { rpc } from '../../infra/local/rpc.ts'
import { checkHolders, checkWalletProofs } from '../refund/refunds.ts'

async function openWorld() {
  const adminApi = await openAdminApi()
  const world = await forTest(openDrawWorld({ database: adminApi, minTickets: 2 }))
  await withOtherPast(world.db, (tx) => tx.update(events).set({ winners: 2 }))
  const get = (query: string) => adminApi.call('GET', `/api/raffle/claim/1${query}`)
  const post = (path: string, body: unknown, from?: string) =>
    adminApi.call('POST', path, { body, ...(from && { from }) })
  /** A call that waits for a worker, and a worker that asks the chain. */
  async function asked<T>(call: Promise<T>): Promise<T> {
    await until(async () => (await openWalletProofs(world.db)).length > 0, 'A worker is asked')
    await checkWalletProofs(world.deps)
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

test('a Safe claims by its owners; what it says later changes nothing that was recorded', async () => {
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
  const recorded = await world.db.select().from(prizeActs)
  expect(recorded).toMatchObject([{ place, wallet: safe.address, proof: 'contract', signature }])

  const threshold = encodeFunctionData({ abi: parseAbi(['function changeThreshold(uint256)']), args: [3n] })
  await safe.execute([{ to: safe.address, value: 0n, data: threshold }])
  await story.settle()
  expect(await world.db.select().from(prizeActs)).toEqual(recorded)
  expect((await story.rows())[place - 1]).toMatchObject({
    state: 'claimed',
    holder: { wallet: safe.address },
  })
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
  await checkWalletProofs(world.deps)
  expect(await owners).toMatchObject({ status: 200, body: { code: expect.any(String) } })
  for (const { body } of await Promise.all(strangers)) expect(body.code).toBe('INVALID_VALUE')
  await purgeWalletProofs(world.deps.db)
  expect(await proofs()).toHaveLength(6)
  await world.db.execute(sql`update wallet_proofs set expires_at = now() - interval '2 minutes'`)
  await purgeWalletProofs(world.deps.db)
  expect(await proofs()).toMatchObject([{ wallet: safe.address, isGood: true }])
})

test('nobody asks the chain what an account with a key says, and a delegated one has a key', async () => {
  const { world, story, get, post } = await openWorld()
  await world.drawn()
  await story.announce()
  const { message, place, walletAddress } = (await get('')).body
  await rpc(world.url, 'anvil_setCode', [walletAddress, `0xef0100${'ab'.repeat(20)}`])
  await world.catchUp()
  // Two winners and a reserve, whose turn may come when the next event sells.
  await withOtherPast(world.db, (tx) => tx.update(events).set({ archivedAt: new Date() }))
  expect(await unseenHolders(world.db)).toHaveLength(3)
  await checkHolders(world.deps)
  expect(await unseenHolders(world.db)).toEqual([])
  const forged = { eventNumber: 1, place, message, signature: `0x${'11'.repeat(65)}` }
  expect(await post('/api/raffle/claim', forged)).toMatchObject({
    ...{ status: 422, body: { code: 'INVALID_VALUE', field: 'signature' } },
  })
  expect(await world.db.select().from(walletProofs)).toEqual([])
})
