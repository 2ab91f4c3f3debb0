import { concat, type Hash, type Hex, numberToHex, sha256, size } from 'viem'

/** How many blocks the draw takes its hashes from: D−4 … D. */
export const drawBlocks = 5

export type DrawResult = {
  seed: Hex
  /** How often a seed was refused: practically always 0. */
  counter: number
  /** The accepted seed read as an unsigned big-endian number. */
  randomNumber: bigint
  /** 1..ticketsSold. */
  winningTicket: number
}

/** SHA-256 over the five block hashes as raw bytes, oldest first: the number that SPEC speaks of. Anyone can repeat it. */
export function blockSeedOf(hashes: readonly Hash[]): Hex {
  if (hashes.length !== drawBlocks || hashes.some((hash) => size(hash) !== 32))
    throw new RangeError(`A draw takes exactly ${drawBlocks} hashes of 32 bytes.`)
  return sha256(concat(hashes))
}

/**
 * Before any is refused: the block seed, or SHA-256(block seed ‖ randomness ‖ SHA-256 of the ledger), 96 bytes. The ledger is
 * in it so that two events with one draw date share no result.
 */
export const firstSeed = (blockSeed: Hex, beacon: BeaconInput | null): Hex =>
  beacon ? sha256(concat([blockSeed, beacon.randomness, beacon.ledgerSha256])) : blockSeed

type BeaconInput = { randomness: Hex; ledgerSha256: Hex }

/** SHA-256(seed ‖ counter as 4 bytes, big-endian). @internal */
export const nextSeed = (seed: Hex, counter: number): Hex =>
  sha256(concat([seed, numberToHex(counter, { size: 4 })]))

/** Seeds from here on are refused: below it every ticket has exactly as many as any other. @internal */
export function seedLimit(ticketsSold: number): bigint {
  if (!Number.isSafeInteger(ticketsSold) || ticketsSold < 1)
    throw new RangeError('A draw needs at least one ticket.')
  return seeds - (seeds % BigInt(ticketsSold))
}

/** 1..ticketsSold; `random` is already free of modulo bias. @internal */
export const winningTicket = (random: bigint, ticketsSold: number): number =>
  Number(random % BigInt(ticketsSold)) + 1

/** Only tests pass `limit`: with the real one a second round has a chance of ticketsSold in 2^256. */
export function drawWinner(
  first: Hex,
  ticketsSold: number,
  limit: bigint = seedLimit(ticketsSold),
): DrawResult {
  let seed = first
  let counter = 0
  while (BigInt(seed) >= limit) {
    counter += 1
    seed = nextSeed(seed, counter)
  }
  const randomNumber = BigInt(seed)
  return { seed, counter, randomNumber, winningTicket: winningTicket(randomNumber, ticketsSold) }
}

const seeds = 2n ** 256n
