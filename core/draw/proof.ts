import type { Address, Hash, Hex } from 'viem'
import { parseTerms } from '../terms.ts'
import { drawBlocks } from './draw.ts'

/**
 * Inputs and results of a draw, as `GET /api/raffle/proof/{eventNumber}` returns them. Hashes and addresses
 * in lower case, amounts in units of 10^-18 as decimal texts, dates in ISO with Z, block times in seconds.
 */
export type Proof = {
  version: 1
  eventNumber: number
  chainId: number
  token: Address
  operatorWallet: Address
  ticketPrice: string
  saleStart: string
  saleEndDate: string
  drawDate: string
  /** The line that was frozen with the ticket list; see core/terms.ts. */
  terms: string
  ticketsSold: number
  /** SHA-256 of the canonical file, and its number of lines without the header. */
  ledger: { sha256: Hex; lines: number }
  /** The whole sale was read a second time, from other endpoints or in another way, before the list was frozen. */
  secondReading: boolean
  /** The operator's transaction that put the fingerprint on chain before D. */
  anchor: { transactionHash: Hash; blockNumber: number; timestamp: number } | null
  /** D−4 … D, oldest first. */
  blocks: ProofBlock[]
  /** The accepted seed, and how many were refused before it. */
  seed: Hex
  counter: number
  randomNumber: string
  winningTicket: number
  /** The ledger line that holds the winning ticket; `ticketNumber` is its first. */
  winner: { walletAddress: Address; transactionHash: Hash; ticketNumber: number; ticketCount: number }
}
export type ProofBlock = { number: number; hash: Hash; timestamp: number }

/** The text is not a valid proof; `message` names the field. */
export class ProofError extends Error {
  override name = 'ProofError'
}

/** Strict parser: every field, no other field, each in its canonical form. Throws ProofError. */
export function parseProof(text: string): Proof {
  let value: unknown
  try {
    value = JSON.parse(text)
  } catch {
    throw new ProofError('The proof is not JSON.')
  }
  check(value, 'proof', proofShape)
  const proof = value as Proof
  const [start, end, draw] = [proof.saleStart, proof.saleEndDate, proof.drawDate].map((date) =>
    Date.parse(date),
  )
  if (!((start as number) < (end as number) && (end as number) < (draw as number)))
    throw new ProofError('saleStart, saleEndDate and drawDate are not in order.')
  proof.blocks.forEach((block, index) => {
    if (block.number !== (proof.blocks[0] as ProofBlock).number + index)
      throw new ProofError(`blocks[${index}].number does not follow the block before.`)
  })
  return proof
}

type Shape = RegExp | ((value: unknown) => boolean) | { [key: string]: Shape } | [Shape]

const hash = /^0x[0-9a-f]{64}$/
const address = /^0x[0-9a-f]{40}$/
const decimal = /^(0|[1-9]\d{0,77})$/
const date = (value: unknown): boolean =>
  typeof value === 'string' &&
  /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.000Z$/.test(value) &&
  new Date(Date.parse(value) || 0).toISOString() === value
const whole =
  (least: number) =>
  (value: unknown): boolean =>
    Number.isSafeInteger(value) && (value as number) >= least && !Object.is(value, -0)

const anchorShape: Shape = { transactionHash: hash, blockNumber: whole(0), timestamp: whole(0) }
const proofShape: Shape = {
  version: (value) => value === 1,
  eventNumber: whole(1),
  chainId: whole(1),
  token: address,
  operatorWallet: address,
  ticketPrice: /^[1-9]\d{0,77}$/,
  saleStart: date,
  saleEndDate: date,
  drawDate: date,
  terms: (value) => typeof value === 'string' && parseTerms(value) !== undefined,
  ticketsSold: whole(1),
  ledger: { sha256: hash, lines: whole(1) },
  secondReading: (value) => typeof value === 'boolean',
  anchor: (value) => {
    if (value !== null) check(value, 'anchor', anchorShape)
    return true
  },
  blocks: [{ number: whole(0), hash, timestamp: whole(0) }],
  seed: hash,
  counter: whole(0),
  randomNumber: decimal,
  winningTicket: whole(1),
  winner: { walletAddress: address, transactionHash: hash, ticketNumber: whole(1), ticketCount: whole(1) },
}

function check(value: unknown, name: string, shape: Shape): void {
  if (shape instanceof RegExp) {
    if (typeof value === 'string' && shape.test(value)) return
  } else if (typeof shape === 'function') {
    if (shape(value)) return
  } else if (Array.isArray(shape)) {
    if (Array.isArray(value) && value.length === drawBlocks) {
      for (const [index, item] of value.entries()) check(item, `${name}[${index}]`, shape[0])
      return
    }
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
