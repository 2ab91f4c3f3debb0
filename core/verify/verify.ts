import { type Proof, ProofError, parseProof } from '../draw/proof.ts'
import { checkAnchor } from './anchor.ts'
import {
  checkBlocks,
  checkChain,
  checkDrawBlock,
  checkNumber,
  checkSeed,
  checkTerms,
  checkWinner,
} from './blocks.ts'
import { isForgotten, messageOf } from './chain.ts'
import { checkCompleteness } from './completeness.ts'
import { checkLedger, type LedgerSource, type ReadLedger } from './ledger.ts'
import { checkReceipts } from './receipts.ts'
import {
  failed,
  type KnownTerms,
  lacking,
  passed,
  type Rpc,
  skipped,
  type VerifyEvent,
  type VerifyResult,
  type VerifyStep,
} from './steps.ts'

export type { LedgerSource } from './ledger.ts'
export * from './steps.ts'

export type VerifyInput = {
  /** The proof as it was served or saved. */
  proof: string
  ledger: LedgerSource
  /** Without it, what can be known from the files alone is checked. */
  rpc?: Rpc | undefined
  known?: KnownTerms
  /** Bytes of the list at most (512 MiB). */
  ledgerLimit?: number
  /** Lines looked up on the chain (200), and log queries at most (500). */
  sample?: number
  logCalls?: number
  atOnce?: number
  random?: () => number
}

/**
 * Checks a finished draw, one named step after the other, each with what it checked and found; a step that
 * fails does not keep the later ones from being told, but a proof that cannot be read does. Never throws for
 * what the files or the endpoint hold. Long work is done in pieces, so a page that runs it stays alive.
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
  const { rpc } = input
  if (!rpc) {
    for (const step of onChain) yield skipped(step, 'No endpoint was given.')
    return
  }
  yield* attempt('chain', () => checkChain(rpc, proof))
  yield* attempt('draw-block', () => checkDrawBlock(rpc, proof))
  yield* attempt('blocks', () => checkBlocks(rpc, proof))
  const random = input.random ?? secureRandom
  if (ledger.trouble === undefined) {
    yield* attemptAll(
      'receipts',
      checkReceipts(rpc, proof, ledger.lines, {
        sample: input.sample ?? 200,
        atOnce: input.atOnce ?? 6,
        random,
      }),
    )
    yield* attemptAll(
      'completeness',
      checkCompleteness(rpc, proof, ledger.lines, { logCalls: input.logCalls ?? 500, random }),
    )
  } else for (const step of ['receipts', 'completeness'] as const) yield skipped(step, ledger.trouble)
  yield* attempt('anchor', () => checkAnchor(rpc, proof))
}

const onChain = ['chain', 'draw-block', 'blocks', 'receipts', 'completeness', 'anchor'] as const

function readProof(text: string): Proof | VerifyResult {
  try {
    return parseProof(text)
  } catch (error) {
    if (error instanceof ProofError) return failed('form', error.message)
    throw error
  }
}

/** A file that breaks off while it is read is unknown, like an endpoint that breaks off. */
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

/** An endpoint that is gone, or answers nonsense, makes a step unknown: neither right nor wrong. */
async function* attemptAll(
  step: VerifyStep,
  events: AsyncGenerator<VerifyEvent>,
): AsyncGenerator<VerifyEvent> {
  try {
    yield* events
  } catch (error) {
    const text = `The endpoint could not be used for this. ${messageOf(error)}`
    yield lacking(step, 'unknown', text, isForgotten(error) ? 'archive' : undefined)
  }
}

const secureRandom = (): number => (crypto.getRandomValues(new Uint32Array(1))[0] as number) / 2 ** 32
