import { sha256, stringToHex } from 'viem'
import { commitmentOf } from '../../core/draw/anchor.ts'
import { blockSeedOf, drawWinner, firstSeed } from '../../core/draw/draw.ts'
import type { Proof, ProofWinner } from '../../core/draw/proof.ts'
import { drawAll } from '../../core/draw/winners.ts'
import { parseTerms, type TermsField, termsFields } from '../../core/event/terms.ts'
import { type LedgerLine, ledgerHeader, parseLedgerLine } from '../../core/payment/ledger.ts'

/** A proof and list that fit each other, from `lines` (without the header) over the blocks of `proof`. */
export async function forged(proof: Proof, lines: readonly string[], change: Partial<Proof> = {}) {
  const ledger = `${ledgerHeader}${lines.join('\n')}\n`
  const rows = lines.map(parseLedgerLine).filter((line) => line !== undefined)
  const last = rows.at(-1)
  const made = {
    ...{ ...proof, ...change },
    ticketsSold: last ? last.ticketNumber + last.ticketCount - 1 : 0,
    ledger: { sha256: sha256(stringToHex(ledger)), lines: lines.length },
    secondReading: true,
  }
  const terms = change.terms ?? fittingTerms(made)
  const drawn = await drawnFrom(rows, made, Number(parseTerms(terms)?.winners ?? 1))
  const commitment = commitmentOf(terms, made.ledger.sha256)
  return { proof: JSON.stringify({ ...made, ...drawn, commitment, ...change, terms }), ledger }
}

/** What the rule makes of a list, five blocks and a beacon: the drawn fields of a proof. */
export async function drawnFrom(
  lines: readonly LedgerLine[],
  from: Pick<Proof, 'blocks' | 'beacon' | 'ledger' | 'ticketsSold'>,
  winners = 1,
) {
  const { beacon, blocks, ledger, ticketsSold } = from
  const blockSeed = blockSeedOf(blocks.map(({ hash }) => hash))
  const first = firstSeed(blockSeed, beacon && { ...beacon, ledgerSha256: ledger.sha256 })
  const { randomNumber, ...result } = drawWinner(first, ticketsSold)
  const drawn = await drawAll(result, winners, {
    ticketsSold,
    holderOf: (ticket) => lines.findLast(({ ticketNumber }) => ticketNumber <= ticket) as LedgerLine,
    paymentsOf: (payer) => lines.filter((line) => line.payer === payer),
  })
  const toWinner = ({ payment }: { payment: LedgerLine }): ProofWinner => ({
    walletAddress: payment.payer,
    transactionHash: payment.transactionHash,
    ticketNumber: payment.ticketNumber,
    ticketCount: payment.ticketCount,
  })
  return {
    ...result,
    ...{ blockSeed, randomNumber: `${randomNumber}`, winner: toWinner(drawn.winners[0] as never) },
    ...{ winners: drawn.winners.map(toWinner), reserves: drawn.reserves.map(toWinner) },
  }
}

/** The terms line that a proof's own fields make: a forger sees to that. */
export function fittingTerms(proof: Omit<Proof, 'winner'>): string {
  const seconds = (date: string) => `${Date.parse(date) / 1000}`
  const { eventNumber, chainId, token, operatorWallet, ticketPrice, saleStart, saleEndDate, drawDate } = proof
  const days = proof.entropy === 'blocks' ? 7 : 8
  const own: Partial<Record<TermsField, string>> = {
    ...{ eventNumber: `${eventNumber}`, chainId: `${chainId}`, token, operatorWallet, ticketPrice },
    ...{ saleStart: seconds(saleStart), saleEnd: seconds(saleEndDate), drawDate: seconds(drawDate) },
    ...{ drawBy: `${Date.parse(drawDate) / 1000 + days * 86_400}`, entropy: proof.entropy },
  }
  const values = { ...parseTerms(proof.terms), ...own } as Record<TermsField, string>
  return `blockdraw-terms-1,${termsFields.map((field) => values[field]).join()}\n`
}

/** Tickets without a gap again. */
export function renumbered(texts: readonly string[]): string[] {
  let next = 1
  return texts.map((text) => {
    const [, count, ...rest] = text.split(',')
    next += Number(count)
    return [next - Number(count), count, ...rest].join(',')
  })
}
