import { expect, test } from 'vitest'
import type { PublicPrize, PublicPrizeStep } from '../../../core/prize/promise.ts'
import {
  claimable,
  daysBetween,
  daysSinceDraw,
  isOver,
  prizeHeldBy,
  shortStanding,
  standingOf,
  stepsAhead,
  takenSteps,
} from './prizes.ts'

const winner = '0x70997970C51812dc3A010C7d01b50e0d17dc79C8'
const reserve = '0x3C44CdDdB6a900fa2b585dd299e03d12FA4293BC'
const step = (name: PublicPrizeStep['step'], day: number, walletAddress = winner): PublicPrizeStep => ({
  ...{ step: name, at: new Date(day * 86_400_000).toISOString(), transactionHash: null, reason: null },
  walletAddress: walletAddress as PublicPrizeStep['walletAddress'],
})
const prize = (change: Partial<PublicPrize> = {}): PublicPrize => ({
  ...{ eventNumber: 1, place: 1, kind: 'goods', units: null, state: 'unclaimed', claimBy: null },
  holder: { kind: 'winner', place: 1, walletAddress: winner },
  steps: [step('drawn', 0)],
  ...change,
})

test('a prize whose turns all went by is lapsed, and nothing of it is still to come', () => {
  const lapsed = prize({ holder: null })
  expect([standingOf(lapsed), isOver(lapsed), stepsAhead(lapsed)]).toEqual(['lapsed', true, []])
  expect(standingOf(prize())).toBe('unclaimed')
  const short = { place: 1, kind: 'goods', units: null, state: 'unclaimed', at: null } as const
  expect(shortStanding({ ...short, walletAddress: null })).toBe('lapsed')
  expect(shortStanding({ ...short, walletAddress: winner })).toBe('unclaimed')
})

test('what is still to come follows from the last step, also after the turn of a reserve', () => {
  expect(stepsAhead(prize())).toEqual(['claimed', 'sent', 'delivered'])
  expect(stepsAhead(prize({ steps: [step('drawn', 0), step('turn', 30)] }))).toEqual([
    ...['claimed', 'sent', 'delivered'],
  ])
  const sent = [step('drawn', 0), step('claimed', 1), step('sent', 2)]
  expect(stepsAhead(prize({ state: 'sent', steps: sent }))).toEqual(['delivered'])
  expect(stepsAhead(prize({ state: 'delivered', steps: [...sent, step('delivered', 9)] }))).toEqual([])
  expect(stepsAhead(prize({ kind: 'token', state: 'due', units: '5' }))).toEqual(['paid'])
})

test('what was said to be sent and taken back is ahead again, until it is sent a second time', () => {
  const steps = [step('drawn', 0), step('claimed', 1), step('sent', 2), step('corrected', 3)]
  expect(stepsAhead(prize({ state: 'claimed', steps }))).toEqual(['sent', 'delivered'])
  expect(stepsAhead(prize({ state: 'sent', steps: [...steps, step('sent', 4)] }))).toEqual(['delivered'])
})

test('days are whole ones, between steps and since the draw', () => {
  expect(daysBetween('2055-01-01T12:00:00Z', '2055-01-02T11:59:59Z')).toBe(0)
  expect(daysBetween('2055-01-02T00:00:00Z', '2055-01-01T00:00:00Z')).toBe(0)
  const steps = [step('drawn', 0), step('turn', 30, reserve), step('claimed', 31.5, reserve)]
  expect(takenSteps(prize({ steps })).map(({ days }) => days)).toEqual([null, 30, 1])
  expect([daysSinceDraw(prize({ steps })), daysSinceDraw(prize())]).toEqual([31, undefined])
})

test('the holder is found in any spelling of the address, and nobody without a wallet', () => {
  const prizes = [prize({ holder: null }), prize({ place: 2 })]
  expect(prizeHeldBy(prizes, winner.toLowerCase())?.place).toBe(2)
  expect([prizeHeldBy(prizes, reserve), prizeHeldBy(prizes, undefined)]).toEqual([undefined, undefined])
  expect(claimable(prizes).map(({ place }) => place)).toEqual([2])
})
