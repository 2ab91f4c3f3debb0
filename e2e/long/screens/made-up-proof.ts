import { type Address, type Hash, keccak256, sha256, toHex } from 'viem'
import { commitmentOf } from '../../../core/draw/anchor.ts'
import { quicknet, randomnessOf } from '../../../core/draw/beacon.ts'
import { blockSeedOf } from '../../../core/draw/draw.ts'
import type { Proof } from '../../../core/draw/proof.ts'
import { termsSha256 } from '../../../core/event/terms.ts'
import type { PublicDrawnTicket } from '../../../core/live/public.ts'
import { termsOf } from '../../lab/told.ts'

const hashOf = (name: string): Hash => keccak256(toHex(name))
const anchorAt = (name: string, blockNumber: number, timestamp: number) => ({
  ...{ wallet: miner(9), transactionHash: hashOf(`anchor of ${name}`), blockNumber, timestamp },
})
const miner = (index: number): Address => `0x${hashOf(`miner ${index < 3 ? 0 : 1}`).slice(2, 42)}`

/** A proof in its form, for pictures of the certificate; what it says of the chain is invented. */
export function madeUpProof(drawn: readonly PublicDrawnTicket[]): Proof {
  const drawDate = new Date('2026-12-01T12:00:00Z')
  const [saleStart, saleEnd] = [new Date('2026-11-01T00:00:00Z'), new Date('2026-11-30T12:00:00Z')]
  const dates = { saleStart, saleEnd, drawDate }
  const terms = termsOf({ ...dates, eventNumber: 13, book: hashOf('book'), entropy: 'blocks+drand' })
  const blocks = [1, 2, 3, 4, 5].map((number) => ({
    ...{ number: 124_045_344 + number, hash: hashOf(`block ${number}`), timestamp: 1_796_126_396 + number },
  }))
  const blockSeed = blockSeedOf(blocks.map(({ hash }) => hash))
  const lines = drawn.map(({ walletAddress, transactionHash, ticketNumber }) => ({
    ...{ walletAddress: walletAddress.toLowerCase() as Address, transactionHash },
    ...{ ticketNumber, ticketCount: 33 },
  }))
  const winners = lines.filter((_, index) => drawn[index]?.kind === 'winner')
  const signature = `0x${'b4'.repeat(48)}` as const
  const list = sha256(toHex('list'))
  return {
    ...{ version: 3, terms, termsSha256: termsSha256(terms), commitment: commitmentOf(terms, list) },
    ...{ list: { sha256: list, lines: 412 }, formerWallets: [], ticketsSold: 12_377 },
    anchors: {
      terms: anchorAt('terms', 123_500_000, 1_795_900_500),
      list: anchorAt('list', 123_900_000, 1_796_040_500),
    },
    ...{ entropy: 'blocks+drand', blocks, miners: blocks.map((_, index) => miner(index)), blockSeed },
    beacon: {
      ...{ network: 'quicknet', chainHash: quicknet.chainHash, round: 34_441_032, time: 1_796_126_460 },
      after: { number: 124_045_381, hash: hashOf('after'), timestamp: 1_796_126_416 },
      ...{ signature, randomness: randomnessOf(signature) },
    },
    ...{ seed: hashOf('seed'), counter: 0, randomNumber: BigInt(hashOf('seed')).toString() },
    ...{ winningTicket: winners[0]?.ticketNumber ?? 1, winner: winners[0] as Proof['winner'], winners },
    reserves: lines.slice(winners.length),
  }
}
