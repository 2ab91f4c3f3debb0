import type { Hex } from 'viem'
import type { Proof } from '../draw/proof.ts'
import { createFlowsReader, type FlowsHead, longestFlowLine } from '../flows/file.ts'
import { messageOf } from './chain.ts'
import { eachPiece, type FileSource, readFileLines } from './file-lines.ts'
import { createFlowsWalk } from './flow-classes.ts'
import type { FlowsToCheck } from './flows-balances.ts'
import { checkFlowsOnChain, type FlowsChainOptions } from './flows-chain.ts'
import { compareSolvency } from './flows-solvency.ts'
import { createPause, failed, type Rpc, skipped, type VerifyEvent } from './steps.ts'

/** `sha256`: what the site says of the file, undefined of a saved one; `solvency`: what it tells of held and owed money. */
export type FlowsFile = { file: FileSource; sha256?: Hex | undefined; solvency?: string | undefined }
/** Fetched when its turn comes. Undefined where the site has no such file, as before it wrote them. */
export type FlowsSource = () => Promise<FlowsFile | undefined>

type Given = {
  proof: Proof
  /** The lines of the list; undefined where it could not be read, or is broken. */
  texts: readonly string[] | undefined
  rpc: Rpc | undefined
  limit?: number | undefined
} & FlowsChainOptions

/** The money of the event: its file against itself, the list, the rules and the chain. A site without the file was not checked. */
export async function* checkFlows(load: FlowsSource, given: Given): AsyncGenerator<VerifyEvent> {
  const { rpc, texts } = given
  let read: FlowsToCheck | VerifyEvent
  try {
    const told = await load()
    if (!told) return yield skipped('flows', "The site has no file of this event's money.")
    if (!texts) return yield skipped('flows', 'The list itself is broken.')
    read = yield* readFlows(told, given, texts)
  } catch (error) {
    const text = `The file could not be read. ${messageOf(error)}`
    return yield { kind: 'result', step: 'flows', status: 'unknown', text }
  }
  if ('kind' in read) return yield read
  if (!rpc)
    return yield skipped('flows', 'The file fits the list and the rules. No endpoint was given for the rest.')
  yield* checkFlowsOnChain(rpc, read, given)
}

/** Reads the file once: fingerprint, form, order, classes, balances, and the payments of the list. */
async function* readFlows(
  { file, sha256, solvency }: FlowsFile,
  { proof, limit }: Given,
  list: readonly string[],
): AsyncGenerator<VerifyEvent, FlowsToCheck | VerifyEvent> {
  const reader = createFlowsReader()
  const pause = createPause()
  const texts: string[] = []
  let walk: ReturnType<typeof createFlowsWalk> | undefined
  const take = (text: string): string | undefined => {
    const taken = reader.take(text)
    if (typeof taken === 'string') return taken
    const head = reader.head()
    if (!head) return undefined
    if (!walk) {
      walk = createFlowsWalk(proof, head, list)
      return problemOfHead(proof, head)
    }
    if (!taken) return undefined
    texts.push(text)
    return walk.take(taken)
  }
  const tooLong = 'A line is longer than any line of such a file.'
  const reading = readFileLines(file, take, { longest: longestFlowLine, tooLong, limit })
  const { fingerprint, problem } = yield* eachPiece(reading, async function* () {
    await pause()
    yield { kind: 'progress', step: 'flows', done: texts.length, total: reader.head()?.lines ?? 0 } as const
  })
  if (sha256 && fingerprint !== sha256)
    return failed('flows', 'The file is not the one that the site names.', sha256, fingerprint)
  const wrong = problem ?? reader.end() ?? walk?.end()
  if (wrong) return failed('flows', wrong)
  const { balances = new Map(), outside = 0, before = 0 } = walk ?? {}
  const head = reader.head() as FlowsHead
  const { problem: untrue, gap } =
    solvency === undefined ? {} : compareSolvency(solvency, proof, head, texts, outside)
  if (untrue) return failed('flows', untrue)
  return {
    head,
    texts,
    balances,
    gaps: [...gapsOf(proof, head, { before, behind: outside - before }), ...(gap ? [gap] : [])],
  }
}

/** What the file leaves open although all of it may be true: payments of the list before the opening of its wallet, or behind its end. */
function gapsOf(
  { blocks, ownWallets, operatorWallet }: Proof,
  { until, wallets }: FlowsHead,
  { before, behind }: Record<'before' | 'behind', number>,
): string[] {
  const opening = wallets.find(({ address }) => address === operatorWallet)?.openingBlock
  const gaps: string[] = []
  const draw = blocks.at(-1)?.number ?? 0
  if (behind > 0) gaps.push(`Payments of the list in blocks that it does not reach: ${behind}.`)
  if (before > 0)
    gaps.push(
      `Payments of the list before block ${opening}, the first at whose end two endpoints told what the wallet held: ${before}.`,
    )
  if (until.number < BigInt(draw)) gaps.push(`It ends at block ${until.number}, before draw block ${draw}.`)
  const unnamed = ownWallets
    .map(({ address }) => address)
    .filter((own) => wallets.every(({ address }) => address !== own))
  if (unnamed.length > 0) gaps.push(`Wallets of the proof that it does not name: ${unnamed.join(', ')}.`)
  return gaps
}

/** The file is of this event, token and wallet. */
function problemOfHead(proof: Proof, head: FlowsHead): string | undefined {
  const names = ['eventNumber', 'chainId', 'token'] as const
  const other = names.find((name) => head[name] !== proof[name])
  if (other) return `Its ${other} is ${head[other]}, and that of the proof ${proof[other]}.`
  return head.wallets.some(({ address }) => address === proof.operatorWallet)
    ? undefined
    : 'It does not name the wallet that tickets were paid to.'
}
