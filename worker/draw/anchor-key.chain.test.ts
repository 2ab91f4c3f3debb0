import { asc, sql } from 'drizzle-orm'
import { type Address, type Hash, type Hex, keccak256, numberToHex } from 'viem'
import { privateKeyToAccount } from 'viem/accounts'
import { beforeEach, expect, test } from 'vitest'
import { deployer, register } from '../../core/chain/register.ts'
import { termsSha256 } from '../../core/event/terms.ts'
import { listAnchors } from '../../db/draw/anchors.ts'
import { termsOf } from '../../db/event/terms.ts'
import { readAnchorKey } from '../../db/draw/anchors.ts'
import { anchorSends, events } from '../../db/schema/index.ts'
import { drawAt, openDrawWorld, saleEndAt } from '../../e2e/lab/draw-story.ts'
import { Killed, killedAt } from '../../e2e/lab/killed.ts'
import { forEachTest } from '../../e2e/lab/opened.ts'
import { withOtherPast } from '../../e2e/lab/other-past.ts'
import { rpc } from '../../infra/local/rpc.ts'
import type { Deps } from '../deps.ts'
import { watchRefunds } from '../refund/refunds.ts'
import { tendAnchorKey } from './anchor-key.ts'

const signer = privateKeyToAccount(`0x${'5e'.repeat(32)}`)
const key = signer.address.toLowerCase() as Address
const other = `0x${'ab'.repeat(32)}` as const
const world = forEachTest(openDrawWorld)
let commitment: Hex

const tend = (change: Partial<Deps> = {}) => tendAnchorKey({ ...world.deps, ...change, signer, chainId: 56 })
const fund = (wei = 10n ** 18n) => rpc(world.url, 'anvil_setBalance', [key, numberToHex(wei)])
const stored = () => listAnchors(world.db, 1)
const sends = () =>
  world.db.select().from(anchorSends).orderBy(asc(anchorSends.nonce), asc(anchorSends.attempt))
const nonce = async () => Number(await rpc<Hex>(world.url, 'eth_getTransactionCount', [key, 'latest']))
/** As if that many seconds had passed since a transaction was sent and the key was looked at. */
const wait = (seconds: number) =>
  withOtherPast(world.db, async (tx) => {
    const ago = sql`make_interval(secs => ${seconds})`
    await tx.execute(sql`update anchor_sends set sent_at = sent_at - ${ago}`)
    await tx.execute(sql`update reports set at = at - ${ago}`)
  })
const settle = async () => {
  await world.mine(3)
  await world.scan()
  await watchRefunds({ ...world.deps, refundMinUnits: 1n })
}

beforeEach(async () => {
  await fund()
  await withOtherPast(world.db, (tx) => tx.update(events).set({ anchorWallet: key }))
  await world.sell()
  await world.endSale()
  await watchRefunds({ ...world.deps, refundMinUnits: 1n })
  commitment = await world.commitment()
})

test('the worker anchors the frozen list once, by itself, and says nothing of it twice', async () => {
  await tend()
  await settle()
  for (let again = 0; again < 3; again++) {
    await wait(60)
    await tend()
    await settle()
  }
  expect(await stored()).toMatchObject([{ wallet: key, commitment }])
  expect(await sends()).toMatchObject([{ nonce: 0, attempt: 0, eventNumber: 1, commitment }])
  expect(await nonce()).toBe(1)
})

test('many workers at once send one transaction', async () => {
  await rpc(world.url, 'evm_setAutomine', [false])
  await Promise.all(Array.from({ length: 8 }, () => tend()))
  await settle()
  await tend()
  await settle()
  expect(await stored()).toHaveLength(1)
  expect(await sends()).toHaveLength(1)
})

test('a worker that dies at any await leaves one anchor in the end', async () => {
  let kills = 0
  for (let step = 0; ; step++) {
    const isKilled = await tend(killedAt(world.deps, step)).then(
      () => false,
      (error) => error instanceof Killed || Promise.reject(error),
    )
    if (!isKilled && (await stored()).length > 0) break
    if (isKilled) kills += 1
    // What was written down is sent again after some seconds.
    await wait(4)
    if (step % 3 === 0) await settle()
  }
  await settle()
  await tend()
  await settle()
  expect(kills).toBeGreaterThan(10)
  expect(await stored()).toMatchObject([{ commitment }])
  expect(await nonce()).toBe(1)
})

test('a transaction that gets into no block is replaced at a higher price with the same nonce', async () => {
  await rpc(world.url, 'evm_setAutomine', [false])
  await tend()
  const [first] = await sends()
  await wait(4)
  await tend()
  expect(await sends()).toHaveLength(1)
  await wait(20)
  await tend()
  const [, second] = await sends()
  expect(second).toMatchObject({ nonce: 0, attempt: 1, commitment })
  expect(Number(second?.gasPrice)).toBeGreaterThanOrEqual(Number(first?.gasPrice) * 1.25)
  await settle()
  expect(await stored()).toMatchObject([{ transactionHash: second?.transactionHash }])
})

test('an anchor whose nonce another transaction has used up is sent with the next one', async () => {
  await tend({ chain: { ...world.deps.chain, send: async () => [] } })
  const [{ gasPrice } = expect.fail('nothing sent')] = await sends()
  const first = { type: 'legacy', chainId: 56, nonce: 0, gasPrice, gas: 21_000n, to: key } as const
  await rpc(world.url, 'eth_sendRawTransaction', [await signer.signTransaction(first)])
  await wait(60)
  // It may be in no final block yet: nothing new is signed until anchors are read so far.
  await tend()
  await settle()
  await wait(60)
  await tend()
  await settle()
  expect(await stored()).toMatchObject([{ commitment }])
  expect((await sends()).map((one) => one.nonce)).toEqual([0, 0, 1])
})

test('a transaction that the pool has lost is sent again', async () => {
  await rpc(world.url, 'evm_setAutomine', [false])
  await tend()
  const [lost] = await sends()
  await rpc(world.url, 'anvil_dropTransaction', [lost?.transactionHash as Hash])
  await wait(4)
  await tend()
  await settle()
  expect(await stored()).toMatchObject([{ transactionHash: lost?.transactionHash }])
})

test('with an empty database, as after a restore, an anchor on the chain is found and none is sent', async () => {
  await tend()
  await settle()
  await withOtherPast(world.db, (tx) => tx.execute('delete from anchor_sends'))
  await wait(300)
  await tend()
  expect(await sends()).toEqual([])
})

test('an anchor of the same by the operator wallet leaves nothing to send; another one of his does not', async () => {
  await world.sendAnchor(other, { at: saleEndAt + 20 })
  await settle()
  await tend()
  expect(await sends()).toHaveLength(1)
  await withOtherPast(world.db, (tx) => tx.execute('delete from anchor_sends'))
  await world.sendAnchor(commitment, { at: saleEndAt + 30 })
  await settle()
  await tend()
  expect(await sends()).toEqual([])
})

test('nothing is sent at or after the draw date', async () => {
  await world.reachDraw()
  await tend()
  expect(await sends()).toEqual([])
})

test('a key without gas sends nothing and is looked at until it has some', async () => {
  await fund(0n)
  await settle()
  await tend()
  expect(await sends()).toEqual([])
  expect((await readAnchorKey(world.db))?.facts).toMatchObject({
    address: key,
    balanceWei: '0',
    register: 'there',
  })
  await fund()
  await wait(11)
  await settle()
  await tend()
  await settle()
  expect(await stored()).toHaveLength(1)
})

test('where the register is missing the key deploys it and then anchors', async () => {
  await rpc(world.url, 'anvil_setCode', [register.address, '0x'])
  await settle()
  await tend()
  for (let again = 0; again < 2; again++) {
    await settle()
    await wait(11)
    await tend()
  }
  await settle()
  const code = await rpc<Hex>(world.url, 'eth_getCode', [register.address, 'latest'])
  expect(keccak256(code)).toBe(register.codeHash)
  expect(await sends()).toMatchObject([
    { nonce: 0, attempt: 0, eventNumber: null, commitment: null },
    { nonce: 1, attempt: 0, commitment },
  ])
  expect(await stored()).toHaveLength(1)
})

test('another contract in the place of the register gets nothing, and raises an alarm', async () => {
  await rpc(world.url, 'anvil_setCode', [register.address, '0x00'])
  await world.mine(3)
  await world.scan()
  await tend()
  expect(await sends()).toEqual([])
  expect((await readAnchorKey(world.db))?.facts.register).toBe('other')
})

test('the terms are anchored with the first ticket, or ten minutes before the sale end, by the wallet they name', async () => {
  const asOnSale = (columns: object) =>
    withOtherPast(world.db, (tx) =>
      tx.update(events).set({
        ...{ frozenAt: null, ledgerSha256: null, ledgerLines: null, terms: null, termsSha256: null },
        ...columns,
      }),
    )
  const at = (second: number) => new Date((world.start + second) * 1000)
  await asOnSale({ lockedAt: null, saleEnd: at(2_000), drawDate: at(2_000 + 3_600) })
  await tend()
  expect(await sends()).toEqual([])
  await world.mineAt(1_401)
  await settle()
  await tend()
  const terms = termsSha256(await termsOf(world.db, await world.event()))
  expect(await sends()).toMatchObject([{ commitment: terms }])
  await settle()
  await asOnSale({ lockedAt: at(1), saleEnd: at(9_000), drawDate: at(9_000 + drawAt) })
  await tend()
  const sold = termsSha256(await termsOf(world.db, await world.event()))
  expect((await sends()).map((one) => one.commitment)).toEqual([terms, sold])
  await withOtherPast(world.db, (tx) => tx.update(events).set({ anchorWallet: null, drawDate: at(9_999) }))
  await settle()
  await tend()
  expect(await sends()).toHaveLength(2)
})

test('does not pay for ever for a register that never comes to lie at its address', async () => {
  for (const address of [register.address, deployer.address])
    await rpc(world.url, 'anvil_setCode', [address, '0x'])
  await settle()
  for (let again = 0; again < 6; again++) {
    await tend()
    await settle()
    await wait(20)
  }
  expect(await nonce()).toBe(1)
  expect(await stored()).toEqual([])
})
