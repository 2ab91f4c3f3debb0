import type { Address, Hash } from 'viem'
import { commitmentOf } from '../../../core/draw/anchor.ts'
import { quicknet, randomnessOf } from '../../../core/draw/beacon.ts'
import { type Proof, parseProof } from '../../../core/draw/proof.ts'
import published from '../../../core/draw/vectors/event.proof.json' with { type: 'json' }
import { termsSha256 } from '../../../core/event/terms.ts'
import type { PublicDrawnTicket } from '../../../core/live/public.ts'
import { termsWith } from '../../lab/forged-proof.ts'

const heightOnBsc = 71_234_000

/** The published proof in its longest form, of event 13 and these winners: for looks at the certificate. */
export function madeUpProof(drawn: readonly PublicDrawnTicket[]): Proof {
  const proof = published as Proof
  const { winner } = proof
  const blocks = proof.blocks.map((block) => ({ ...block, number: block.number + heightOnBsc }))
  const terms = termsWith(proof.terms, { eventNumber: '13', entropy: 'blocks+drand' })
  const lines = drawn.map(({ walletAddress, transactionHash, ticketNumber }) => ({
    ...{ walletAddress: walletAddress.toLowerCase() as Address, transactionHash: transactionHash as Hash },
    ...{ ticketNumber, ticketCount: 33 },
  }))
  const winners = lines.filter((_, index) => drawn[index]?.kind === 'winner')
  const last = blocks[4] as Proof['blocks'][0]
  const { walletAddress: wallet, transactionHash } = winner
  const anchor = { wallet, transactionHash, blockNumber: last.number - 900, timestamp: last.timestamp - 300 }
  const signature = `0x${'b4'.repeat(48)}` as const
  const longest = {
    ...{
      ...proof,
      blocks,
      terms,
      termsSha256: termsSha256(terms),
      commitment: commitmentOf(terms, proof.list.sha256),
    },
    ...{ anchors: { terms: anchor, list: anchor }, entropy: 'blocks+drand', ticketsSold: 12_377 },
    beacon: {
      ...{ network: 'quicknet', chainHash: quicknet.chainHash, round: 34_441_032, time: last.timestamp + 60 },
      ...{ after: { ...last, number: last.number + 32 }, signature, randomness: randomnessOf(signature) },
    },
    ...{ winningTicket: winners[0]?.ticketNumber ?? 1, winner: winners[0] ?? winner, winners },
    reserves: lines.slice(winners.length),
  }
  // A page shows no proof of another form.
  return parseProof(JSON.stringify(longest))
}
