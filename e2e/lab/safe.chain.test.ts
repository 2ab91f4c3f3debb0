import { numberToHex } from 'viem'
import { expect, test } from 'vitest'
import { type SafeFile, safeFiles } from '../../core/refund/safe-file.ts'
import { openTestChain } from './chain.ts'
import { forFile } from './opened.ts'
import { book } from './register.ts'
import { openSafe } from './safe.ts'
import { transfersBetween, usdt } from './usdt.ts'

const chain = await forFile(openTestChain())
const safe = await openSafe(chain.url)
const [buyer] = chain.buyers

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
