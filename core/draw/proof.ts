import type { Address, Hash, Hex } from 'viem'
import type { Entropy } from '../event/event.ts'
import { parseTerms } from '../event/terms.ts'
import type { BeaconNetwork } from './beacon.ts'
import { drawBlocks } from './draw.ts'
import { mostWinners, reservesDrawn } from './winners.ts'

/** As `GET /api/raffle/proof/{n}` answers it. Hashes and addresses in lower case, times in seconds. */
export type Proof = {
  version: 3
  /** The line that was frozen with the ticket list; see core/event/terms.ts. */
  terms: string
  /** T, what the first anchor carries. */
  termsSha256: Hex
  /** C, what the second anchor carries: SHA-256(terms line ‖ the 32 bytes of the list's SHA-256). */
  commitment: Hex
  /** SHA-256 of the canonical file, and its number of lines without the header. */
  list: { sha256: Hex; lines: number }
  /** Operator wallets of earlier events, which bought nothing; by address. */
  formerWallets: Address[]
  /** Where to look for T, before the sale end, and for C, from the sale end to the draw date. Whoever checks reads the chain. */
  anchors: { terms: ProofAnchor | null; list: ProofAnchor | null }
  ticketsSold: number
  /** D−4 … D, oldest first. */
  blocks: ProofBlock[]
  /** Who made the five blocks, in their order. */
  miners: Address[]
  entropy: Entropy
  /** SHA-256 of the five hashes. */
  blockSeed: Hex
  /** Null for `blocks`. */
  beacon: ProofBeacon | null
  /** The accepted seed, and how many were refused before it. */
  seed: Hex
  counter: number
  randomNumber: string
  winningTicket: number
  /** The line of the list that holds the winning ticket; `ticketNumber` is its first. */
  winner: ProofWinner
  /** In order; the first is `winner`. */
  winners: ProofWinner[]
  /** In order: the next one's turn comes where a prize is free. */
  reserves: ProofWinner[]
}
export type ProofAnchor = { wallet: Address; transactionHash: Hash; blockNumber: number; timestamp: number }
export type ProofWinner = {
  walletAddress: Address
  transactionHash: Hash
  ticketNumber: number
  ticketCount: number
}
/** The round of the beacon. `time` is when it was due; `after` is D+32, of which its time is one term of the rule. */
export type ProofBeacon = {
  network: BeaconNetwork['name']
  chainHash: Hex
  round: number
  time: number
  after: ProofBlock
  signature: Hex
  randomness: Hex
}
export type ProofBlock = { number: number; hash: Hash; timestamp: number }

/** The text is not a valid proof; `message` names the field. */
export class ProofError extends Error {
  override name = 'ProofError'
}

/** Strict parser: every field, no other field, each in its canonical form. Throws ProofError. */
export function parseProof(text: string): Proof {
  const value = parseOneForm(text)
  check(value, 'proof', proofShape)
  const proof = value as Proof
  const { saleStart, saleEnd, drawDate } = parseTerms(proof.terms) ?? {}
  // A date that is not set is no number, and in no order.
  if (!(Number(saleStart) < Number(saleEnd) && Number(saleEnd) < Number(drawDate)))
    throw new ProofError('saleStart, saleEnd and drawDate of the terms are not in order.')
  if ((proof.beacon === null) !== (proof.entropy === 'blocks'))
    throw new ProofError('entropy and beacon do not belong together.')
  proof.blocks.forEach((block, index) => {
    if (block.number !== (proof.blocks[0] as ProofBlock).number + index)
      throw new ProofError(`blocks[${index}].number does not follow the block before.`)
  })
  return proof
}

/** Refuses what two programs could read differently: a name twice, -0, 1e2, escapes. Throws ProofError. */
function parseOneForm(text: string, of = 'The proof'): unknown {
  let value: unknown
  let isInOneForm: boolean
  try {
    value = JSON.parse(text)
    isInOneForm = JSON.stringify(value) === withoutSpace(text)
  } catch {
    // Or a nest so deep, or a text so long, that no stack holds it.
    throw new ProofError(`${of} is not JSON.`)
  }
  if (!isInOneForm) throw new ProofError(`${of} has a field twice, or a value that is not in its one form.`)
  return value
}

/** JSON without the white space between its texts. */
const withoutSpace = (json: string): string =>
  json.replace(/"(?:[^"\\]|\\.)*"|[ \t\r\n]+/g, (part) => (part.startsWith('"') ? part : ''))

type Shape = RegExp | ((value: unknown, name: string) => boolean) | { [key: string]: Shape }

const hash = /^0x[0-9a-f]{64}$/
const address = /^0x[0-9a-f]{40}$/
const decimal = /^(0|[1-9]\d{0,77})$/
const whole =
  (least: number) =>
  (value: unknown): boolean =>
    Number.isSafeInteger(value) && (value as number) >= least && !Object.is(value, -0)

const block: Shape = { number: whole(0), hash, timestamp: whole(0) }
const winner: Shape = {
  walletAddress: address,
  transactionHash: hash,
  ticketNumber: whole(1),
  ticketCount: whole(1),
}
const list =
  (shape: Shape, least: number, most = least) =>
  (value: unknown, name: string): boolean => {
    if (!Array.isArray(value) || value.length < least || value.length > most) return false
    for (const [index, item] of value.entries()) check(item, `${name}[${index}]`, shape)
    return true
  }
const orNull =
  (shape: Shape) =>
  (value: unknown, name: string): boolean => {
    if (value !== null) check(value, name, shape)
    return true
  }

const anchor: Shape = { wallet: address, transactionHash: hash, blockNumber: whole(0), timestamp: whole(0) }
const areWallets = (value: unknown): boolean =>
  list(address, 0, Number.POSITIVE_INFINITY)(value, 'formerWallets') &&
  (value as Address[]).every((one, index, all) => index === 0 || (all[index - 1] as Address) < one)

const proofShape: Shape = {
  version: (value) => value === 3,
  terms: (value) => typeof value === 'string' && parseTerms(value) !== undefined,
  termsSha256: hash,
  commitment: hash,
  list: { sha256: hash, lines: whole(1) },
  formerWallets: areWallets,
  anchors: { terms: orNull(anchor), list: orNull(anchor) },
  ticketsSold: whole(1),
  blocks: list(block, drawBlocks),
  miners: list(address, drawBlocks),
  entropy: /^blocks(\+drand)?$/,
  blockSeed: hash,
  beacon: orNull({
    network: /^(quicknet|blockdraw-local)$/,
    chainHash: hash,
    round: whole(1),
    time: whole(0),
    after: block,
    signature: /^0x[0-9a-f]{96}$/,
    randomness: hash,
  }),
  seed: hash,
  counter: whole(0),
  randomNumber: decimal,
  winningTicket: whole(1),
  winner,
  winners: list(winner, 1, mostWinners),
  reserves: list(winner, 0, reservesDrawn),
}

function check(value: unknown, name: string, shape: Shape): void {
  if (shape instanceof RegExp) {
    if (typeof value === 'string' && shape.test(value)) return
  } else if (typeof shape === 'function') {
    if (shape(value, name)) return
  } else if (typeof value === 'object' && value !== null && !Array.isArray(value)) {
    const stranger = Object.keys(value).find((key) => !Object.hasOwn(shape, key))
    if (stranger !== undefined)
      throw new ProofError(`${name} has a field that no proof has: ${stranger.slice(0, 40)}.`)
    for (const [key, inner] of Object.entries(shape))
      check((value as Record<string, unknown>)[key], name === 'proof' ? key : `${name}.${key}`, inner)
    return
  }
  throw new ProofError(`${name} is missing or not in its one form.`)
}
