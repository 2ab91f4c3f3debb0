import { type Address, hashMessage, numberToHex } from 'viem'
import { expect, test } from 'vitest'
import { encodeIsValidSignature, isMagicValue } from '../../core/event/wallet-proof.ts'
import { type SafeFile, safeFiles } from '../../core/refund/safe-file.ts'
import { openTestChain } from './chain.ts'
import { forFile } from './opened.ts'
import { book } from './register.ts'
import { openSafe } from './safe.ts'
import { transferData, transfersBetween, usdt } from './usdt.ts'

const chain = await forFile(openTestChain())
const safe = await openSafe(chain.url)
const [buyer, other] = chain.buyers
const isValid = async (message: string, signature: `0x${string}`) =>
  chain
    .rpc<`0x${string}`>('eth_call', [
      { to: safe.address, data: encodeIsValidSignature(hashMessage(message), signature) },
      'latest',
    ])
    .then(isMagicValue, () => false)

test('a Safe on the local chain does what two of its owners sign, all of it or nothing', async () => {
  await chain.submitPayment({ from: buyer, to: safe.address, cents: 500 })
  await chain.mine()
  const pay = (to: Address, units: bigint) => ({ to: usdt, data: transferData(to, units) })
  expect((await safe.execute([pay(other, 1n), pay(other, 2n)])).ok).toBe(true)
  expect((await safe.execute([pay(other, 3n), pay(other, 10n ** 30n)])).ok).toBe(false)
  expect((await safe.execute([pay(other, 4n)], [2])).ok).toBe(false)
  expect((await safe.execute([pay(other, 5n)], [1, 2])).ok).toBe(true)
  const sent = await transfersBetween(chain.url, { from: safe.address })
  expect(sent.map(({ units }) => units)).toEqual([1n, 2n, 5n])
})

test('a Safe pays refunds by its files, in any order, and nothing by one that is executed again', async () => {
  await chain.submitPayment({ from: buyer, to: safe.address, cents: 500 })
  await chain.mine()
  const debtors = Array.from({ length: 181 }, (_, index) => ({
    ...{
      debtor: numberToHex(0xd00000 + index, { size: 20 }),
      total: BigInt(index + 1),
      due: BigInt(index + 1),
    },
  }))
  const payment = { chainId: 56, wallet: safe.address, createdAt: 0, book, token: usdt, debtors }
  const files = safeFiles({ ...payment, validUntil: 4_000_000_000 })
  for (const file of [...files].reverse()) expect((await safe.executeFile(file)).ok).toBe(true)
  expect((await safe.executeFile(files[0] as SafeFile)).ok).toBe(true)
  const sent = await transfersBetween(chain.url, { from: safe.address })
  const toDebtors = sent.filter(({ to }) => to.startsWith('0x0000000000000000'))
  expect(toDebtors.map(({ units }) => units).sort((a, b) => Number(a - b))).toEqual(
    debtors.map(({ due }) => due),
  )
})

test('a Safe knows what two of its owners signed (ERC-1271), and nothing else', async () => {
  expect(await isValid('we hold it', await safe.signMessage('we hold it'))).toBe(true)
  expect(await isValid('we hold it', await safe.signMessage('we hold it', [0, 2]))).toBe(true)
  expect(await isValid('we hold it', await safe.signMessage('we hold it', [1]))).toBe(false)
  expect(await isValid('another text', await safe.signMessage('we hold it'))).toBe(false)
})
