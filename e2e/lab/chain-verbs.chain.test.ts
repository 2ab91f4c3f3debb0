import { type Hex, numberToHex } from 'viem'
import { expect, test } from 'vitest'
import { startChain } from '../../infra/local/chain.ts'
import { rpc } from '../../infra/local/rpc.ts'
import { accountsOf, newestTime, revertTo, sendAllMined, sendMined, setNextTime } from './chain-verbs.ts'
import { forFile } from './opened.ts'
import { payByHand } from './pay.ts'

const chain = await forFile(startChain({ blockTime: null }))
const accounts = await accountsOf(chain.url)

const receiptOf = (hash: Hex) =>
  rpc<{ status: Hex; blockNumber: Hex } | null>(chain.url, 'eth_getTransactionReceipt', [hash])

test('a transaction is in a block when the kit has sent it, also one that fails', async () => {
  const [, from = '0x', to = '0x'] = accounts
  for (let n = 0; n < 40; n++) {
    const hash = await sendMined(chain.url, { from, to, value: '0x1' })
    expect(await receiptOf(hash)).toMatchObject({ status: '0x1' })
  }
  const tooMuch = await payByHand(chain.url, from, 2_000_000)
  expect(await receiptOf(tooMuch)).toMatchObject({ status: '0x0' })
})

test('a time that is set is the time of the next transaction, and of no later one', async () => {
  const [, from = '0x', to = '0x'] = accounts
  for (let n = 0; n < 20; n++) {
    const time = (await newestTime(chain.url)) + 7
    await setNextTime(chain.url, time)
    await sendMined(chain.url, { from, to, value: '0x1' })
    expect(await newestTime(chain.url)).toBe(time)
  }
})

test('what is sent after a revert is in a block, whatever had its number before', async () => {
  const [, from = '0x', to = '0x'] = accounts
  for (let n = 1; n <= 40; n++) {
    const snapshot = await rpc<string>(chain.url, 'evm_snapshot')
    await sendMined(chain.url, { from, to, value: '0x1' })
    await revertTo(chain.url, snapshot)
    const hash = await sendMined(chain.url, { from, to, value: numberToHex(1 + n) })
    expect(await receiptOf(hash)).toMatchObject({ status: '0x1' })
  }
})

test('several that are sent together are in blocks, in their order', async () => {
  const [, from = '0x', to = '0x'] = accounts
  const hashes = await sendAllMined(
    chain.url,
    [1, 2, 3, 4].map(() => ({ from, to, value: '0x1' as const })),
  )
  const blocks = (await Promise.all(hashes.map(receiptOf))).map((receipt) => Number(receipt?.blockNumber))
  expect(blocks).toEqual([...blocks].sort((a, b) => a - b))
})
