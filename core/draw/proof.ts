import type { Address, Hash, Hex } from 'viem'
import type { Entropy } from '../event/event.ts'
import { parseTerms } from '../event/terms.ts'
import type { BeaconNetwork } from './beacon.ts'
import { drawBlocks } from './draw.ts'
import { mostWinners, reservesDrawn } from './winners.ts'

/** Strict parser: every field, no other field, each in its canonical form. Throws ProofError. */
export function parseProof(text: string): Proof {
  const proof = parseOneForm(text) as Proof
  proofForm(proof, 'proof')
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

/** The text is not a valid proof; `message` names the field. */
export class ProofError extends Error {
  override name = 'ProofError'
}

/** Throws ProofError for a value of another form. */
type Form<T> = ((value: unknown, name: string) => void) & { of?: T }
type Of<F> = F extends Form<infer T> ? T : never

const that =
  <T>(isRight: (value: unknown, name: string) => boolean): Form<T> =>
  (value, name) => {
    if (!isRight(value, name)) throw new ProofError(`${name} is missing or not in its one form.`)
  }
const text = <T extends string>(pattern: RegExp): Form<T> =>
  that((value) => typeof value === 'string' && pattern.test(value))
const whole = (least: number): Form<number> =>
  that((value) => Number.isSafeInteger(value) && (value as number) >= least && !Object.is(value, -0))
const list = <T>(form: Form<T>, least: number, most = least): Form<T[]> =>
  that((value, name) => {
    if (!Array.isArray(value) || value.length < least || value.length > most) return false
    for (const [index, item] of value.entries()) form(item, `${name}[${index}]`)
    return true
  })
const orNull =
  <T>(form: Form<T>): Form<T | null> =>
  (value, name) =>
    value === null || form(value, name)
const object = <S extends Record<string, Form<unknown>>>(forms: S): Form<{ [K in keyof S]: Of<S[K]> }> =>
  that((value, name) => {
    if (typeof value !== 'object' || value === null || Array.isArray(value)) return false
    const stranger = Object.keys(value).find((key) => !Object.hasOwn(forms, key))
    if (stranger !== undefined)
      throw new ProofError(`${name} has a field that no proof has: ${stranger.slice(0, 40)}.`)
    for (const [key, form] of Object.entries(forms))
      form((value as Record<string, unknown>)[key], name === 'proof' ? key : `${name}.${key}`)
    return true
  })

const hash = text<Hash>(/^0x[0-9a-f]{64}$/)
const address = text<Address>(/^0x[0-9a-f]{40}$/)
const block = object({ number: whole(0), hash, timestamp: whole(0) })
/** The line of the list that holds a drawn ticket; `ticketNumber` is its first. */
const winner = object({
  ...{ walletAddress: address, transactionHash: hash, ticketNumber: whole(1), ticketCount: whole(1) },
})
const anchor = object({
  ...{ wallet: address, transactionHash: hash, blockNumber: whole(0), timestamp: whole(0) },
})
/** `time` is when the round was due; `after` is D+32, of which its time is one term of the rule. */
const beacon = object({
  network: text<BeaconNetwork['name']>(/^(quicknet|blockdraw-local)$/),
  ...{ chainHash: hash, round: whole(1), time: whole(0), after: block },
  signature: text<Hex>(/^0x[0-9a-f]{96}$/),
  randomness: hash,
})
const areInOrder = (wallets: Address[]): boolean =>
  wallets.every((one, index) => index === 0 || (wallets[index - 1] as Address) < one)

/** As `GET /api/raffle/proof/{n}` answers it. Hashes and addresses in lower case, times in seconds. */
const proofForm = object({
  version: that<3>((value) => value === 3),
  /** The line that was frozen with the ticket list; see core/event/terms.ts. */
  terms: that<string>((value) => typeof value === 'string' && parseTerms(value) !== undefined),
  /** T, what the first anchor carries. */
  termsSha256: hash,
  /** C, what the second anchor carries: SHA-256(terms line ‖ the 32 bytes of the list's SHA-256). */
  commitment: hash,
  /** SHA-256 of the canonical file, and its number of lines without the header. */
  list: object({ sha256: hash, lines: whole(1) }),
  /** Operator wallets of earlier events, which bought nothing; by address. */
  formerWallets: that<Address[]>((value, name) => {
    list(address, 0, Number.POSITIVE_INFINITY)(value, name)
    return areInOrder(value as Address[])
  }),
  /** Where to look for T, before the sale end, and for C, from then to the draw date. Whoever checks reads the chain. */
  anchors: object({ terms: orNull(anchor), list: orNull(anchor) }),
  ticketsSold: whole(1),
  /** D−4 … D, oldest first, and who made them. */
  blocks: list(block, drawBlocks),
  miners: list(address, drawBlocks),
  entropy: text<Entropy>(/^blocks(\+drand)?$/),
  /** SHA-256 of the five hashes. */
  blockSeed: hash,
  /** Null for `blocks`. */
  beacon: orNull(beacon),
  /** The accepted seed, and how many were refused before it. */
  seed: hash,
  counter: whole(0),
  randomNumber: text(/^(0|[1-9]\d{0,77})$/),
  winningTicket: whole(1),
  winner,
  /** In order; the first is `winner`. */
  winners: list(winner, 1, mostWinners),
  /** In order: the next one's turn comes where a prize is free. */
  reserves: list(winner, 0, reservesDrawn),
})

export type Proof = Of<typeof proofForm>
export type ProofAnchor = Of<typeof anchor>
export type ProofWinner = Of<typeof winner>
export type ProofBeacon = Of<typeof beacon>
export type ProofBlock = Of<typeof block>
