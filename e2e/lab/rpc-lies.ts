/** Lies that a node tells about a block's logs, their order and the head while everything else it says is true. */
export type RpcLie =
  // A part of a block: what its log index holds, or all that it says of the block
  | 'half-of-the-logs'
  | 'half-of-the-block'
  // The order within a block: in contradiction to the order of the logs, or consistently
  | 'swapped-indexes'
  | 'swapped-transactions'
  // The head
  | 'latest-in-2106'
  | 'final-at-once'

type Call = { method: string; params: unknown[] }
type Json = Record<string, unknown>
type Lies = ReadonlySet<string>

/** What is asked instead of what was asked. */
export function redirect({ method, params }: Call, lies: Lies): unknown[] {
  const isFinal = method === 'eth_getBlockByNumber' && params[0] === 'finalized'
  return isFinal && lies.has('final-at-once') ? ['latest', ...params.slice(1)] : params
}

/** The answer as the liar tells it. */
export function lie({ method, params }: Call, result: unknown, lies: Lies): unknown {
  if (result === null || typeof result !== 'object') return result
  if (method === 'eth_getBlockByNumber')
    return params[0] === 'latest' && lies.has('latest-in-2106')
      ? { ...result, timestamp: '0xffffffff' }
      : result
  if (method === 'eth_getLogs') return swapped(halfOfLogs(result as Json[], lies), lies)
  if (method === 'eth_getBlockReceipts') return swappedReceipts(halved(result as Json[], lies), lies)
  return method === 'eth_getTransactionReceipt' ? halved([result as Json], lies)[0] : result
}

/** Of every block the first log alone. */
function halfOfLogs(logs: readonly Json[], lies: Lies): readonly Json[] {
  if (!lies.has('half-of-the-logs') && !lies.has('half-of-the-block')) return logs
  const seen = new Set<unknown>()
  return logs.filter((log) => !seen.has(log.blockNumber) && seen.add(log.blockNumber))
}

/** The first transaction of a block has its logs, the others have lost theirs. */
const halved = (receipts: readonly Json[], lies: Lies): Json[] =>
  receipts.map((receipt) =>
    lies.has('half-of-the-block') && receipt.transactionIndex !== '0x0' ? { ...receipt, logs: [] } : receipt,
  )

function swappedReceipts(receipts: readonly Json[], lies: Lies): Json[] {
  const all = receipts.flatMap((receipt) => receipt.logs as Json[])
  const logs = swapped(all, lies)
  const own = (receipt: Json) => logs.filter((log) => log.transactionHash === receipt.transactionHash)
  return swapped(receipts, lies).map((receipt) => ({ ...receipt, logs: own(receipt) }))
}

const partner: Record<string, string> = { '0x0': '0x1', '0x1': '0x0' }

/** The first two transactions of a block change places, their logs too if the lie is to be consistent. */
function swapped(items: readonly Json[], lies: Lies): Json[] {
  const isWhole = lies.has('swapped-transactions')
  if (!isWhole && !lies.has('swapped-indexes')) return [...items]
  const other = (index: unknown) => partner[index as string] ?? index
  const has = (block: unknown, index: string) =>
    items.some((item) => item.blockNumber === block && item.transactionIndex === index)
  return items.map((item) => {
    if (!has(item.blockNumber, '0x0') || !has(item.blockNumber, '0x1')) return item
    const moved = { ...item, transactionIndex: other(item.transactionIndex) }
    return isWhole && 'logIndex' in item ? { ...moved, logIndex: other(item.logIndex) } : moved
  })
}
