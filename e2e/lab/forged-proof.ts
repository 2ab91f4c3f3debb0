import { sha256, stringToHex } from 'viem'
import { drawWinner } from '../../core/draw/draw.ts'
import type { Proof } from '../../core/draw/proof.ts'
import { ledgerHeader } from '../../core/ledger.ts'
import { parseTerms, type TermsField, termsFields } from '../../core/terms.ts'

/** A proof and list that fit each other, from `lines` (without the header) over the blocks of `proof`. */
export function forged(proof: Proof, lines: readonly string[], change: Partial<Proof> = {}) {
  const ledger = `${ledgerHeader}${lines.join('\n')}\n`
  const rows = lines.map((line) => line.split(','))
  const [first, count] = rows.at(-1) ?? []
  const ticketsSold = Number(first) + Number(count) - 1
  const blocks = change.blocks ?? proof.blocks
  const { randomNumber, ...result } = drawWinner(
    blocks.map(({ hash }) => hash),
    ticketsSold,
  )
  const row = rows.findLast(([ticket]) => Number(ticket) <= result.winningTicket) ?? []
  const made = {
    ...proof,
    ...result,
    ticketsSold,
    randomNumber: `${randomNumber}`,
    ledger: { sha256: sha256(stringToHex(ledger)), lines: lines.length },
    secondReading: true,
    winner: {
      walletAddress: row[3],
      transactionHash: row[2],
      ticketNumber: Number(row[0]),
      ticketCount: Number(row[1]),
    },
    ...change,
  }
  return { proof: JSON.stringify({ ...made, terms: change.terms ?? fittingTerms(made) }), ledger }
}

/** The terms line that a proof's own fields make: a forger sees to that. */
export function fittingTerms(proof: Omit<Proof, 'winner'>): string {
  const seconds = (date: string) => `${Date.parse(date) / 1000}`
  const { eventNumber, chainId, token, operatorWallet, ticketPrice, saleStart, saleEndDate, drawDate } = proof
  const own: Partial<Record<TermsField, string>> = {
    ...{ eventNumber: `${eventNumber}`, chainId: `${chainId}`, token, operatorWallet, ticketPrice },
    ...{ saleStart: seconds(saleStart), saleEnd: seconds(saleEndDate), drawDate: seconds(drawDate) },
    drawBy: `${Date.parse(drawDate) / 1000 + 7 * 86_400}`,
  }
  const values = { ...parseTerms(proof.terms), ...own } as Record<TermsField, string>
  return `blockdraw-terms-1,${termsFields.map((field) => values[field]).join()}\n`
}
