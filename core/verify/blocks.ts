import type { Hash } from 'viem'
import { drawSeed, drawWinner } from '../draw/draw.ts'
import type { Proof, ProofBlock } from '../draw/proof.ts'
import type { LedgerLine } from '../ledger.ts'
import { bscChainId, usdtOnBsc } from '../usdt.ts'
import { firstBlockSince, getFinal, mustGetHeader, toNumber } from './chain.ts'
import { failed, type KnownTerms, partial, passed, type Rpc, skipped, type VerifyResult } from './steps.ts'
import { comparePromise, contradictionWithin } from './terms-line.ts'

/** Terms that only a person who noted them while tickets were sold can know. */
const promised = ['operatorWallet', 'ticketPrice', 'saleStart', 'saleEndDate', 'drawDate'] as const

/**
 * Compares the proof with terms noted while tickets were sold, or with the line that a buyer's browser kept: a proof alone
 * cannot show that its terms were changed. Chain 56 and its USDT need not be noted: any other is wrong unless the
 * caller names it.
 */
export function checkTerms(proof: Proof, { terms: kept, firstDrawDate, ...noted }: KnownTerms): VerifyResult {
  const within = contradictionWithin(proof)
  if (within)
    return failed(
      'terms',
      `The terms line has another ${within.field} than the proof.`,
      within.from,
      within.to,
    )
  const chainId = noted.chainId ?? bscChainId
  const known: typeof noted = { ...(chainId === bscChainId && { token: usdtOnBsc }), ...noted, chainId }
  const names = (Object.keys(known) as (keyof typeof noted)[]).filter((name) => known[name] !== undefined)
  for (const name of names) {
    const [ours, theirs] = [String(known[name]).toLowerCase(), String(proof[name]).toLowerCase()]
    if (ours === theirs) continue
    return noted[name] === undefined
      ? failed('terms', 'This is not USDT on BNB Smart Chain, and no other token was named.', ours, theirs)
      : failed('terms', `${name} is not what was shown.`, ours, theirs)
  }
  const promise = kept === undefined ? undefined : comparePromise(proof, kept, firstDrawDate)
  if (promise && !promise.isLine) return failed('terms', 'The terms that were kept are no terms line.')
  if (promise?.broken) {
    const { field, from, to } = promise.broken
    return failed('terms', `${field} is not what was promised at the purchase.`, from, to)
  }
  const settled = new Set<string>([...names, ...(promise?.settles ?? [])])
  if (promised.every((name) => !settled.has(name)))
    return skipped('terms', 'Nothing to compare with: note price, dates and wallet while tickets are sold.')
  const missing = (['token', ...promised] as const).filter((name) => !settled.has(name)).join(', ')
  const shown = [...settled].join(', ')
  const changed = promise?.changed.join(', ')
  if (!missing)
    return passed(
      'terms',
      changed ? `As shown: ${shown}. Changed as the rules allow: ${changed}.` : `As shown: ${shown}.`,
    )
  return partial(
    'terms',
    changed
      ? `As shown: ${shown}. Changed as the rules allow: ${changed}. Nothing to compare with: ${missing}.`
      : `As shown: ${shown}. Nothing to compare with: ${missing}.`,
  )
}

const hashesOf = (proof: Proof): Hash[] => proof.blocks.map((block) => block.hash)

export function checkSeed(proof: Proof): VerifyResult {
  const { seed, counter } = drawWinner(hashesOf(proof), proof.ticketsSold)
  if (seed !== proof.seed) return failed('seed', 'The five hashes give another seed.', seed, proof.seed)
  if (counter !== proof.counter)
    return failed('seed', 'Another number of seeds was refused.', counter, proof.counter)
  return passed('seed', `SHA-256 of the 160 bytes: ${drawSeed(hashesOf(proof))}.`)
}

export function checkNumber(proof: Proof): VerifyResult {
  const { randomNumber, winningTicket } = drawWinner(hashesOf(proof), proof.ticketsSold)
  if (`${randomNumber}` !== proof.randomNumber)
    return failed('number', 'The seed is another number.', randomNumber, proof.randomNumber)
  if (winningTicket !== proof.winningTicket)
    return failed('number', 'The number names another ticket.', winningTicket, proof.winningTicket)
  return passed('number', `${randomNumber} mod ${proof.ticketsSold} + 1 = ${winningTicket}.`)
}

export function checkWinner(proof: Proof, line: LedgerLine | undefined): VerifyResult {
  if (!line) return failed('winner', `No line of the list holds ticket ${proof.winningTicket}.`)
  const found = {
    walletAddress: line.payer,
    transactionHash: line.transactionHash,
    ticketNumber: line.ticketNumber,
    ticketCount: line.ticketCount,
  }
  for (const name of Object.keys(found) as (keyof typeof found)[])
    if (found[name] !== proof.winner[name])
      return failed(
        'winner',
        `${name} of the winner is not that of the list.`,
        found[name],
        proof.winner[name],
      )
  const last = line.ticketNumber + line.ticketCount - 1
  return passed(
    'winner',
    `Ticket ${proof.winningTicket} is one of ${line.ticketNumber} to ${last} of ${line.payer}.`,
  )
}

export async function checkChain(rpc: Rpc, proof: Proof): Promise<VerifyResult> {
  const chainId = toNumber(await rpc('eth_chainId', []))
  if (chainId !== proof.chainId)
    return failed('chain', 'The endpoint serves another chain.', proof.chainId, chainId)
  const final = await getFinal(rpc)
  const drawBlock = drawBlockOf(proof)
  if (final.number < drawBlock.number)
    return failed('chain', 'The draw block is not final.', `at most ${final.number}`, drawBlock.number)
  return passed('chain', `Chain ${chainId}, final up to block ${final.number}.`)
}

export async function checkDrawBlock(rpc: Rpc, proof: Proof): Promise<VerifyResult> {
  const time = Date.parse(proof.drawDate) / 1000
  const first = await firstBlockSince(rpc, time, await getFinal(rpc))
  const { number } = drawBlockOf(proof)
  if (first !== number)
    return failed('draw-block', `Another block is the first at or after ${proof.drawDate}.`, first, number)
  const before = await mustGetHeader(rpc, number - 1)
  return passed(
    'draw-block',
    `Found by binary search: block ${number - 1} is ${time - before.timestamp} s before the draw date, block ${number} is not.`,
  )
}

export async function checkBlocks(rpc: Rpc, proof: Proof): Promise<VerifyResult> {
  const headers = await Promise.all(proof.blocks.map((block) => mustGetHeader(rpc, block.number)))
  for (const [index, header] of headers.entries()) {
    const block = proof.blocks[index] as ProofBlock
    if (header.hash !== block.hash)
      return failed('blocks', `Block ${block.number} has another hash.`, header.hash, block.hash)
    if (header.timestamp !== block.timestamp)
      return failed('blocks', `Block ${block.number} has another time.`, header.timestamp, block.timestamp)
  }
  return passed(
    'blocks',
    `Blocks ${headers[0]?.number} to ${headers.at(-1)?.number} have these hashes and times.`,
  )
}

/** D, the newest of the five. */
const drawBlockOf = (proof: Proof): ProofBlock => proof.blocks.at(-1) as ProofBlock
