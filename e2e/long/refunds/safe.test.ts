import { type Address, getAddress } from 'viem'
import { beforeEach, expect, test } from 'vitest'
import { unitsOf } from '../../../core/money.ts'
import { isOfferable } from '../../../core/refund/rules.ts'
import { type SafeFile, safeFileSeconds } from '../../../core/refund/safe-file.ts'
import { forSafe, takeSafeFiles } from '../../../site/src/admin/refund/safe-offers.ts'
import { forEachTest } from '../../lab/opened.ts'
import { openDesk } from '../../lab/refund-desk.ts'
import { openSafe, type Safe } from '../../lab/safe.ts'
import { transfersBetween } from '../../lab/usdt.ts'

const desk = forEachTest(openDesk)
let safe: Safe
let ids: number[]

/** An event that is paid to a Safe, which two of its owners have proven, and too few tickets were sold. */
beforeEach(async () => {
  safe = await openSafe(desk.chain.url)
  const patch = { token: desk.token, body: { operatorWallet: safe.address } }
  expect((await desk.adminApi.call('PATCH', '/api/admin/raffle/config', patch)).status).toBe(200)
  await desk.settle()
  const { walletProofMessage: message } = (await desk.get('/raffle/config')).body
  const proven = await desk.post('/raffle/prove-wallet', { signature: await safe.signMessage(message) })
  expect(proven.body).toEqual({ walletProven: true })
  for (const [at, cents] of [600, 900, 1_200].entries())
    await desk.chain.submitPayment({ from: desk.chain.buyers[at] as Address, to: safe.address, cents })
  await desk.refundMode()
  const { body } = await desk.execute()
  ids = body.refundTransactions.map((row: { id: number }) => row.id)
})

/** What the page makes of the desk's answers, for the one wallet that it knows as a Safe. */
async function takeFile(validFor = safeFileSeconds): Promise<SafeFile> {
  const { rows, summary } = (await desk.get('/refunds')).body
  const safes = summary.wallets.filter(({ isContract }: { isContract: boolean }) => isContract)
  expect(safes).toMatchObject([{ address: getAddress(safe.address), role: 'sale' }])
  const { chainId, token } = summary
  const taken = await takeSafeFiles(
    async (body) => (await desk.post('/refunds/offer', { ...body, validFor })).body,
    forSafe(rows, safe.address, isOfferable),
    { wallet: safe.address, chainId, token },
  )
  expect([taken.error, taken.files.length, taken.debtors]).toEqual([undefined, 1, 3])
  return taken.files[0] as SafeFile
}
const states = async () =>
  ((await desk.get('/refunds')).body.rows as { state: string; dueUnits: string }[]).map(
    ({ state, dueUnits }) => [state, dueUnits],
  )
/** By the logs of the token: to whom the Safe has sent what. */
const sent = async () =>
  (await transfersBetween(desk.chain.url, { from: safe.address })).map(({ to, units }) => [to, units])
const everybody = () =>
  [600, 900, 1_200]
    .map((cents, at) => [desk.chain.buyers[at] as Address, unitsOf(cents)] as const)
    .toSorted(([a], [b]) => (a < b ? -1 : 1))

test('R2 a Safe refunds everybody by one file, and the file executed a second time pays nothing', async () => {
  const file = await takeFile()
  expect(file.meta.createdFromSafeAddress).toBe(getAddress(safe.address))
  expect((await safe.executeFile(file, [1])).ok).toBe(false)
  expect(await sent()).toEqual([])
  const { ok, gas } = await safe.executeFile(file)
  expect([ok, gas < 12_000_000n]).toEqual([true, true])
  expect(await sent()).toEqual(everybody())
  await desk.settle()
  expect(await states()).toEqual(ids.map(() => ['settled', '0']))
  expect((await safe.executeFile(file)).ok).toBe(true)
  await desk.settle()
  expect(await sent()).toEqual(everybody())
  expect((await desk.execute()).body.refundTransactions).toEqual([])
})

test('R2 of two files for the same rows, taken because one was lost, only the first that is executed pays', async () => {
  const [first, second] = [await takeFile(), await takeFile()]
  expect((await safe.executeFile(second)).ok).toBe(true)
  await desk.settle()
  expect((await safe.executeFile(first, [0, 2])).ok).toBe(true)
  await desk.settle()
  expect(await sent()).toEqual(everybody())
  expect(await states()).toEqual(ids.map(() => ['settled', '0']))
})

test('R2 a file that is executed after its time pays nobody; its rows wait until then and are offered anew', async () => {
  const file = await takeFile(3_600)
  await desk.settle()
  expect((await states()).map(([state]) => state)).toEqual(['offered', 'offered', 'offered'])
  await desk.chain.rpc('evm_increaseTime', [3_700])
  expect((await safe.executeFile(file)).ok).toBe(false)
  await desk.settle()
  expect(await sent()).toEqual([])
  expect((await safe.executeFile(await takeFile())).ok).toBe(true)
  await desk.settle()
  expect(await sent()).toEqual(everybody())
  expect(await states()).toEqual(ids.map(() => ['settled', '0']))
})

test('no file is made of an offer that pays others than the list', async () => {
  const { rows, summary } = (await desk.get('/refunds')).body
  const { chainId, token } = summary
  const payee = desk.chain.buyers[3] as Address
  const { files, error } = await takeSafeFiles(
    async (body) => {
      const { register } = (await desk.post('/refunds/offer', body)).body
      return {
        register: { ...register, debtors: register.debtors.map((debt: object) => ({ ...debt, payee })) },
      }
    },
    rows,
    { wallet: safe.address, chainId, token },
  )
  expect([files, error]).toEqual([[], new TypeError('the call pays others than the list')])
})
