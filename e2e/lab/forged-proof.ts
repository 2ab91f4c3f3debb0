import { sha256, stringToHex } from 'viem'
import { commitmentOf } from '../../core/draw/anchor.ts'
import { blockSeedOf, drawWinner, firstSeed } from '../../core/draw/draw.ts'
import type { Proof, ProofWinner } from '../../core/draw/proof.ts'
import { drawAll } from '../../core/draw/winners.ts'
import { parseTerms, type TermsField, termsFields, termsSha256 } from '../../core/event/terms.ts'
import { type LedgerLine, ledgerHeader, parseLedgerLine } from '../../core/payment/ledger.ts'

/** A proof and list that fit each other, from `lines` (without the header) over the blocks of `proof`. */
export async function forged(proof: Proof, lines: readonly string[], change: Partial<Proof> = {}) {
  const ledger = `${ledgerHeader}${lines.join('\n')}\n`
  const rows = lines.map(parseLedgerLine).filter((line) => line !== undefined)
  const last = rows.at(-1)
  const made = {
    ...{ ...proof, ...change },
    ticketsSold: last ? last.ticketNumber + last.ticketCount - 1 : 0,
    list: { sha256: sha256(stringToHex(ledger)), lines: lines.length },
  }
  return { proof: JSON.stringify({ ...made, ...(await fitted(made, rows)), ...change }), ledger }
}

/** All that follows from a proof's terms line, list, blocks and beacon: a forger sees to that. */
export async function fitted(
  proof: Pick<Proof, 'terms' | 'list' | 'blocks' | 'beacon' | 'ticketsSold'>,
  rows: readonly LedgerLine[],
) {
  const { terms, list } = proof
  return {
    ...{ termsSha256: termsSha256(terms), commitment: commitmentOf(terms, list.sha256) },
    ...(await drawnFrom(rows, proof, Number(parseTerms(terms)?.winners ?? 1))),
  }
}

/** What the rule makes of a list, five blocks and a beacon: the drawn fields of a proof. */
async function drawnFrom(
  lines: readonly LedgerLine[],
  from: Pick<Proof, 'blocks' | 'beacon' | 'list' | 'ticketsSold'>,
  winners = 1,
) {
  const { beacon, blocks, list, ticketsSold } = from
  const blockSeed = blockSeedOf(blocks.map(({ hash }) => hash))
  const first = firstSeed(blockSeed, beacon && { ...beacon, ledgerSha256: list.sha256 })
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

/** The terms line with other values. */
export const termsWith = (line: string, change: Partial<Record<TermsField, string>>): string => {
  const values = { ...parseTerms(line), ...change } as Record<TermsField, string>
  return `blockdraw-terms-2,${termsFields.map((field) => values[field]).join()}\n`
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
