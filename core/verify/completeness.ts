import { type Hex, pad, zeroAddress } from 'viem'
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
import { firstBlockSince, getFinal } from './chain.ts'
import { type LogFilter, mayBeLeftOut, NoLogsError, readLogs, withoutLogs } from './logs.ts'
import { createPause, failed, open, passed, type Rpc, type VerifyEvent } from './steps.ts'
import type { Promised } from './terms.ts'

const step = 'completeness'

/**
 * Rebuilds the list from the logs of every block of the sale, and compares it with the file line by line. A payment buys
 * floor(units / price) tickets, all or none; the operator's own wallets buy none.
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
  try {
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
  } catch (error) {
    if (!(error instanceof NoLogsError)) throw error
    yield await withoutLogs(rpc, step, filter)
    return
  }
  yield passed(step, 'salePaymentsRight', { blocks: total, payments: at })
}

/** The logs of every payment to the operator wallet. */
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

const isBefore = (a: Found['payment'], b: Found['payment']): boolean =>
  a.blockNumber < b.blockNumber ||
  (a.blockNumber === b.blockNumber && a.transactionIndex < b.transactionIndex)

const blockOf = (text: string): number => Number(parseLedgerLine(text)?.blockNumber ?? 0n)
