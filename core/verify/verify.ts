import type { BeaconNetwork } from '../draw/beacon.ts'
import { type Proof, ProofError, parseProof } from '../draw/proof.ts'
import { checkAnchor, contradictedCommitment } from './anchor.ts'
import { checkBeacon, checkBeaconRound } from './beacon.ts'
import { checkBlocks, checkChain, checkDrawBlock } from './blocks.ts'
import { isForgotten, messageOf } from './chain.ts'
import { checkCompleteness } from './completeness.ts'
import { checkLedger, type LedgerSource, type ReadLedger } from './ledger.ts'
import { checkReceipts } from './receipts.ts'
import { checkNumber, checkSeed, checkWinner, checkWinners } from './result.ts'
import {
  failed,
  type KnownTerms,
  lacking,
  type Memory,
  passed,
  type Rpc,
  skipped,
  type VerifyEvent,
  type VerifyResult,
  type VerifyStep,
} from './steps.ts'
import { checkTerms } from './terms.ts'

export type { LedgerSource } from './ledger.ts'
export * from './steps.ts'

export type VerifyInput = {
  /** The proof as it was served or saved. */
  proof: string
  ledger: LedgerSource
  /** Without it only the files are checked. */
  rpc?: Rpc | undefined
  known?: KnownTerms
  /** A beacon besides drand's quicknet that the caller trusts, as in local mode. */
  beacon?: BeaconNetwork | undefined
  /** Maximum size of the list in bytes (512 MiB). */
  ledgerLimit?: number
  /** Lines looked up on the chain (200), and maximum number of log queries (500). */
  sample?: number
  logCalls?: number
  atOnce?: number
  /** Where the endpoint serves no logs, read every header of the sale, and receipts. */
  byBlooms?: boolean
  memory?: Memory | undefined
  random?: () => number
}

/**
 * Checks a finished draw step by step; each result says what was checked and found. A failed step does not
 * stop the later ones, but an unreadable proof does. Bad files or a bad endpoint never make it throw. Long
 * work is done in pieces, so the page that runs it stays responsive.
 */
export async function* verifyDraw(input: VerifyInput): AsyncGenerator<VerifyEvent> {
  const proof = readProof(input.proof)
  if ('kind' in proof) return yield proof
  yield passed(
    'form',
    `Event ${proof.eventNumber}, ${proof.ticketsSold.toLocaleString('en-US')} tickets, drawn at ${proof.drawDate}.`,
  )
  yield checkTerms(proof, input.known ?? {})
  const ledger = yield* readLedger(input.ledger, proof, input.ledgerLimit)
  yield checkSeed(proof)
  yield checkNumber(proof)
  yield ledger.trouble ? skipped('winner', ledger.trouble) : checkWinner(proof, ledger.winner)
  if (ledger.trouble) yield skipped('winners', ledger.trouble)
  else yield await checkWinners(proof, ledger.lines)
  const { rpc, beacon: local } = input
  const { beacon } = proof
  if (beacon) {
    yield* attempt('beacon-round', () => checkBeaconRound(proof, beacon, local, rpc))
    yield await checkBeacon(beacon, local)
  }
  if (!rpc) {
    for (const step of onChain) yield skipped(step, 'No endpoint was given.')
    yield contradictedCommitment(proof) ?? skipped('anchor', 'No endpoint was given.')
    return
  }
  yield* attempt('chain', () => checkChain(rpc, proof))
  yield* attempt('draw-block', () => checkDrawBlock(rpc, proof))
  yield* attempt('blocks', () => checkBlocks(rpc, proof))
  if (ledger.trouble === undefined) yield* checkList(rpc, proof, ledger.lines, input)
  else for (const step of ['receipts', 'completeness'] as const) yield skipped(step, ledger.trouble)
  yield* attempt('anchor', () =>
    checkAnchor(rpc, proof, {
      logCalls: input.logCalls ?? 500,
      byBlooms: input.byBlooms,
      kept: input.known?.kept ?? [],
    }),
  )
}

/** The list against the chain, and the chain against the list. */
async function* checkList(
  rpc: Rpc,
  proof: Proof,
  lines: readonly string[],
  { sample = 200, atOnce = 6, logCalls = 500, random = secureRandom, byBlooms, memory }: VerifyInput,
): AsyncGenerator<VerifyEvent> {
  yield* attemptAll('receipts', checkReceipts(rpc, proof, lines, { sample, atOnce, random, memory }))
  yield* attemptAll(
    'completeness',
    checkCompleteness(rpc, proof, lines, { logCalls, random, byBlooms, memory }),
  )
}

const onChain = ['chain', 'draw-block', 'blocks', 'receipts', 'completeness'] as const

function readProof(text: string): Proof | VerifyResult {
  try {
    return parseProof(text)
  } catch (error) {
    if (error instanceof ProofError) return failed('form', error.message)
    throw error
  }
}

/** A download that breaks off makes the step unknown, like an endpoint that breaks off. */
async function* readLedger(
  source: LedgerSource,
  proof: Proof,
  limit: number | undefined,
): AsyncGenerator<VerifyEvent, ReadLedger> {
  try {
    return yield* checkLedger(source, proof, limit)
  } catch (error) {
    const text = `The file could not be read. ${messageOf(error)}`
    yield { kind: 'result', step: 'ledger', status: 'unknown', text }
    const trouble = 'The list was not read.'
    yield skipped('lines', trouble)
    return { lines: [], trouble, winner: undefined }
  }
}

async function* attempt(step: VerifyStep, act: () => Promise<VerifyResult>): AsyncGenerator<VerifyEvent> {
  yield* attemptAll(
    step,
    (async function* () {
      yield await act()
    })(),
  )
}

/**
 * An endpoint that is gone, or answers nonsense, makes a step unknown: neither passed nor failed. What it no longer has
 * was not checked.
 */
async function* attemptAll(
  step: VerifyStep,
  events: AsyncGenerator<VerifyEvent>,
): AsyncGenerator<VerifyEvent> {
  try {
    yield* events
  } catch (error) {
    const text = `The endpoint could not be used for this. ${messageOf(error)}`
    yield isForgotten(error)
      ? lacking(step, 'skipped', text, 'archive')
      : lacking(step, 'unknown', text, undefined)
  }
}

const secureRandom = (): number => (crypto.getRandomValues(new Uint32Array(1))[0] as number) / 2 ** 32
