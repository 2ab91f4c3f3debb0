import type { Address } from 'viem'
import { commitmentOf } from '../draw/anchor.ts'
import type { BeaconNetwork } from '../draw/beacon.ts'
import { type Proof, ProofError, parseProof } from '../draw/proof.ts'
import { checkAnchors } from './anchors.ts'
import { checkBeacon, checkBeaconRound } from './beacon.ts'
import { checkBlocks, checkChain, checkDrawBlock, drawBlockOf, isForgotten, messageOf } from './chain.ts'
import { checkCompleteness, NoLogsError } from './completeness.ts'
import { checkList, type ListClaim, type ReadList } from './list.ts'
import { checkNumber, checkSeed, checkWinner, checkWinners } from './result.ts'
import {
  differing,
  failed,
  open,
  passed,
  type Rpc,
  type VerifyEvent,
  type VerifyResult,
  type VerifyStep,
} from './steps.ts'
import { checkTerms, type Known, type Promised, promisedBy } from './terms.ts'

export * from './steps.ts'
export type { Known } from './terms.ts'

type Sources = {
  list: AsyncIterable<Uint8Array>
  /** Without it only the files are checked. */
  rpc?: Rpc | undefined
  known?: Known
  /** Maximum size of the list in bytes (512 MiB). */
  listLimit?: number
}
export type VerifyInput = Sources & {
  proof: string
  /** A beacon besides drand's quicknet that the caller trusts, as in local mode. */
  beacon?: BeaconNetwork | undefined
}
/** An event that ended in refunds as it missed its minimum: the site's terms line, and the list that was frozen with it. */
export type RefundInput = Sources & { terms: string; formerWallets: readonly Address[] }

/**
 * A failed step does not stop the later ones, an unreadable proof does. Bad files or a bad endpoint never make it throw. Long
 * work is done in pieces, so the page stays responsive.
 */
export async function* verifyDraw(input: VerifyInput): AsyncGenerator<VerifyEvent> {
  const read = readProof(input.proof)
  if ('kind' in read) return yield read
  const { proof, promised } = read
  const { rpc, beacon: local, known = {} } = input
  const { list: claim, ticketsSold, beacon } = proof
  const { eventNumber: event, drawDate } = promised
  yield passed('form', 'proofWhole', { event, tickets: ticketsSold, drawDate })
  yield checkTerms(promised, proof, known)
  const list = yield* readList(input, promised, { ...claim, ticketsSold })
  yield checkSeed(proof)
  yield checkNumber(proof)
  if (list.isBroken) for (const step of ['winner', 'winners'] as const) yield open(step, 'listBroken', {})
  else {
    yield checkWinner(proof, list.lines)
    yield await checkWinners(proof, promised.winners, list.lines)
  }
  if (beacon) {
    yield* attempt(['beacon-round'], [checkBeaconRound(proof, drawDate, local, rpc)])
    yield await checkBeacon(beacon, local)
  }
  const { number: drawBlock } = drawBlockOf(proof)
  if (rpc) {
    yield* attempt(['chain'], [checkChain(rpc, { ...promised, drawBlock })])
    yield* attempt(['draw-block'], [checkDrawBlock(rpc, proof, drawDate)])
    yield* attempt(['blocks'], [checkBlocks(rpc, proof)])
  } else for (const step of ['chain', 'draw-block', 'blocks'] as const) yield open(step, 'noEndpoint', {})
  yield* checkSale(rpc, promised, list, { told: proof.anchors, drawBlock })
}

/** Checks that an event had to be refunded: its list is the chain's, and has fewer tickets than were promised. */
export async function* verifyRefunds(input: RefundInput): AsyncGenerator<VerifyEvent> {
  const { rpc, known = {}, terms, formerWallets } = input
  const promised = promisedBy(terms, formerWallets)
  if (!promised) return yield failed('terms', 'noTermsLine', {})
  const list = yield* readList(input, promised, {})
  const { minTickets: minimum } = promised
  const isReached = !list.isBroken && list.ticketsSold >= minimum
  yield isReached
    ? failed('terms', 'minimumReached', { minimum, tickets: list.ticketsSold })
    : checkTerms(promised, {}, known)
  if (rpc) yield* attempt(['chain'], [checkChain(rpc, { ...promised, drawBlock: null })])
  else yield open('chain', 'noEndpoint', {})
  yield* checkSale(rpc, promised, list, { drawBlock: null })
}

async function* checkSale(
  rpc: Rpc | undefined,
  promised: Promised,
  list: ReadList,
  proven: { told?: Proof['anchors']; drawBlock: number | null },
): AsyncGenerator<VerifyEvent> {
  const anchors = ['terms-anchor', 'list-anchor'] as const
  if (!rpc) for (const step of ['completeness', ...anchors] as const) yield open(step, 'noEndpoint', {})
  else {
    if (list.isBroken) yield open('completeness', 'listBroken', {})
    else yield* attempt(['completeness'], checkCompleteness(rpc, promised, list.lines))
    yield* attempt(anchors, checkAnchors(rpc, promised, list.sha256, proven))
  }
}

function readProof(text: string): { proof: Proof; promised: Promised } | VerifyResult {
  try {
    const proof = parseProof(text)
    const promised = promisedBy(proof.terms, proof.formerWallets)
    if (!promised) return failed('form', 'proofBroken', { problem: 'terms' })
    const commitment = commitmentOf(proof.terms, proof.list.sha256)
    return differing('form', { commitment }, proof) ?? { proof, promised }
  } catch (error) {
    if (error instanceof ProofError) return failed('form', 'proofBroken', { problem: error.message })
    throw error
  }
}

/** A download that breaks off leaves the steps open, like an endpoint that breaks off. */
async function* readList(
  { list, listLimit }: Sources,
  { ticketPrice }: Promised,
  claim: ListClaim,
): AsyncGenerator<VerifyEvent, ReadList> {
  try {
    return yield* checkList(list, ticketPrice, claim, listLimit)
  } catch (error) {
    yield open('list', 'listUnread', { problem: messageOf(error) })
    yield open('lines', 'listBroken', {})
    return { lines: [], isBroken: true, ticketsSold: 0, sha256: claim.sha256 ?? '0x' }
  }
}

/** An endpoint that is gone, refuses logs or answers nonsense leaves those of the steps open that it has not answered. */
async function* attempt(
  steps: readonly VerifyStep[],
  events: AsyncIterable<VerifyEvent> | readonly Promise<VerifyResult>[],
): AsyncGenerator<VerifyEvent> {
  const missing = new Set(steps)
  try {
    for await (const event of events) {
      if (event.kind === 'result') missing.delete(event.step)
      yield event
    }
  } catch (error) {
    for (const step of missing)
      yield error instanceof NoLogsError
        ? open(step, error.finding, {})
        : open(step, isForgotten(error) ? 'noHistory' : 'endpointFailed', { problem: messageOf(error) })
  }
}
