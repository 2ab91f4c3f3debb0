import { createMPT } from '@ethereumjs/mpt'
import { type Hash, type Hex, hexToBytes, numberToHex, toHex, toRlp } from 'viem'
import { RaffleError } from '../../core/errors.ts'
import type { RpcLog } from '../../core/payment/payment.ts'
import { agree, failed, unavailable } from './agree.ts'
import { blockPrint, readBlock } from './blocks.ts'
import type { Endpoint } from './endpoint.ts'
import { isTooLarge, RpcFailure } from './failure.ts'
import { type Block, toReceipt } from './shapes.ts'

/** Of one block; a stranger can make its receipts as large as its gas allows. */
const receiptsMaxBytes = 64 * 1_048_576

/**
 * All logs of a block, as its receipts have them whose hash is the `receiptsRoot` of the header that two tell alike: whoever
 * told them, they are true. Throws RPC_DISAGREE where nobody's receipts are those of the header.
 */
export async function readProven(
  endpoints: readonly Endpoint[],
  number: bigint,
): Promise<{ block: Block; logs: RpcLog[] }> {
  const block = await agree(endpoints, (endpoint) => readBlock(endpoint, number), whole)
  if (!block) throw unavailable({}, 0)
  const failures: Record<string, string> = {}
  let told = 0
  for (const endpoint of endpoints)
    try {
      const receipts = await readReceipts(endpoint, block)
      told++
      if ((await rootOf(receipts)) === `${block.told.receiptsRoot}`.toLowerCase())
        return { block, logs: logsOf(receipts, block) }
    } catch (error) {
      failures[endpoint.host] = failed(error)
    }
  if (told === 0) throw unavailable(failures, 0)
  throw new RaffleError('RPC_DISAGREE', 'No endpoint tells the receipts of a block.', { height: `${number}` })
}

/** The root covers neither the hashes of the transactions nor their number: two tell them alike. */
const whole = (block: Block): string =>
  `${blockPrint(block)} ${block.told.receiptsRoot} ${block.told.transactions}`.toLowerCase()

type RpcReceipt = { type: Hex; status: Hex; cumulativeGasUsed: Hex; logsBloom: Hex; logs: RpcLog[] }

async function readReceipts(endpoint: Endpoint, { number, told }: Block): Promise<RpcReceipt[]> {
  const hashes = told.transactions as Hash[]
  const answer = await endpoint
    .ask('eth_getBlockReceipts', [numberToHex(number)], receiptsMaxBytes)
    .catch((error: unknown) => {
      if (!(error instanceof RpcFailure) || !(error.kind === 'rpc' || isTooLarge(error))) throw error
      const calls = hashes.map((hash) => ({ method: 'eth_getTransactionReceipt', params: [hash] }))
      return endpoint.askMany(calls, { maxBytes: receiptsMaxBytes })
    })
  if (!Array.isArray(answer) || answer.includes(null)) throw new RpcFailure('behind')
  return answer
}

async function rootOf(receipts: readonly RpcReceipt[]): Promise<Hex> {
  const trie = await createMPT()
  for (const [index, receipt] of receipts.entries())
    await trie.put(toRlp(quantity(numberToHex(index)), 'bytes'), hexToBytes(encoded(receipt)))
  return toHex(trie.root())
}

function encoded({ type, status, cumulativeGasUsed, logsBloom, logs }: RpcReceipt): Hex {
  const fields = logs.map(({ address, topics, data }) => [address, [...topics], data])
  const body = toRlp([quantity(status), quantity(cumulativeGasUsed), logsBloom, fields])
  return Number(type ?? 0) === 0 ? body : `0x${Number(type).toString(16).padStart(2, '0')}${body.slice(2)}`
}

/** As RLP takes it: whole bytes without leading zeros. */
function quantity(value: Hex): Hex {
  const digits = value.slice(2).replace(/^0+/, '')
  return `0x${digits.length % 2 === 0 ? digits : `0${digits}`}`
}

/** What the root does not cover follows from the place: of each transaction, and of each log. */
function logsOf(receipts: readonly RpcReceipt[], { hash, told }: Block): RpcLog[] {
  let count = 0
  return receipts.flatMap((item, index) => {
    const receipt = toReceipt(item, (told.transactions as Hash[])[index])
    const isHere = receipt?.blockHash === hash && receipt.transactionIndex === index
    if (!isHere || receipt.logs.some(({ logIndex }) => Number(logIndex) !== count++))
      throw new RpcFailure('body')
    return receipt.status === 'success' ? receipt.logs : []
  })
}
