import type { Finality } from './finality.ts'
import type { Header } from './shapes.ts'

/** A block whose nonces, codes and calls every full node can tell. */
export type StateBlock = { number: bigint; isFinal: boolean }

/** Full nodes keep the state of 128 blocks; while they are asked they make some more. */
const keptStates = 100n
/** So far below the newest block honest nodes are on one branch. */
const settledDepth = 12n

/**
 * The final block, or one near the head where finality has stood still for so long that nodes may have dropped its
 * state. What holds there is good enough to know an account's code by, and proves of no nonce that it is used up.
 */
export async function findStateBlock(
  { isAdvancing }: Pick<Finality, 'isAdvancing'>,
  readLatest: () => Promise<Header>,
  final: Header,
): Promise<StateBlock> {
  if (isAdvancing()) return { number: final.number, isFinal: true }
  const { number: newest } = await readLatest()
  if (newest - final.number < keptStates) return { number: final.number, isFinal: true }
  return { number: newest - settledDepth, isFinal: false }
}
