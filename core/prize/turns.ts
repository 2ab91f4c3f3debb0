import type { Address } from 'viem'

export type Claimant = { kind: 'winner' | 'reserve'; place: number; wallet: Address }
/** A holder's word that he wants the prize; `at` is a time of final blocks, in seconds. */
export type Claim = { wallet: Address; at: number }
export type Turn = { claimant: Claimant; from: number; until: number }

/** Times are those of final blocks, in seconds; no clock of ours decides. */
export type TurnFacts<C extends Claim> = {
  /** The newest final block when the draw was recorded. */
  drawnAt: number
  claimDays: number
  winners: readonly { place: number; wallet: Address }[]
  reserves: readonly Address[]
  claims: readonly C[]
  /** The newest final block that was folded: everything up to it is known. */
  now: number
}

export type Standing<C extends Claim> = {
  place: number
  /** Oldest first; the last one is still running, was used, or was the last that there was. */
  turns: Turn[]
  holder: Claimant | null
  claim: C | null
}

/** @internal */
export const secondsOf = (days: number): number => days * 86_400

/**
 * By rule alone. A turn belongs to whoever claims in it, its last moment excluded. Where it ends unclaimed the next reserve has
 * one; of prizes free at the same moment the lowest winner number takes the first.
 */
export function turnsOf<C extends Claim>(facts: TurnFacts<C>): Standing<C>[] {
  const { drawnAt, claimDays, now } = facts
  const length = secondsOf(claimDays)
  const waiting = facts.reserves.map(
    (wallet, index): Claimant => ({ kind: 'reserve', place: index + 1, wallet }),
  )
  const turnOf = (claimant: Claimant, from: number): Turn => ({ claimant, from, until: from + length })
  const all = facts.winners
    .toSorted((a, b) => a.place - b.place)
    .map((winner) => ({
      place: winner.place,
      turns: [turnOf({ kind: 'winner', ...winner }, drawnAt)],
      isOver: false,
    }))
  type Replayed = (typeof all)[number]
  const claimIn = ({ claimant, from, until }: Turn): C | null =>
    facts.claims
      .filter(({ wallet, at }) => wallet === claimant.wallet && at >= from && at < until && at <= now)
      .sort((a, b) => a.at - b.at)[0] ?? null
  const last = ({ turns }: Replayed) => turns.at(-1) as Turn
  for (;;) {
    const [ended] = all
      .filter((one) => !one.isOver && last(one).until <= now && claimIn(last(one)) === null)
      .sort((a, b) => last(a).until - last(b).until || a.place - b.place)
    if (!ended) break
    const next = waiting.shift()
    if (next) ended.turns.push(turnOf(next, last(ended).until))
    else ended.isOver = true
  }
  return all.map((one) => ({
    place: one.place,
    turns: one.turns,
    holder: one.isOver ? null : last(one).claimant,
    claim: one.isOver ? null : claimIn(last(one)),
  }))
}
