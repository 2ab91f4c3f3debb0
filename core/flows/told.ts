import { type Address, getAddress, type Hash } from 'viem'
import type { PublicSolvency } from '../live/solvency.ts'
import type { Sums } from './fold.ts'

type Told = {
  eventNumber: number
  token: Address
  block: { number: bigint; hash: Hash; timestamp: number }
  /** Wallets that have signed. */
  wallets: readonly Address[]
  equation: PublicSolvency['equation']
  dust: bigint
  /** Of the event's token prizes, by place. */
  promised: readonly bigint[]
}

/**
 * What is told to everybody. `unknown` while nothing shows what a wallet holds, a balance is not what the transfers say, or
 * tickets are sold by a wallet that has not signed: then what is held is not known.
 */
export function toldSolvency(
  sums: Sums,
  { eventNumber, token, block, wallets, equation, dust, promised }: Told,
): PublicSolvency {
  const { held, required, cover, owed, lowest, shortSince, outflow, others, balances, isUnbacked } = sums
  const isKnown =
    equation !== 'broken' &&
    !isUnbacked &&
    wallets.length > 0 &&
    wallets.every((wallet) => balances.has(wallet))
  return {
    eventNumber,
    state: !isKnown ? 'unknown' : cover < 0n ? 'short' : 'covered',
    token: getAddress(token),
    block: { number: Number(block.number), hash: block.hash, timestamp: block.timestamp },
    ...{ held: `${held}`, required: `${required}`, cover: `${cover}` },
    ratioBp: required === 0n ? null : Number((held * 10_000n) / required),
    wallets: wallets.flatMap((wallet) => {
      const balance = balances.get(wallet)
      return balance === undefined ? [] : { address: getAddress(wallet), held: `${balance}` }
    }),
    owed: asTexts(owed),
    lowest: lowest && {
      ...{ cover: `${lowest.cover}`, at: isoOf(lowest.at), block: Number(lowest.block) },
      transactionHash: lowest.transactionHash,
    },
    shortSince: shortSince && {
      ...{ at: isoOf(shortSince.at), block: Number(shortSince.block) },
      transactionHash: shortSince.transactionHash,
    },
    dust: `${dust}`,
    promised: promised.map((units) => `${units}`),
    outflow: asTexts(outflow),
    others: others.map(({ transactionHash, wallet, counterparty, units, blockTime }) => ({
      ...{ transactionHash, from: getAddress(wallet), to: getAddress(counterparty) },
      ...{ units: `${units}`, at: isoOf(blockTime) },
    })),
    equation,
  }
}

const isoOf = (seconds: number): string => new Date(seconds * 1000).toISOString()

const asTexts = <K extends string>(amounts: Record<K, bigint>): Record<K, string> =>
  Object.fromEntries(Object.entries<bigint>(amounts).map(([name, units]) => [name, `${units}`])) as Record<
    K,
    string
  >
