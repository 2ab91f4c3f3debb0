import type { Address } from 'viem'
import { foldPayments, type SaleRules, type SaleTerms } from '../../../core/payment/judge.ts'
import { type LedgerLine, ledgerHeader, ledgerText } from '../../../core/payment/ledger.ts'
import type { FoundPayment } from '../../../core/payment/payment.ts'
import type { Chain, Header } from '../../../worker/chain/index.ts'
import { isReplaced } from '../../../worker/chain/replaced.ts'
import { firstBlockSince } from '../../../worker/payment/first-block.ts'
import { readPayments } from '../../../worker/payment/read-steps.ts'

export type Fold = {
  /** Reads on to the newest final block. Begins again where a final block was replaced. */
  readOn: () => Promise<void>
  /** Judges all that was read by the rules as they are now. */
  judgeAnew: () => void
  lines: readonly LedgerLine[]
  ticketsSold: () => number
  /** Time of the newest block that was read, in seconds; undefined before. */
  readTo: () => number | undefined
  /** The canonical file. */
  text: () => string
}

type Rules = { token: Address; rules: () => SaleRules }

/** The ledger of one event from the chain and its terms alone: no database, nothing that the site says of it. */
export function foldSale(chain: Chain, { token, rules }: Rules): Fold {
  const found: FoundPayment[] = []
  const lines: LedgerLine[] = []
  let end: Header | undefined
  const ticketsSold = () => {
    const last = lines.at(-1)
    return last ? last.ticketNumber + last.ticketCount - 1 : 0
  }

  function judge(payments: readonly FoundPayment[]): void {
    const [{ number }] = rules().events as [SaleTerms]
    const counts = new Map([[number, ticketsSold()]])
    for (const { units: value, ticketNumber, ...payment } of foldPayments(payments, rules(), counts))
      if (ticketNumber !== null) lines.push({ ...payment, value, ticketNumber })
  }

  async function readOn(): Promise<void> {
    const head = await chain.finalized()
    if (end && (await isReplaced(chain, { height: end.number, hash: end.hash }, head))) {
      end = undefined
      found.length = lines.length = 0
    }
    const [{ operatorWallet, saleStart }] = rules().events as [SaleTerms]
    let from = end ? end.number + 1n : await firstBlockSince(chain, saleStart, head)
    while (from <= head.number) {
      const step = await readPayments(chain, { token, wallets: [operatorWallet], from, head })
      found.push(...step.found)
      judge(step.found)
      end = step.end
      from = step.end.number + 1n
    }
  }

  return {
    ...{ readOn, lines, ticketsSold },
    judgeAnew: () => {
      lines.length = 0
      judge(found)
    },
    readTo: () => end?.timestamp,
    text: () => ledgerHeader + lines.map(ledgerText).join(''),
  }
}
