import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { drawingMs } from '../draw/rules.ts'
import { noBranding } from '../house/branding.ts'
import { noRules } from '../house/rules.ts'
import { nextPhaseAt, type PublicFacts, phaseAt, phases, publicState } from './state.ts'

const saleEnd = Date.parse('2025-09-29T12:00:00Z')
const drawDate = Date.parse('2025-09-30T12:00:00Z')
const drawnAt = drawDate + 3_000

describe('phases follow the clock', () => {
  test.each([
    ['soon', { ...aSale(), event: { ...aSale().event, hasStarted: false } }, saleEnd - 1],
    ['ended', { ...aSale(), event: { ...aSale().event, hasStarted: false } }, saleEnd],
    ['open', aSale(), saleEnd - 1],
    ['ended', aSale(), saleEnd],
    ['due', aSale(), drawDate],
    ['drawing', aSale({ drawn: true }), drawnAt],
    ['announced', aSale({ drawn: true }), drawnAt + drawingMs],
    ['open', { ...aSale(), event: { ...aSale().event, drawDate: null, saleEnd: null } }, drawDate + 10 ** 12],
  ] as const)('%s', (phase, facts, now) => {
    expect(phaseAt(facts, now)).toBe(phase)
  })

  test('the time of the next phase is known, so that nobody has to poll for it', () => {
    expect(nextPhaseAt(aSale(), saleEnd - 5)).toBe(saleEnd)
    expect(nextPhaseAt(aSale(), saleEnd)).toBe(drawDate)
    expect(nextPhaseAt(aSale(), drawDate)).toBeNull()
    expect(nextPhaseAt(aSale({ drawn: true }), drawnAt)).toBe(drawnAt + drawingMs)
    const mixed = { ...aSale(), beacon: { round: 7, dueAt: drawDate + 60_000, isFound: false } }
    expect(nextPhaseAt(mixed, drawDate)).toBe(drawDate + 60_000)
    expect([drawDate, drawDate + 60_000].map((now) => phaseAt(mixed, now))).toEqual(['due', 'awaited'])
  })

  test('I22: versions never go back while time goes on', () => {
    fc.assert(
      fc.property(fc.boolean(), fc.array(fc.integer({ min: 0, max: 2 * 86_400_000 })), (drawn, steps) => {
        let now = saleEnd - 86_400_000
        let last = 0
        for (const step of steps) {
          now += step
          const { version } = publicState(aSale({ drawn }), now, false)
          expect(version).toBeGreaterThanOrEqual(last)
          last = version
        }
      }),
    )
  })

  test('a stored change raises the version more than any phase', () => {
    const before = publicState(aSale({ drawn: true }), drawnAt + drawingMs, false)
    const after = publicState({ ...aSale(), version: 8 }, saleEnd - 1, false)
    expect(after.version).toBeGreaterThan(before.version)
    expect(phases.length).toBeLessThanOrEqual(16)
  })
})

test('buyers are told the terms, the deadline, why money goes back, and that a sale has not begun', () => {
  const facts = aSale()
  const { config, drawStatus } = publicState(
    {
      ...facts,
      config: { ...facts.config, isRefundMode: true, refundReason: 'overdue' },
      event: { ...facts.event, hasStarted: false },
    },
    saleEnd - 1,
    false,
  )
  expect(config).toMatchObject({
    ...{
      isSoon: true,
      refundReason: 'overdue',
      terms: 'blockdraw-terms-1\n',
      termsSha256: '0x00',
      book: null,
      formerWallets: [],
    },
    ...{ entropy: 'blocks', beaconRound: null, winners: 1 },
    drawBy: new Date(drawDate + 7 * 86_400_000).toISOString(),
  })
  expect(drawStatus.refundReason).toBe('overdue')
})

test('refunds that are not over are told in every phase, of earlier events too', () => {
  const refunds = [{ eventNumber: 1, since: '2025-09-01T00:00:00.000Z', days: 29, paid: 3, open: 1 }]
  for (const now of [drawDate - 1, drawDate])
    expect(publicState({ ...aSale({}), refunds }, now, false).drawStatus.refunds).toEqual(refunds)
})

describe('the winner', () => {
  test('D6: is in no part of the state while the drawing runs', () => {
    const state = publicState(aSale({ drawn: true }), drawnAt + drawingMs - 1, false)
    expect(state.drawStatus.isDrawing).toBe(true)
    expect(JSON.stringify(state)).not.toContain('0xWinner')
  })

  test('D6: the block seed, which tells the winner where no beacon follows, is told no earlier than he is', () => {
    const seed = `0x${'5e'.repeat(32)}` as const
    const seen = (entropy: 'blocks' | 'blocks+drand', facts: PublicFacts, now: number) =>
      publicState({ ...facts, blockSeed: seed, config: { ...facts.config, entropy } }, now, false).drawStatus
        .blockSeed
    const told = (entropy: 'blocks' | 'blocks+drand') => [
      seen(entropy, aSale(), drawDate),
      seen(entropy, aSale({ drawn: true }), drawnAt),
      seen(entropy, aSale({ drawn: true }), drawnAt + drawingMs - 1),
      seen(entropy, aSale({ drawn: true }), drawnAt + drawingMs),
    ]
    expect(told('blocks')).toEqual([null, null, null, seed])
    expect(told('blocks+drand')).toEqual([seed, seed, seed, seed])
  })

  test('appears, with its history item, in the version in which the drawing ends', () => {
    const state = publicState(aSale({ drawn: true }), drawnAt + drawingMs, false)
    expect(state.drawStatus.isDrawing).toBe(false)
    expect(state.winner).toMatchObject({ walletAddress: '0xWinner', ticketNumber: 5, randomNumber: '1004' })
    expect(state.history).toMatchObject([{ eventNumber: 1, winnerWallet: '0xWinner' }])
  })

  test('of an event that promised several, all winners are in the history item, without the reserves', () => {
    const facts = aSale({ drawn: true })
    const drawn = (kind: 'winner' | 'reserve', place: number) => ({
      ...{ eventNumber: 1, kind, place, ticketNumber: place },
      ...({ walletAddress: `0x${kind}${place}`, transactionHash: '0xHash' } as const),
    })
    const winners = [drawn('winner', 1), drawn('winner', 2), drawn('reserve', 1)]
    const told = (promised: number) =>
      publicState(
        {
          ...facts,
          config: { ...facts.config, winners: promised },
          draw: facts.draw && { ...facts.draw, winners },
        },
        drawnAt + drawingMs,
        false,
      )
    expect(told(2)).toMatchObject({ winners, history: [{ winners: winners.slice(0, 2) }] })
    expect(told(1)).toMatchObject({ winners, history: [{ winners: [] }] })
  })

  test('D1: can be drawn again once cleared, and then the drawing runs again', () => {
    const facts = aSale({ drawn: true })
    const later = drawnAt + 60_000
    const cleared = { ...facts, version: 8, event: { ...facts.event, winnerCleared: true } }
    const again = { ...facts, version: 9, draw: facts.draw && { ...facts.draw, drawnAt: later } }
    expect(publicState(facts, later, false).drawStatus.canDraw).toBe(false)
    expect(publicState(cleared, later, false).drawStatus).toMatchObject({ isDrawing: false, canDraw: true })
    const running = publicState(again, later, false)
    expect(running.drawStatus).toMatchObject({ isDrawing: true, canDraw: false })
    expect(JSON.stringify(running)).not.toContain('0xWinner')
    expect(running.version).toBeGreaterThan(publicState(cleared, later, false).version)
    expect(publicState(again, later + drawingMs, false).winner).toMatchObject({ walletAddress: '0xWinner' })
  })

  test('is gone from winner and history once cleared', () => {
    const facts = aSale({ drawn: true })
    const state = publicState(
      { ...facts, event: { ...facts.event, winnerCleared: true } },
      drawnAt + drawingMs,
      false,
    )
    expect([state.winner, state.history, state.prizes]).toEqual([null, [], []])
    expect(state.drawStatus.isWinnerHidden).toBe(true)
    expect(publicState(facts, drawnAt + drawingMs, false).drawStatus.isWinnerHidden).toBe(false)
  })
})

function aSale({ drawn = false } = {}): PublicFacts {
  return {
    version: 7,
    config: {
      ...{ eventNumber: 1, operatorWallet: '0xOperator', chainId: 56, tokenAddress: '0xToken' },
      ...{ saleLeadSeconds: 86_400, minTicketsForDraw: 100, googleFormUrl: null },
      saleStart: new Date(saleEnd - 86_400_000).toISOString(),
      saleEndDate: new Date(saleEnd).toISOString(),
      drawDate: new Date(drawDate).toISOString(),
      drawBy: new Date(drawDate + 7 * 86_400_000).toISOString(),
      ...{ isRefundMode: false, refundReason: null, terms: 'blockdraw-terms-1\n', termsSha256: '0x00' },
      ...{ book: null, formerWallets: [], entropy: 'blocks', winners: 1, branding: noBranding },
      prizes: [{ kind: 'goods', units: null }],
    },
    event: {
      ...{ ticketPriceCents: 300, ticketsSold: 200, hasStarted: true, drawDate, saleEnd },
      ...{ refundNotice: false, isHalted: false, winnerCleared: false },
      raffled: { names: [], picture: null },
    },
    nodes: { isWaiting: false, pausesSales: false },
    draw: drawn
      ? {
          drawnAt,
          walletAddress: '0xWinner',
          transactionHash: '0xHash',
          ticketNumber: 5,
          randomNumber: '1004',
          winners: [],
          prizes: [],
        }
      : null,
    beacon: null,
    blockSeed: null,
    drawBlocks: null,
    refunds: [],
    recent: [],
    archived: [],
    solvency: { state: 'unknown', held: null, required: null, block: null },
    rules: noRules,
    eventSettings: {
      prizeImageUrl: null,
      prizeValue: null,
      prizeDescription: null,
      eventStartDate: null,
      isActive: false,
      updatedAt: null,
    },
  }
}
