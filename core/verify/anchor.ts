import { pad } from 'viem'
import { register } from '../chain/register.ts'
import { commitmentOf } from '../draw/anchor.ts'
import { type Anchored, anchoredTopics, countingAnchors, decodeAnchored } from '../draw/anchored.ts'
import type { Proof } from '../draw/proof.ts'
import { parseTerms } from '../event/terms.ts'
import { AnswerError, firstBlockSince, getFinal, mustGetHeader } from './chain.ts'
import { hasNewLogs, logsOfBlock, mayHold, readAllLogs, readLogsByBlooms, withoutLogs } from './logs.ts'
import { failed, passed, type Rpc, skipped, type VerifyResult } from './steps.ts'

/** `byBlooms`: where no logs are served, headers and block receipts are read. */
export type AnchorOptions = { logCalls: number; byBlooms?: boolean | undefined }

/** Terms and list are those of the proof, and so is what they commit to. Undefined where it is so. */
export function contradictedCommitment(proof: Proof): VerifyResult | undefined {
  const commitment = commitmentOf(proof.terms, proof.ledger.sha256)
  return commitment === proof.commitment
    ? undefined
    : failed('anchor', 'Terms and fingerprint give another commitment.', commitment, proof.commitment)
}

/**
 * Looks for every commitment of this event that the register heard of the operator wallet or the anchor wallet between
 * sale end and draw date. Only they can make one, so the operator cannot hide a second one.
 */
export async function checkAnchor(rpc: Rpc, proof: Proof, options: AnchorOptions): Promise<VerifyResult> {
  const contradiction = contradictedCommitment(proof)
  if (contradiction) return contradiction
  const { anchor: told, commitment } = proof
  const found = await readAnchors(rpc, proof, options)
  if (!found) return withoutLogs('anchor', await hasNewLogs(rpc, filterOf(proof)))
  const counting = countingAnchors(found, proof.operatorWallet)
  const last = counting.at(-1)
  if (!last)
    return told
      ? failed('anchor', 'No such anchor is on the chain.', 'none', told.transactionHash)
      : skipped('anchor', 'Nobody put terms and fingerprint on the chain for this event.')
  const place = counting.findLastIndex((each) => each.commitment === commitment)
  const ours = counting[place]
  if (!ours) return failed('anchor', 'Another commitment was put on the chain.', last.commitment, commitment)
  const { timestamp } = await mustGetHeader(rpc, ours.blockNumber)
  const [there, named] = [{ ...ours, timestamp }, told].map((each) =>
    each ? `${each.transactionHash} in block ${each.blockNumber} at ${each.timestamp}` : undefined,
  )
  if (named && named !== there) return failed('anchor', 'The proof names another anchor.', there, named)
  const later = counting.slice(place + 1).map((each) => `${each.commitment} in ${each.transactionHash}`)
  if (later.length > 0)
    return skipped('anchor', `It is on the chain, but another came later: ${later.join(', ')}.`)
  return passed(
    'anchor',
    `Transaction ${ours.transactionHash} carried it ${Date.parse(proof.drawDate) / 1000 - timestamp} s before the draw date.`,
  )
}

/** In chain order; undefined where the endpoint does not serve the logs of all these blocks. */
async function readAnchors(
  rpc: Rpc,
  proof: Proof,
  { logCalls: calls, byBlooms }: AnchorOptions,
): Promise<Anchored[] | undefined> {
  const [saleEnd, drawDate] = [proof.saleEndDate, proof.drawDate].map((date) => Date.parse(date) / 1000)
  const head = await getFinal(rpc)
  const from = await firstBlockSince(rpc, saleEnd as number, head)
  const drawBlock = proof.blocks.at(-1)?.number ?? 0
  // Where the proof's D is the wrong block the draw date still ends the window.
  const isEarly = (await mustGetHeader(rpc, drawBlock - 1)).timestamp < (drawDate as number)
  const to = (isEarly ? drawBlock : await firstBlockSince(rpc, drawDate as number, head)) - 1
  const served = await readAllLogs(rpc, filterOf(proof), { from, to, calls })
  const logs = served ?? (byBlooms ? await readLogsByBlooms(rpc, filterOf(proof), { from, to }) : undefined)
  const found = logs?.flatMap((log) => decodeAnchored(log) ?? []).sort(inChainOrder)
  const wallets = filterOf(proof).topics[1] as readonly string[]
  for (const { wallet, eventNumber, blockNumber } of found ?? []) {
    const isAsked = eventNumber === proof.eventNumber && wallets.includes(pad(wallet))
    if (!isAsked || blockNumber < from || blockNumber > to)
      throw new AnswerError('It answered logs that were not asked for.')
  }
  const at = proof.anchor?.blockNumber ?? -1
  if (found?.every(({ blockNumber }) => blockNumber !== at) && at >= from && at <= to) {
    // Some endpoints answer no logs where they have lost them, as if there had been none.
    const shown = await logsOfBlock(rpc, filterOf(proof), at).catch(async (error: unknown) => {
      if (await mayHold(rpc, filterOf(proof), at)) throw error
      return []
    })
    if (shown.length > 0) throw new AnswerError('Its logs leave out an anchor that its receipts show.')
  }
  return found
}

function filterOf({ operatorWallet, terms, eventNumber }: Proof) {
  const named = parseTerms(terms)?.anchorWallet
  const wallets = [...new Set([operatorWallet, ...(named && named !== 'none' ? [named] : [])])]
  return { address: register.address, topics: anchoredTopics(wallets as `0x${string}`[], eventNumber) }
}

const inChainOrder = (a: Anchored, b: Anchored): number =>
  a.blockNumber - b.blockNumber || a.logIndex - b.logIndex
