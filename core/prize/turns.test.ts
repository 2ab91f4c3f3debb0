import fc from 'fast-check'
import type { Address } from 'viem'
import { expect, test } from 'vitest'
import { type Claim, secondsOf, type TurnFacts, turnsOf } from './turns.ts'

const wallet = (n: number): Address => `0x${n.toString(16).padStart(40, '0')}`
const day = secondsOf(1)
const drawnAt = 1_000_000
const facts = (more: Partial<TurnFacts<Claim>>): TurnFacts<Claim> => ({
  ...{ drawnAt, claimDays: 30, now: drawnAt, claims: [] },
  winners: [
    { place: 1, wallet: wallet(1) },
    { place: 2, wallet: wallet(2) },
  ],
  reserves: [wallet(11), wallet(12), wallet(13)],
  ...more,
})
const holders = (more: Partial<TurnFacts<Claim>>) =>
  turnsOf(facts(more)).map(({ holder, claim }) => [holder?.wallet ?? null, claim?.at ?? null])

test('a claim in the last second of a turn counts, and one in the second after it does not', () => {
  const end = drawnAt + 30 * day
  const now = end + 5
  expect(holders({ now, claims: [{ wallet: wallet(1), at: end - 1 }] })[0]).toEqual([wallet(1), end - 1])
  expect(holders({ now, claims: [{ wallet: wallet(1), at: end }] })[0]).toEqual([wallet(11), null])
  // No block has come to the end yet: nothing has changed, whatever clocks say.
  expect(holders({ now: end - 1 })).toEqual([
    [wallet(1), null],
    [wallet(2), null],
  ])
})

test('of prizes that come free together the lowest winner number takes the next reserve, until there is none', () => {
  const at = (days: number) => holders({ now: drawnAt + days * day }).map(([holder]) => holder)
  expect(at(30)).toEqual([wallet(11), wallet(12)])
  expect(at(60)).toEqual([wallet(13), null])
  expect(at(90)).toEqual([null, null])
})

test('a reserve has the claim days of its own, and cannot claim before its turn', () => {
  const early = { wallet: wallet(11), at: drawnAt + day }
  expect(holders({ now: drawnAt + 31 * day, claims: [early] })[0]).toEqual([wallet(11), null])
  const inTurn = { wallet: wallet(11), at: drawnAt + 60 * day - 1 }
  expect(holders({ now: drawnAt + 400 * day, claims: [early, inTurn] })[0]).toEqual([wallet(11), inTurn.at])
})

const claimDays = fc.integer({ min: 7, max: 90 })
const story = fc.record({
  claimDays,
  winners: fc.integer({ min: 1, max: 20 }),
  reserves: fc.integer({ min: 0, max: 3 }),
  claims: fc.array(
    fc.record({ who: fc.integer({ min: 0, max: 22 }), at: fc.integer({ min: -1, max: 400 * day }) }),
    { maxLength: 30 },
  ),
  nows: fc.array(fc.integer({ min: 0, max: 400 * day }), { minLength: 1, maxLength: 8 }),
})
type Told = typeof story extends fc.Arbitrary<infer T> ? T : never
const factsOf = ({ claimDays, winners, reserves, claims }: Told) => {
  const drawn = Array.from({ length: winners }, (_, index) => ({
    place: index + 1,
    wallet: wallet(index + 1),
  }))
  const waiting = Array.from({ length: reserves }, (_, index) => wallet(100 + index))
  const all = [...drawn.map((one) => one.wallet), ...waiting]
  return {
    ...{ drawnAt, claimDays, winners: drawn, reserves: waiting },
    claims: claims.flatMap(({ who, at }) =>
      all[who % all.length] ? [{ wallet: all[who % all.length] as Address, at: drawnAt + at }] : [],
    ),
  }
}

test('I39 nobody holds two prizes, reserves come in order, and what was so stays so as time goes on', () => {
  fc.assert(
    fc.property(story, (told) => {
      const known = factsOf(told)
      let before: ReturnType<typeof turnsOf> = []
      for (const now of told.nows.map((one) => drawnAt + one).sort((a, b) => a - b)) {
        const standings = turnsOf({ ...known, now })
        const ever = standings.flatMap(({ turns }) => turns.map(({ claimant }) => claimant.wallet))
        expect(new Set(ever).size).toBe(ever.length)
        const reserves = standings
          .flatMap(({ place, turns }) =>
            turns.slice(1).map(({ from, claimant }) => ({ place, from, claimant })),
          )
          .sort((a, b) => a.from - b.from || a.place - b.place)
        expect(reserves.map(({ claimant }) => claimant.place)).toEqual(reserves.map((_, index) => index + 1))
        for (const [index, { turns, claim, holder }] of standings.entries()) {
          const known = before[index]
          expect(turns.slice(0, known?.turns.length ?? 0)).toEqual(known?.turns ?? [])
          if (known?.claim) expect({ claim, holder }).toEqual({ claim: known.claim, holder: known.holder })
          // A prize has a holder who may still claim or has claimed, or there was nobody left.
          const last = turns.at(-1)
          if (holder && !claim) expect(last?.until).toBeGreaterThan(now)
        }
        if (standings.some(({ holder }) => !holder)) expect(reserves).toHaveLength(told.reserves)
        before = standings
      }
    }),
    { numRuns: 500 },
  )
})
