import { type Address, type Hex, pad, zeroAddress } from 'viem'
import { bloomBits, hasBits } from '../chain/bloom.ts'
import { mostTickets, ticketsFor } from '../money.ts'
import { ledgerText, parseLedgerLine } from '../payment/ledger.ts'
import {
  decodeTransfer,
  groupPayments,
  type Payment,
  type RpcLog,
  type Transfer,
  transferTopic,
} from '../payment/payment.ts'
import {
  AnswerError,
  firstBlockSince,
  getBlockLogs,
  getFinal,
  getLogs,
  isWhole,
  mustGetHeader,
} from './chain.ts'
import { isBefore } from './list.ts'
import { createPause, failed, open, passed, type Rpc, type VerifyEvent } from './steps.ts'
import type { Promised } from './terms.ts'

const step = 'completeness'

/**
 * Rebuilds the list from all logs of the sale and compares it line by line. A payment buys floor(units / price) tickets, all or
 * none; the operator's own wallets buy none.
 */
export async function* checkCompleteness(
  rpc: Rpc,
  promised: Promised,
  texts: readonly string[],
): AsyncGenerator<VerifyEvent> {
  const head = await getFinal(rpc)
  const first = await firstBlockSince(rpc, promised.saleStart, head)
  const last = (await firstBlockSince(rpc, promised.saleEnd, head)) - 1
  const stranger = [texts[0], texts.at(-1)].find(
    (text) => text !== undefined && (blockOf(text) < first || blockOf(text) > last),
  )
  if (stranger !== undefined) {
    yield failed(step, 'outsideSale', { first, last, actual: stranger })
    return
  }
  const filter = paymentFilter(promised)
  const pause = createPause()
  const total = last - first + 1
  let at = 0
  let sold = 0
  for await (const { to, logs } of readLogs(rpc, filter, { from: first, to: last })) {
    for (const { units: value, ...payment } of paymentsIn(logs, promised)) {
      const ticketCount = ticketsFor(value, promised.ticketPrice) ?? mostTickets + 1
      if (ticketCount === 0 || sold + ticketCount > mostTickets) continue
      const line = ledgerText({ ...payment, value, ticketNumber: sold + 1, ticketCount }).slice(0, -1)
      if (line !== texts[at]) {
        yield await differing(rpc, filter, { logs, texts, at }, { line, payment })
        return
      }
      at += 1
      sold += ticketCount
      await pause()
    }
    if (at < texts.length && blockOf(texts[at] as string) <= to) {
      yield await differing(rpc, filter, { logs, texts, at })
      return
    }
    yield { kind: 'progress', step, done: to - first + 1, total }
  }
  yield passed(step, 'salePaymentsRight', { blocks: total, payments: at })
}

const paymentFilter = ({ token, operatorWallet }: Promised): LogFilter => ({
  address: token,
  topics: [transferTopic, null, pad(operatorWallet)],
})

function paymentsIn(logs: readonly RpcLog[], promised: Promised): Payment[] {
  const { token, operatorWallet, anchorWallet, formerWallets } = promised
  const held = new Set<string>([operatorWallet, anchorWallet ?? zeroAddress, zeroAddress, ...formerWallets])
  const transfers: Transfer[] = logs.flatMap((log) => decodeTransfer(log, token) ?? [])
  return groupPayments(transfers, new Set([operatorWallet])).filter(({ payer }) => !held.has(payer))
}

type Found = { line: string; payment: Pick<Payment, 'blockNumber' | 'transactionIndex'> }

/** The chain and the file differ at this line; `next` is what the logs have in its place. */
async function differing(
  rpc: Rpc,
  filter: LogFilter,
  { logs, texts, at }: { logs: readonly RpcLog[]; texts: readonly string[]; at: number },
  next?: Found,
) {
  const actual = texts[at] ?? 'none'
  const line = parseLedgerLine(actual)
  if (line && (!next || isBefore(line, next.payment))) {
    const block = Number(line.blockNumber)
    const byPayer = { ...filter, topics: [transferTopic, pad(line.payer), filter.topics[2] as Hex] }
    const isIt = ({ transactionHash }: RpcLog) => transactionHash.toLowerCase() === line.transactionHash
    // It was told, and gives no ticket, or gave its tickets in a line before.
    const isTold = logs.some((log) => isIt(log) && decodeTransfer(log, filter.address)?.from === line.payer)
    return !isTold && (await mayBeLeftOut(rpc, byPayer, block, isIt))
      ? open(step, 'logsLeaveOut', { block })
      : failed(step, 'paymentInvented', { actual })
  }
  return failed(step, 'paymentMissing', { expected: next?.line ?? 'none', actual })
}

const blockOf = (text: string): number => Number(parseLedgerLine(text)?.blockNumber ?? 0n)

/** As eth_getLogs takes it: a topic, any (null), or one of several. */
export type LogFilter = { address: Address; topics: (Hex | null | Hex[])[] }

/** The endpoint refuses the logs of a single block: it serves none at all, or none this old. */
export class NoLogsError extends Error {
  override name = 'NoLogsError'
  constructor(readonly finding: 'noLogs' | 'noOldLogs') {
    super(finding)
  }
}

const widest = 5_000

/** Oldest first, by ranges that are halved until answered. Throws NoLogsError, AnswerError for logs that were not asked for. */
export async function* readLogs(
  rpc: Rpc,
  filter: LogFilter,
  { from, to }: { from: number; to: number },
): AsyncGenerator<{ to: number; logs: RpcLog[] }> {
  let width = widest
  for (let at = from; at <= to; ) {
    const last = Math.min(at + width - 1, to)
    try {
      const logs = await getLogs(rpc, { ...filter, from: at, to: last })
      for (const log of logs) {
        const block = Number(log.blockNumber)
        if (block < at || block > last || !fits(log, filter))
          throw new AnswerError('It answered logs that were not asked for.')
      }
      yield { to: last, logs }
      at = last + 1
    } catch (error) {
      if (error instanceof AnswerError) throw error
      if (last === at) throw await noLogs(rpc, filter)
      width = Math.floor((last - at + 1) / 2)
    }
  }
}

async function noLogs(rpc: Rpc, filter: LogFilter): Promise<NoLogsError> {
  const { number } = await getFinal(rpc)
  const newest = await getLogs(rpc, { ...filter, from: number, to: number }).catch(() => undefined)
  return new NoLogsError(newest ? 'noOldLogs' : 'noLogs')
}

/**
 * Some endpoints answer no logs where they have lost them. Whether one may stand in this block all the same: by its receipts,
 * else by the bloom filter that its hash covers.
 */
export async function mayBeLeftOut(
  rpc: Rpc,
  filter: LogFilter,
  block: number,
  isIt: (log: RpcLog) => boolean,
): Promise<boolean> {
  const logs = await getBlockLogs(rpc, block).catch(() => undefined)
  if (logs) return logs.some((log) => fits(log, filter) && isIt(log))
  const header = await mustGetHeader(rpc, block)
  const { logsBloom } = header.told
  if (typeof logsBloom !== 'string' || logsBloom.length !== 514 || !isWhole(header)) return true
  return [filter.address, ...filter.topics].every(
    (value) => value === null || [value].flat().some((one) => hasBits(logsBloom as Hex, bloomBits(one))),
  )
}

const fits = (log: RpcLog, { address, topics }: LogFilter): boolean =>
  log.address.toLowerCase() === address.toLowerCase() &&
  topics.every((topic, index) => {
    const told = log.topics[index]?.toLowerCase()
    if (told === undefined) return false
    return topic === null || [topic].flat().some((each) => each.toLowerCase() === told)
  })
