import type { Proof, ProofBlock } from '../draw/proof.ts'
import { AnswerError, getFinal, isWhole, mustGetHeader, toMiner, toNumber } from './chain.ts'
import { failed, firstProblem, passed, type Rpc, type VerifyResult } from './steps.ts'

export async function checkChain(rpc: Rpc, proof: Proof): Promise<VerifyResult> {
  const chainId = toNumber(await rpc('eth_chainId', []))
  if (chainId !== proof.chainId)
    return failed('chain', 'The endpoint serves another chain.', proof.chainId, chainId)
  const final = await getFinal(rpc)
  const drawBlock = drawBlockOf(proof)
  if (final.number < drawBlock.number)
    return failed('chain', 'The draw block is not final.', `at most ${final.number}`, drawBlock.number)
  return passed('chain', `Chain ${chainId}, final up to block ${final.number}.`)
}

/** Block times never fall, so two neighbours prove which block is the first at or after the draw date. */
export async function checkDrawBlock(rpc: Rpc, proof: Proof): Promise<VerifyResult> {
  const time = Date.parse(proof.drawDate) / 1000
  const { number } = drawBlockOf(proof)
  const [before, block] = await Promise.all([number - 1, number].map((at) => mustGetHeader(rpc, at)))
  const is = (text: string) =>
    failed('draw-block', `Another block is the first at or after ${proof.drawDate}.`, text, number)
  if (!before || !block || before.timestamp >= time) return is(`at most ${number - 1}`)
  if (block.timestamp < time) return is(`at least ${number + 1}`)
  return passed(
    'draw-block',
    `Block ${number - 1} is ${time - before.timestamp} s before the draw date, block ${number} is not.`,
  )
}

/** A block that is not as the proof says. */
export type BlockProblem = { text: string; expected: unknown; actual: unknown }

/**
 * How a block differs from the chain's: hash, time and miner. The hash is computed again from the header, so an endpoint
 * that tells another one than the fields give is not believed: throws AnswerError.
 */
export async function problemOfBlock(
  rpc: Rpc,
  block: ProofBlock,
  miner?: string,
): Promise<BlockProblem | undefined> {
  const header = await mustGetHeader(rpc, block.number)
  if (header.hash !== block.hash)
    return { text: `Block ${block.number} has another hash.`, expected: header.hash, actual: block.hash }
  if (header.timestamp !== block.timestamp)
    return {
      text: `Block ${block.number} has another time.`,
      ...{ expected: header.timestamp, actual: block.timestamp },
    }
  if (!isWhole(header))
    throw new AnswerError(
      `The fields of block ${block.number} do not give its hash, or a fork has added some that are not known here.`,
    )
  const made = miner === undefined ? undefined : toMiner(header)
  return made === miner
    ? undefined
    : { text: `Block ${block.number} was made by another miner.`, expected: made, actual: miner }
}

export async function checkBlocks(rpc: Rpc, proof: Proof): Promise<VerifyResult> {
  const { blocks, miners } = proof
  const problem = await firstProblem(
    blocks.map((block, index) => problemOfBlock(rpc, block, miners[index] as string)),
  )
  if (problem) return failed('blocks', problem.text, problem.expected, problem.actual)
  return passed(
    'blocks',
    `Blocks ${blocks[0]?.number} to ${drawBlockOf(proof).number} have these hashes, times and miners; different miners: ${new Set(miners).size}.`,
  )
}

/** D, the newest of the five. */
const drawBlockOf = (proof: Proof): ProofBlock => proof.blocks.at(-1) as ProofBlock
