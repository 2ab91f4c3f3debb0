import type { Hash } from 'viem'
import { blockSeedOf, type DrawResult, drawWinner, firstSeed } from '../draw/draw.ts'
import type { Proof, ProofWinner } from '../draw/proof.ts'
import { drawAll } from '../draw/winners.ts'
import { type LedgerLine, parseLedgerLine } from '../payment/ledger.ts'
import { lineOfTicket } from './list.ts'
import { createPause, failed, passed, type VerifyResult } from './steps.ts'

const hashesOf = (proof: Proof): Hash[] => proof.blocks.map((block) => block.hash)

/** What the rule makes of the proof's own blocks, beacon and list. */
function resultOf(proof: Proof): DrawResult {
  const { beacon, list, ticketsSold } = proof
  const first = firstSeed(
    blockSeedOf(hashesOf(proof)),
    beacon && { randomness: beacon.randomness, ledgerSha256: list.sha256 },
  )
  return drawWinner(first, ticketsSold)
}

export function checkSeed(proof: Proof): VerifyResult {
  const blockSeed = blockSeedOf(hashesOf(proof))
  if (blockSeed !== proof.blockSeed)
    return failed('seed', 'otherBlockSeed', { expected: blockSeed, actual: proof.blockSeed })
  const { seed, counter } = resultOf(proof)
  if (seed !== proof.seed) return failed('seed', 'otherSeed', { expected: seed, actual: proof.seed })
  if (counter !== proof.counter)
    return failed('seed', 'otherCounter', { expected: counter, actual: proof.counter })
  return passed('seed', 'seedRight', { blockSeed })
}

export function checkNumber(proof: Proof): VerifyResult {
  const { randomNumber, winningTicket: ticket } = resultOf(proof)
  const number = `${randomNumber}`
  if (number !== proof.randomNumber)
    return failed('number', 'otherNumber', { expected: number, actual: proof.randomNumber })
  if (ticket !== proof.winningTicket)
    return failed('number', 'otherTicket', { expected: ticket, actual: proof.winningTicket })
  return passed('number', 'numberRight', { number, tickets: proof.ticketsSold, ticket })
}

export function checkWinner(proof: Proof, texts: readonly string[]): VerifyResult {
  const { winningTicket: ticket } = proof
  const line = lineOfTicket(texts, ticket)
  if (!line) return failed('winner', 'noHolder', { ticket })
  const { ticketNumber: first, ticketCount, payer } = line
  return (
    differenceOf('winner', toWinner(line), proof.winner) ??
    passed('winner', 'winnerRight', { ticket, first, last: first + ticketCount - 1, payer })
  )
}

/** Draws all winners and reserves again from the list, and compares each. */
export async function checkWinners(
  proof: Proof,
  promised: number,
  texts: readonly string[],
): Promise<VerifyResult> {
  const { ticketsSold, winningTicket: ticket } = proof
  if (ticket > ticketsSold) return failed('winners', 'noHolder', { ticket })
  const drawn = await drawAll(proof, promised, {
    ticketsSold,
    holderOf: (each) => lineOfTicket(texts, each) as LedgerLine,
    paymentsOf: (payer) => linesOf(texts, payer),
  })
  for (const of of ['winners', 'reserves'] as const) {
    const [found, told] = [drawn[of].map(({ payment }) => toWinner(payment)), proof[of]]
    if (found.length !== told.length)
      return failed('winners', 'otherWinners', { of, expected: found.length, actual: told.length })
    for (const [place, one] of found.entries()) {
      const difference = differenceOf(`${of}[${place}]`, one, told[place] as ProofWinner)
      if (difference) return { ...difference, step: 'winners' }
    }
  }
  const first = differenceOf('winner', proof.winners[0] as ProofWinner, proof.winner)
  if (first) return { ...first, step: 'winners' }
  const { winners, reserves } = proof
  return passed('winners', 'winnersRight', { winners: winners.length, reserves: reserves.length })
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

/** The first field in which what follows from the list differs from what the proof says. */
function differenceOf(place: string, found: ProofWinner, told: ProofWinner): VerifyResult | undefined {
  const field = (Object.keys(found) as (keyof ProofWinner)[]).find((name) => found[name] !== told[name])
  return (
    field &&
    failed('winner', 'otherWinner', { place, field, expected: `${found[field]}`, actual: `${told[field]}` })
  )
}
