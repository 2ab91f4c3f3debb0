import fc from 'fast-check'
import { getAddress, sha256 } from 'viem'
import { expect, test } from 'vitest'
import { blockSeedOf, drawWinner, firstSeed } from '../../core/draw/draw.ts'
import type { ProofBeacon } from '../../core/draw/proof.ts'
import { drawAll } from '../../core/draw/winners.ts'
import { type LedgerLine, parseLedgerLine } from '../../core/payment/ledger.ts'
import { openEvent, publishedLedger } from '../../e2e/lab/ledger-story.ts'
import { forTest } from '../../e2e/lab/opened.ts'
import { stateNow } from '../../e2e/lab/public-state.ts'
import { agreedBlocks, drawnFrom, soldOut } from '../../e2e/lab/recorded-draw.ts'
import { usedDb } from '../../e2e/lab/used-database.ts'
import type { Db } from '../index.ts'
import { resultOf } from './draws.ts'
import { loadProof } from './facts.ts'

const payers = Array.from({ length: 12 }, (_, n) => `0x${(n + 16).toString(16).repeat(20)}` as const)
const sale = fc.record({
  payments: fc.array(
    fc.record({ payer: fc.constantFrom(...payers), cents: fc.integer({ min: 3_00, max: 90_00 }) }),
    { minLength: 1, maxLength: 30 },
  ),
  winners: fc.integer({ min: 1, max: 20 }),
})

test('winners and reserves that are stored are those that the rule draws from the published list', async () => {
  await fc.assert(
    fc.asyncProperty(sale, fc.nat(), async (sale, salt) => {
      const { db, close } = await usedDb()
      try {
        await openEvent(db)
        const event = await soldOut(db, sale)
        const lines = await publishedLines(db)
        const blocks = agreedBlocks(event, salt)
        const expected = await byTheRule(lines, sale.winners, blockSeedOf(blocks.map(({ hash }) => hash)))
        await drawnFrom(db, event, blocks)
        const { winners, reserves } = (await loadProof(db, 1)) ?? {}
        expect({ winners, reserves }).toEqual({
          winners: expected.winners.map(({ payment }) => shown(payment)),
          reserves: expected.reserves.map(({ payment }) => shown(payment)),
        })
        const told = (await stateNow(db)).winners
        const tickets = (kind: string) =>
          told
            .filter((one) => one.kind === kind)
            .map(({ walletAddress, ticketNumber }) => [walletAddress, ticketNumber])
        const drawn = (some: typeof expected.winners) =>
          some.map(({ ticket, payment }) => [getAddress(payment.payer), ticket])
        expect([tickets('winner'), tickets('reserve')]).toEqual([
          drawn(expected.winners),
          drawn(expected.reserves),
        ])
        expect(new Set(told.map(({ walletAddress }) => walletAddress)).size).toBe(told.length)
      } finally {
        await close()
      }
    }),
    { numRuns: 6 },
  )
})

test('where a beacon is mixed in, its randomness and the list’s fingerprint choose them', async () => {
  const { db } = await forTest(usedDb())
  await openEvent(db)
  const payments = payers.map((payer, index) => ({ payer, cents: 3_00 * (index + 1) }))
  const event = await soldOut(db, { payments, winners: 3, entropy: 'blocks+drand' })
  const lines = await publishedLines(db)
  for (let salt = 0; salt < 5; salt++) {
    const blocks = agreedBlocks(event, salt)
    const randomness = sha256(`0x${salt.toString(16).padStart(2, '0')}`)
    const seed = firstSeed(blockSeedOf(blocks.map(({ hash }) => hash)), {
      randomness,
      ledgerSha256: event.ledgerSha256 as `0x${string}`,
    })
    const expected = await byTheRule(lines, 3, seed)
    const found = await db.transaction((tx) => resultOf(tx, event, blocks, { randomness } as ProofBeacon))
    const tickets = (drawn: readonly { ticket: number }[]) => drawn.map(({ ticket }) => ticket)
    expect([tickets(found.winners), tickets(found.reserves)]).toEqual([
      tickets(expected.winners),
      tickets(expected.reserves),
    ])
  }
})

/** The file as anybody downloads it. */
async function publishedLines(db: Db): Promise<LedgerLine[]> {
  const text = await publishedLedger(db, 1)
  return text
    .split('\n')
    .slice(1, -1)
    .map((line) => parseLedgerLine(line) as LedgerLine)
}

function byTheRule(lines: readonly LedgerLine[], winners: number, first: `0x${string}`) {
  const ticketsSold = lines.reduce((sum, { ticketCount }) => sum + ticketCount, 0)
  return drawAll(drawWinner(first, ticketsSold), winners, {
    ticketsSold,
    holderOf: (ticket) =>
      lines.find(
        ({ ticketNumber, ticketCount }) => ticketNumber <= ticket && ticket < ticketNumber + ticketCount,
      ) as LedgerLine,
    paymentsOf: (payer) => lines.filter((line) => line.payer === payer),
  })
}

const shown = ({ payer, transactionHash, ticketNumber, ticketCount }: LedgerLine) => ({
  ...{ walletAddress: payer, transactionHash, ticketNumber, ticketCount },
})
