import type { Address, Hash } from 'viem'
import { type FoundPayment, groupPayments } from '../../core/payment.ts'
import type { Chain, Header } from '../chain/index.ts'

type Step = { end: Header; found: FoundPayment[]; anchorHints: Hash[] }
type Range = { token: Address; wallets: readonly Address[]; from: bigint; head: Header }

/**
 * Payments to any of `wallets` in final blocks from `from` on, with their block times, in chain order, and
 * the block up to which was read: one step, at most to `head`. Besides, transactions that may be an anchor.
 * @internal
 */
export async function readPayments(chain: Chain, { token, wallets, from, head }: Range): Promise<Step> {
  if (wallets.length === 0) return { end: head, found: [], anchorHints: [] }
  const { end, transfers, anchorHints } = await chain.transfers(
    { token, wallets },
    { from, to: head.number, head: head.number },
  )
  const times = new Map(transfers.map((transfer) => [transfer.blockNumber, transfer.blockTime]))
  const found = groupPayments(transfers, new Set(wallets)).map((payment) => ({
    ...payment,
    blockTime: times.get(payment.blockNumber) as number,
  }))
  return { end, found, anchorHints }
}

/** All steps up to `head`. The next one is read while the caller works on this one. */
export async function* readSteps(chain: Chain, range: Range): AsyncGenerator<Step, void> {
  let next: Promise<Step> | undefined = readPayments(chain, range)
  while (next) {
    const step: Step = await next
    const from = step.end.number + 1n
    next = from <= range.head.number ? readPayments(chain, { ...range, from }) : undefined
    next?.catch(() => undefined) // told when its turn comes, if the caller still wants it
    yield step
  }
}
