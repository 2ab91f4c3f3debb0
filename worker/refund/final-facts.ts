import type { Address, Hash } from 'viem'
import { noteDelegated } from '../../db/refund/flight.ts'
import type { FinalFacts } from '../../db/refund/landing.ts'
import { lostWallets } from '../../db/refund/own-wallets.ts'
import { reportedHashes } from '../../db/refund/watch.ts'
import type { Header } from '../chain/index.ts'
import type { Deps } from '../deps.ts'

/**
 * What the chain up to `head` says of requests in flight: the wallets' nonces, and the reported transactions that two
 * have in a final block. Where the nodes may have dropped the state of the final block no nonce is told: the ones that
 * are known stay, and nothing is called dead by them. Which wallets run a contract's code is noted on the way.
 */
export async function finalFacts(
  { db, chain }: Pick<Deps, 'db' | 'chain'>,
  wallets: readonly Address[],
  head: Header,
): Promise<Omit<FinalFacts, 'now'>> {
  const { number, isFinal } = await chain.stateBlock(head)
  const codes = await chain.codes(wallets, number)
  await noteDelegated(
    db,
    wallets.filter((_, index) => codes[index] !== '0x'),
  )
  const counts = isFinal ? await chain.nonces(wallets, number) : []
  const nonces = Object.fromEntries(
    wallets.flatMap((wallet, index) => (counts[index] === undefined ? [] : [[wallet, counts[index]]])),
  )
  const hashes: Hash[] = []
  for (const hash of await reportedHashes(db)) {
    const receipt = await chain.agreedReceipt(hash)
    if (receipt && receipt.blockNumber <= head.number) hashes.push(hash)
  }
  return { nonces, hashes, time: head.timestamp, lost: await lostWallets(db) }
}
