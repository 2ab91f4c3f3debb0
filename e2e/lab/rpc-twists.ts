import type { RpcFault } from './rpc-faults.ts'

type Call = { method: string; params: unknown[] }
type Json = Record<string, unknown>

const otherHash = `0x${'ab'.repeat(32)}`
const mallory = `0x${'00'.repeat(12)}${'66'.repeat(20)}`

/** The answer as it is told under these faults. */
export function twist(
  { method, params }: Call,
  result: unknown,
  faults: ReadonlySet<RpcFault>,
  frozen: { latest: string },
): unknown {
  const held = result as Json | null
  if (held === null || typeof held !== 'object') return result
  const height = (held.blockNumber ?? held.number) as string | undefined
  if (faults.has('stale-head') && height && Number(height) > Number(frozen.latest)) return null
  if (method === 'eth_getBlockByNumber') return twistBlock(params[0], held, faults)
  if (method === 'eth_getLogs') {
    const isRange = (params[0] as { fromBlock?: string }).fromBlock !== undefined
    return twistLogs(isRange ? twistRange(result as Json[], faults) : (result as Json[]), faults)
  }
  if (method === 'eth_getBlockReceipts')
    return turnIndexes(result as Json[], faults).map((receipt) => ({
      ...receipt,
      logs: turnIndexes(receipt.logs as Json[], faults),
    }))
  if (method !== 'eth_getTransactionReceipt') return result
  if (faults.has('reverted-receipts')) return { ...held, status: '0x0', logs: [] }
  const [turned] = turnIndexes([held], faults)
  return { ...turned, logs: twistLogs(held.logs as Json[], faults) }
}

function twistBlock(at: unknown, block: Json, faults: ReadonlySet<RpcFault>): Json {
  if (faults.has('other-block-hash')) return { ...block, hash: otherHash }
  if (faults.has('other-block-time')) return { ...block, timestamp: hexOf(Number(block.timestamp) + 1) }
  if (faults.has('empty-bloom')) return { ...block, logsBloom: hexOf(0, 512) }
  if (faults.has('unknown-header-form')) return { ...block, mixHash: undefined }
  if (faults.has('future-head') && at === 'latest') return { ...block, timestamp: '0xffffffff' }
  return block
}

function twistRange(logs: Json[], faults: ReadonlySet<RpcFault>): Json[] {
  if (faults.has('missing-range-log')) return logs.slice(1)
  if (faults.has('invented-range-log')) return logs.flatMap((log) => [log, { ...log, logIndex: '0x77' }])
  return logs
}

function twistLogs(logs: Json[], faults: ReadonlySet<RpcFault>): Json[] {
  if (faults.has('missing-log')) return logs.slice(1)
  if (faults.has('doubled-log')) return [...logs, ...logs.slice(-1)]
  if (faults.has('other-value')) return logs.map((log) => ({ ...log, data: hexOf(10n ** 21n, 64) }))
  if (faults.has('other-logs'))
    return logs.map((log) => {
      const [topic, , to] = log.topics as string[]
      return { ...log, topics: [topic, mallory, to] }
    })
  return turnIndexes(logs, faults)
}

/** All of them moved by one, or their order within the block turned round. */
function turnIndexes(items: Json[], faults: ReadonlySet<RpcFault>): Json[] {
  const turn = (index: number): number => {
    if (faults.has('shifted-transaction-index')) return index + 1
    return faults.has('reversed-transaction-index') ? 1_000 - index : index
  }
  return items.map((item) => ({ ...item, transactionIndex: hexOf(turn(Number(item.transactionIndex))) }))
}

const hexOf = (number: number | bigint, digits = 0): string =>
  `0x${number.toString(16).padStart(digits, '0')}`
