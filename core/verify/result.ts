import type { Hash } from 'viem'
import { blockSeedOf, type DrawResult, drawWinner, firstSeed } from '../draw/draw.ts'
import type { Proof, ProofWinner } from '../draw/proof.ts'
import { drawAll, mostWinners } from '../draw/winners.ts'
import { parseTerms } from '../event/terms.ts'
import { type LedgerLine, parseLedgerLine } from '../payment/ledger.ts'
import { indexOfTicket } from './ledger.ts'
import { createPause, failed, passed, type VerifyResult } from './steps.ts'

const hashesOf = (proof: Proof): Hash[] => proof.blocks.map((block) => block.hash)

/** What the rule makes of the proof's own blocks, beacon and ledger. */
function resultOf(proof: Proof): DrawResult {
  const { beacon, ledger, ticketsSold } = proof
  const first = firstSeed(
    blockSeedOf(hashesOf(proof)),
    beacon && { randomness: beacon.randomness, ledgerSha256: ledger.sha256 },
  )
  return drawWinner(first, ticketsSold)
}

export function checkSeed(proof: Proof): VerifyResult {
  const blockSeed = blockSeedOf(hashesOf(proof))
  if (blockSeed !== proof.blockSeed)
    return failed('seed', 'The five hashes give another block seed.', blockSeed, proof.blockSeed)
  const { seed, counter } = resultOf(proof)
  if (seed !== proof.seed) return failed('seed', 'The block seed gives another seed.', seed, proof.seed)
  if (counter !== proof.counter)
    return failed('seed', 'Another number of seeds was refused.', counter, proof.counter)
  return passed('seed', `SHA-256 of the 160 bytes: ${blockSeed}.`)
}

export function checkNumber(proof: Proof): VerifyResult {
  const { randomNumber, winningTicket } = resultOf(proof)
  if (`${randomNumber}` !== proof.randomNumber)
    return failed('number', 'The seed is another number.', randomNumber, proof.randomNumber)
  if (winningTicket !== proof.winningTicket)
    return failed('number', 'The number names another ticket.', winningTicket, proof.winningTicket)
  return passed('number', `${randomNumber} mod ${proof.ticketsSold} + 1 = ${winningTicket}.`)
}

export function checkWinner(proof: Proof, line: LedgerLine | undefined): VerifyResult {
  if (!line) return failed('winner', `No line of the list holds ticket ${proof.winningTicket}.`)
  const found = toWinner(line)
  const name = differenceOf(found, proof.winner)
  if (name)
    return failed('winner', `${name} of the winner is not that of the list.`, found[name], proof.winner[name])
  const last = line.ticketNumber + line.ticketCount - 1
  return passed(
    'winner',
    `Ticket ${proof.winningTicket} is one of ${line.ticketNumber} to ${last} of ${line.payer}.`,
  )
}

/** Draws all winners and reserves again from the list, and compares each. */
export async function checkWinners(proof: Proof, texts: readonly string[]): Promise<VerifyResult> {
  const promised = Number(parseTerms(proof.terms)?.winners)
  if (!(promised >= 1 && promised <= mostWinners))
    return failed(
      'winners',
      'The terms promise a number of winners that no event has.',
      `1 to ${mostWinners}`,
      promised,
    )
  if (proof.winningTicket > proof.ticketsSold)
    return failed('winners', `No line of the list holds ticket ${proof.winningTicket}.`)
  if (differenceOf(proof.winners[0] as ProofWinner, proof.winner))
    return failed('winners', 'The first of the winners is not the winner.')
  const { ticketsSold } = proof
  const drawn = await drawAll(proof, promised, {
    ticketsSold,
    holderOf: (ticket) => parseLedgerLine(texts[indexOfTicket(texts, ticket)] as string) as LedgerLine,
    paymentsOf: (payer) => linesOf(texts, payer),
  })
  for (const list of ['winners', 'reserves'] as const) {
    const [found, told] = [drawn[list].map(({ payment }) => toWinner(payment)), proof[list]]
    if (found.length !== told.length)
      return failed('winners', `Another number of ${list} follows from the list.`, found.length, told.length)
    for (const [place, one] of found.entries()) {
      const name = differenceOf(one, told[place] as ProofWinner)
      if (name)
        return failed(
          'winners',
          `${name} of ${list}[${place}] is not what the seed gives.`,
          one[name],
          told[place]?.[name],
        )
    }
  }
  return passed(
    'winners',
    `Winners: ${proof.winners.length}; reserves: ${proof.reserves.length}; each another payer.`,
  )
}

/** All lines of a payer; each has the address in one place alone. */
async function linesOf(texts: readonly string[], payer: string): Promise<LedgerLine[]> {
  const pause = createPause()
  const found: LedgerLine[] = []
  for (const [index, text] of texts.entries()) {
    if (text.includes(payer)) {
      const line = parseLedgerLine(text)
      if (line?.payer === payer) found.push(line)
    }
    if (index % 4_096 === 0) await pause()
  }
  return found
}

const toWinner = ({ payer, transactionHash, ticketNumber, ticketCount }: LedgerLine): ProofWinner => ({
  walletAddress: payer,
  transactionHash,
  ticketNumber,
  ticketCount,
})

/** The first field in which two differ. */
const differenceOf = (one: ProofWinner, other: ProofWinner): keyof ProofWinner | undefined =>
  (Object.keys(one) as (keyof ProofWinner)[]).find((name) => one[name] !== other[name])
