import { type PrizePromise, promiseOf, shortest } from '../prize/promise.ts'
import type { EventContent } from './event-content.ts'

/** What follows from a content in the terms: the copies of all prizes are the winners, in order of their places. */
export function termsOfContent({ prizes }: Pick<EventContent, 'prizes'>): {
  winners: number
  prizes: PrizePromise[]
} {
  const promised = prizes.flatMap(({ kind, amount, copies }) =>
    Array.from({ length: copies }, () => promiseOf({ kind, amount })),
  )
  return { winners: promised.length, prizes: shortest(promised) }
}
