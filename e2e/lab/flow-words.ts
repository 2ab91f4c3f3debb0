import { type Address, type Hash, numberToHex } from 'viem'
import type { Flow } from '../../core/flows/flow.ts'
import { type Fold, type FoldTerms, openFold } from '../../core/flows/fold.ts'

const address = (n: number): Address => numberToHex(n, { size: 20 })
const hash = (n: number): Hash => numberToHex(n, { size: 32 })

export const wallets = [address(0xa1), address(0xa2)] as const
export const holders = [address(0xb1), address(0xb2), address(0xb3)] as const

export const openingAt = (wallet: Address, block: number, units: bigint) => ({
  ...{ wallet, units, counts: true },
  ...{ blockNumber: BigInt(block), blockHash: hash(block) },
})

/** By event, in the order of their places. */
export const prizesOf = (told: Record<number, bigint[]>): FoldTerms['prizes'] =>
  new Map(
    Object.entries(told).map(([event, units]) => [
      Number(event),
      new Map(units.map((each, index) => [index + 1, each])),
    ]),
  )

export const termsOf = (terms: Partial<FoldTerms>): FoldTerms => ({
  ...{ saleStart: 0, dust: 0n, openings: [openingAt(wallets[0], 0, 0n)], draws: [] },
  ...{ eventNumber: 1, refunding: new Set(), prizes: new Map(), ...terms },
})

/** Whatever follows may pay back any of the holders. */
export function foldOf(terms: FoldTerms): Fold {
  const fold = openFold(terms)
  fold.recall(new Set(holders), [])
  return fold
}

type Told = Partial<Flow> & Pick<Flow, 'class' | 'wallet' | 'counterparty' | 'units'>

/** A flow in a transaction of its own, a second a block. */
export function flowOf({
  block,
  transaction = block,
  ...told
}: Told & { block: number; transaction?: number }): Flow {
  const isOwed = told.class === 'credited' || told.class === 'leftover'
  return {
    ...{ blockNumber: BigInt(block), blockHash: hash(block), blockTime: block },
    ...{ transactionHash: hash(transaction), transactionIndex: 0, logIndex: 0, direction: 'in' },
    ...{ eventNumber: told.direction === 'out' && told.class !== 'prize' ? null : 1, reason: null },
    ...{ owedBy: isOwed ? told.wallet : null, debtor: null, isRegister: false },
    ...told,
  }
}
