import type { Proof, ProofBlock } from '../draw/proof.ts'
import { AnswerError, getFinal, isWhole, mustGetHeader, toMiner, toNumber } from './chain.ts'
import { failed, open, passed, type Rpc, type VerifyResult, type VerifyStep } from './steps.ts'

/** `drawBlock`: null for an event that was not drawn. */
export async function checkChain(
  rpc: Rpc,
  { chainId, drawBlock }: { chainId: number; drawBlock: number | null },
): Promise<VerifyResult> {
  const chain = toNumber(await rpc('eth_chainId', []))
  // Whoever asks a wrong node, or one that lags, has not caught anybody.
  if (chain !== chainId) return open('chain', 'otherChain', { expected: chainId, actual: chain })
  const { number: final } = await getFinal(rpc)
  if (drawBlock !== null && final < drawBlock)
    return open('chain', 'drawNotFinal', { block: drawBlock, final })
  return passed('chain', 'chainRight', { chain, block: final })
}

/** Block times never fall, so two neighbours prove which block is the first at or after the draw date. */
export async function checkDrawBlock(rpc: Rpc, proof: Proof, drawDate: number): Promise<VerifyResult> {
  const { number: block } = drawBlockOf(proof)
  const [before, found] = await Promise.all([block - 1, block].map((at) => mustGetHeader(rpc, at)))
  if (!before || !found || before.timestamp >= drawDate)
    return failed('draw-block', 'drawBlockEarlier', { block })
  if (found.timestamp < drawDate) return failed('draw-block', 'drawBlockLater', { block })
  return passed('draw-block', 'drawBlockRight', { block, before: drawDate - before.timestamp })
}

/**
 * How a block differs from the chain's: hash, time and miner. The hash is computed again from the header, so an endpoint
 * that tells another one than the fields give is not believed: throws AnswerError.
 */
export async function problemOfBlock(
  rpc: Rpc,
  step: VerifyStep,
  block: ProofBlock,
  miner?: string,
): Promise<VerifyResult | undefined> {
  const { number } = block
  const header = await mustGetHeader(rpc, number)
  const differ = (field: string, expected: unknown, actual: unknown) =>
    failed(step, 'otherBlock', { block: number, field, expected: `${expected}`, actual: `${actual}` })
  if (header.hash !== block.hash) return differ('hash', header.hash, block.hash)
  if (header.timestamp !== block.timestamp) return differ('timestamp', header.timestamp, block.timestamp)
  if (!isWhole(header))
    throw new AnswerError(
      `The fields of block ${number} do not give its hash, or a fork has added some that are not known here.`,
    )
  const made = miner === undefined ? undefined : toMiner(header)
  return made === miner ? undefined : differ('miner', made, miner)
}

export async function checkBlocks(rpc: Rpc, proof: Proof): Promise<VerifyResult> {
  const { blocks, miners } = proof
  const problems = await Promise.allSettled(
    blocks.map((block, index) => problemOfBlock(rpc, 'blocks', block, miners[index])),
  )
  // One that is found counts although a later block was not answered.
  for (const told of problems) {
    if (told.status === 'rejected') throw told.reason
    if (told.value) return told.value
  }
  const [first, last] = [blocks[0]?.number as number, drawBlockOf(proof).number]
  return passed('blocks', 'blocksRight', { first, last, miners: new Set(miners).size })
}

/** D, the newest of the five. */
export const drawBlockOf = (proof: Proof): ProofBlock => proof.blocks.at(-1) as ProofBlock
