import { sha256, stringToHex } from 'viem'
import { drawWinner } from '../../core/draw/draw.ts'
import type { Proof } from '../../core/draw/proof.ts'
import { ledgerHeader } from '../../core/ledger.ts'

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
  return { proof: JSON.stringify(made), ledger }
}
