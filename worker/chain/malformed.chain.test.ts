import { expect, test } from 'vitest'
import { faultyChain, readAll } from '../../e2e/lab/faulty-chain.ts'
import { hookRpc } from '../../e2e/lab/hook-rpc.ts'
import { forFile } from '../../e2e/lab/opened.ts'
import { connectChain } from './index.ts'

const { chain, a, b, payments } = await faultyChain()
const liar = await forFile(hookRpc(chain.url))

type Log = { address: string; topics: string[]; data: string }
const noHex = `0x${'zz'.repeat(32)}`

test.each([
  ['an amount', (log: Log) => ({ ...log, data: noHex })],
  ['a payer', (log: Log) => ({ ...log, topics: [log.topics[0], noHex, log.topics[2]] })],
  ['a token', (log: Log) => ({ ...log, address: 'zz' })],
])(
  'one of three nodes tells %s that is no hexadecimal number: it is not believed, and stops nobody',
  async (_, twist) => {
    liar.hook = ({ method }, result) => {
      if (method === 'eth_getLogs') return (result as Log[]).map(twist)
      if (method !== 'eth_getBlockReceipts') return result
      return (result as { logs: Log[] }[]).map((receipt) => ({ ...receipt, logs: receipt.logs.map(twist) }))
    }
    const reader = connectChain([liar.url, a.url, b.url], 56)
    expect(await readAll(reader)).toEqual(payments)
    const lookups = await reader.lookUp(payments as never, new Set())
    expect(lookups).toMatchObject(payments.map(() => ({ state: 'found' })))
  },
)
