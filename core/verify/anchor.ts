import type { Address } from 'viem'
import { commitmentOf } from '../draw/anchor.ts'
import { type Anchored, countingAnchors } from '../draw/anchored.ts'
import type { Proof } from '../draw/proof.ts'
import { parseTerms } from '../event/terms.ts'
import type { KeptTerms } from '../event/terms-compare.ts'
import { type AnchorOptions, type AnchorQuery, filterOf, readAnchors } from './anchor-logs.ts'
import { AnswerError, firstBlockSince, getFinal, type Header, mustGetHeader } from './chain.ts'
import { hasNewLogs, logsOfBlock, mayHold, withoutLogs } from './logs.ts'
import { failed, passed, type Rpc, skipped, type VerifyResult } from './steps.ts'
import { earlierPromises } from './terms-line.ts'

/** Terms and list are those of the proof, and so is what they commit to. Undefined where it is so. */
export function contradictedCommitment(proof: Proof): VerifyResult | undefined {
  const commitment = commitmentOf(proof.terms, proof.ledger.sha256)
  return commitment === proof.commitment
    ? undefined
    : failed('anchor', 'Terms and fingerprint give another commitment.', commitment, proof.commitment)
}

/**
 * Looks for every commitment of this event that the register heard of the operator wallet or the anchor wallet between
 * sale end and draw date. Only they can make one, so the operator cannot hide a second one. Where a kept line has an
 * earlier sale end, also between that one and its draw date: who moved the date after a draw had anchored that draw.
 */
export async function checkAnchor(
  rpc: Rpc,
  proof: Proof,
  { kept, ...options }: AnchorOptions & { kept: readonly KeptTerms[] },
): Promise<VerifyResult> {
  const contradiction = contradictedCommitment(proof)
  if (contradiction) return contradiction
  const head = await getFinal(rpc)
  const query = await queryOf(rpc, proof, head)
  const found = await readWindow(rpc, proof, query, options)
  if (!found) return withoutLogs('anchor', await hasNewLogs(rpc, filterOf(query)))
  const result = await compareAnchors(rpc, proof, found)
  if (result.status === 'failed') return result
  const { windows, anchorWallets } = earlierPromises(proof, kept)
  const wallets = walletsOf(...query.wallets, ...anchorWallets)
  const early: Anchored[] = []
  for (const { from, until } of windows) {
    const [first, end] = [await firstBlockSince(rpc, from, head), await firstBlockSince(rpc, until, head)]
    const before: AnchorQuery = { ...query, wallets, from: first, to: Math.min(end, query.from) - 1 }
    if (before.to < before.from) continue
    const anchors = await readAnchors(rpc, before, options)
    if (!anchors) return withoutLogs('anchor', await hasNewLogs(rpc, filterOf(before)))
    early.push(...anchors)
  }
  if (early.length === 0) return result
  return skipped(
    'anchor',
    `A commitment was put on the chain behind a sale end that was promised, and before this one: ${namesOf(early)}. The date may have been moved after it.`,
  )
}

async function compareAnchors(rpc: Rpc, proof: Proof, found: readonly Anchored[]): Promise<VerifyResult> {
  const { anchor: told, commitment } = proof
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
  const later = counting.slice(place + 1)
  if (later.length > 0)
    return skipped('anchor', `It is on the chain, but another came later: ${namesOf(later)}.`)
  return passed(
    'anchor',
    `Transaction ${ours.transactionHash} carried it ${Date.parse(proof.drawDate) / 1000 - timestamp} s before the draw date.`,
  )
}

/** The commitments that count: from the sale end up to the draw block. */
async function queryOf(rpc: Rpc, proof: Proof, head: Header): Promise<AnchorQuery> {
  const [saleEnd, drawDate] = [proof.saleEndDate, proof.drawDate].map((date) => Date.parse(date) / 1000)
  const from = await firstBlockSince(rpc, saleEnd as number, head)
  const drawBlock = proof.blocks.at(-1)?.number ?? 0
  // Where the proof's D is the wrong block the draw date still ends the window.
  const isEarly = (await mustGetHeader(rpc, drawBlock - 1)).timestamp < (drawDate as number)
  const to = (isEarly ? drawBlock : await firstBlockSince(rpc, drawDate as number, head)) - 1
  const { eventNumber, operatorWallet, terms } = proof
  const anchorWallet = parseTerms(terms)?.anchorWallet ?? 'none'
  return { eventNumber, wallets: walletsOf(operatorWallet, anchorWallet), from, to }
}

/** As readAnchors; throws where the one that the proof names was left out. */
async function readWindow(
  rpc: Rpc,
  { anchor }: Proof,
  query: AnchorQuery,
  options: AnchorOptions,
): Promise<Anchored[] | undefined> {
  const found = await readAnchors(rpc, query, options)
  const at = anchor?.blockNumber ?? -1
  if (found?.every(({ blockNumber }) => blockNumber !== at) && at >= query.from && at <= query.to) {
    // Some endpoints answer no logs where they have lost them, as if there had been none.
    const shown = await logsOfBlock(rpc, filterOf(query), at).catch(async (error: unknown) => {
      if (await mayHold(rpc, filterOf(query), at)) throw error
      return []
    })
    if (shown.length > 0) throw new AnswerError('Its logs leave out an anchor that its receipts show.')
  }
  return found
}

const walletsOf = (...named: string[]): Address[] => [
  ...new Set(named.filter((wallet): wallet is Address => wallet !== 'none')),
]

const namesOf = (anchors: readonly Anchored[]): string =>
  [...new Set(anchors.map((each) => `${each.commitment} in ${each.transactionHash}`))].join(', ')
