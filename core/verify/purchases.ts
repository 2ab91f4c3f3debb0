import { pad } from 'viem'
import type { Proof } from '../draw/proof.ts'
import { judgePayment, type SaleRules } from '../payment/judge.ts'
import {
  decodeTransfer,
  groupPayments,
  type Payment,
  type RpcLog,
  transferTopic,
} from '../payment/payment.ts'
import { mustGetHeader } from './chain.ts'
import type { LogFilter } from './logs.ts'
import type { Rpc } from './steps.ts'

export type Purchase = Payment & { ticketCount: number }
/** `own`: payers whose money would have bought tickets, were they not wallets of the operator. */
export type Reading = { purchases: Purchase[]; own: Payment['payer'][] }

/** The logs of every payment to the operator wallet. */
export const paymentFilter = ({ token, operatorWallet }: Proof): LogFilter => ({
  address: token,
  topics: [transferTopic, null, pad(operatorWallet)],
})

/** What was paid to the operator wallet in blocks of the sale, judged by the rules that the raffle itself uses. */
export async function readPurchases(rpc: Rpc, proof: Proof, logs: readonly RpcLog[]): Promise<Reading> {
  const transfers = logs.flatMap((log) => decodeTransfer(log, proof.token) ?? [])
  const rules = saleRulesOf(proof)
  const isNamed = new Set<string>(proof.ownWallets.map(({ address }) => address))
  const reading: Reading = { purchases: [], own: [] }
  for (const payment of groupPayments(transfers, new Set([proof.operatorWallet]))) {
    // Every block is one of the sale; its time matters for a wallet that became the operator's during it.
    const time = isNamed.has(payment.payer)
      ? (await mustGetHeader(rpc, Number(payment.blockNumber))).timestamp
      : rules.saleStart
    const { status, reason, ticketCount } = judgePayment(payment, time, rules)
    if (status === 'credited') reading.purchases.push({ ...payment, ticketCount })
    else if (reason === 'held' && isNamed.has(payment.payer)) reading.own.push(payment.payer)
  }
  return reading
}

/** The rules of the sale as the proof has them; every block that is judged by them is one of the sale. */
function saleRulesOf(proof: Proof): SaleRules & { saleStart: number } {
  const saleStart = Date.parse(proof.saleStart) / 1000
  const { eventNumber: number, operatorWallet } = proof
  const ticketPrice = BigInt(proof.ticketPrice)
  return {
    saleStart,
    events: [
      {
        ...{ number, operatorWallet, ticketPrice, saleStart, saleEnd: null, isClosed: false },
        ...{ anchorWallet: null, formerWallets: proof.ownWallets.map(({ address }) => address) },
      },
    ],
    wallets: [],
  }
}
