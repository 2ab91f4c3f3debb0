import type { Hash } from 'viem'
import { blockSeedOf, type DrawResult, drawWinner, firstSeed } from '../draw/draw.ts'
import type { Proof, ProofWinner } from '../draw/proof.ts'
import { drawAll } from '../draw/winners.ts'
import { type LedgerLine, parseLedgerLine } from '../payment/ledger.ts'
import { lineOfTicket } from './list.ts'
import { createPause, differing, failed, passed, type VerifyResult } from './steps.ts'

const hashesOf = (proof: Proof): Hash[] => proof.blocks.map((block) => block.hash)

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
  const { seed, counter } = resultOf(proof)
  return differing('seed', { blockSeed, seed, counter }, proof) ?? passed('seed', 'seedRight', { blockSeed })
}

export function checkNumber(proof: Proof): VerifyResult {
  const { randomNumber, winningTicket: ticket } = resultOf(proof)
  const number = `${randomNumber}`
  return (
    differing('number', { randomNumber: number, winningTicket: ticket }, proof) ??
    passed('number', 'numberRight', { number, tickets: proof.ticketsSold, ticket })
  )
}

export function checkWinner(proof: Proof, texts: readonly string[]): VerifyResult {
  const { winningTicket: ticket } = proof
  const line = lineOfTicket(texts, ticket)
  if (!line) return failed('winner', 'noHolder', { ticket })
  const { ticketNumber: first, ticketCount, payer } = line
  return (
    differing('winner', toWinner(line), proof.winner, 'winner.') ??
    passed('winner', 'winnerRight', { ticket, first, last: first + ticketCount - 1, payer })
  )
}

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
    const wrong =
      differing('winners', { length: found.length }, told, `${of}.`) ??
      found
        .map((one, place) => differing('winners', one, told[place] as ProofWinner, `${of}[${place}].`))
        .find(Boolean)
    if (wrong) return wrong
  }
  const first = differing('winners', proof.winners[0] as ProofWinner, proof.winner, 'winner.')
  if (first) return first
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
