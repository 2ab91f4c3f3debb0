import type { Address, Hash } from 'viem'
import { type FoundPayment, groupPayments } from '../../core/payment/payment.ts'
import type { Header } from '../chain/headers.ts'
import type { Chain } from '../chain/index.ts'
import type { Reading } from '../chain/logs.ts'

type Range = { token: Address; wallets: readonly Address[]; from: bigint; head: Header }
type Reader = Pick<Chain, 'transfers'>

export type Step = {
  from: bigint
  end: Header
  parent?: Hash | undefined
  found: FoundPayment[]
  /** Money may have left a wallet in these blocks. */
  movesElsewhere?: boolean | undefined
}

/** Payments in final blocks from `from` on, as two endpoints tell them alike, and the last block read: one
 * step, at most to `head`. @internal */
export async function readRange(
  chain: Reader,
  { token, wallets, from, head }: Range,
  onBegin?: (end: bigint) => void,
): Promise<Step> {
  if (wallets.length === 0) return { from, end: head, found: [] }
  const reading = await chain.transfers(
    { tokens: [token], wallets },
    { from, to: head.number, head: head.number, ...(onBegin && { onBegin }) },
  )
  const { end, parent, movesElsewhere } = reading
  return { from, end, parent, found: paymentsIn(reading, wallets), movesElsewhere }
}

/** Payments to these wallets, with their block times, in chain order. */
export function paymentsIn(
  { transfers }: Pick<Reading, 'transfers'>,
  wallets: readonly Address[],
): FoundPayment[] {
  const times = new Map(transfers.map(({ blockNumber, blockTime }) => [blockNumber, blockTime]))
  return groupPayments(transfers, new Set(wallets)).map((payment) => ({
    ...payment,
    blockTime: times.get(payment.blockNumber) as number,
  }))
}

/** So many are read, or wait for the caller, while it works on one: what waits for an answer works on another meanwhile. */
const stepsAhead = 2

/** All steps up to `head`, in their order. Those ahead are read while the caller works on one. @internal */
export async function* readSteps(chain: Reader, range: Range): AsyncGenerator<Step, void> {
  const ahead: Promise<Step>[] = []
  let next: bigint | undefined = range.from
  let isOver = false
  let isAsking = false
  /** Where a step ends is told before it is read, or comes with it. */
  const ended = (at: bigint): void => {
    next = at < range.head.number ? at + 1n : undefined
    readAhead()
  }
  const readAhead = (): void => {
    // Told of an end while one is asked for: the loop below goes on with it.
    if (isAsking) return
    isAsking = true
    while (next !== undefined && !isOver && ahead.length < stepsAhead) {
      const from = next
      next = undefined
      const step = readRange(chain, { ...range, from }, ended)
      step.catch(() => undefined) // thrown at its own turn, if the caller still reads
      ahead.push(step)
    }
    isAsking = false
  }
  try {
    readAhead()
    for (let step = await ahead[0]; step; step = await ahead[0]) {
      ahead.shift()
      if (ahead.length === 0 && next === undefined) ended(step.end.number)
      else readAhead()
      yield step
    }
  } finally {
    isOver = true
  }
}
