import { expect, test } from 'vitest'
import type { PublicEventSettings } from '../../../core/live/public.ts'
import { knows, markupOf, read, tell } from '../../../e2e/lab/islands.ts'
import { en } from '../texts/en.ts'
import { NextEventCard } from './NextEventCard.tsx'

const next = (eventSettings: Partial<PublicEventSettings>) => {
  tell({ eventSettings })
  return read(<NextEventCard />)
}
const nothing = [
  ...[en.next.noImage, 'Next event details will be announced soon...', 'Prize value', 'TBA'],
  ...['Status', 'Coming Soon', en.next.separate],
]

test('of an event that nobody has announced: a placeholder, TBA, Coming Soon', () => {
  knows({})
  expect(read(<NextEventCard />)).toEqual(nothing)
  expect(next({})).toEqual(nothing)
  expect(next({ prizeImageUrl: '  ', prizeDescription: ' ', prizeValue: ' ' })).toEqual(nothing)
  expect(en.next.separate).toMatch(/^This event is separate from the current raffle\./)
})

test('of one that is announced: picture, description, value with its $, Active, start', () => {
  const announced = {
    ...{ prizeImageUrl: '/media/miner.png', prizeDescription: 'A second miner', prizeValue: '3,200' },
    ...{ eventStartDate: '2055-09-30T12:00:00Z', isActive: true },
  }
  expect(next(announced)).toEqual([
    ...['A second miner', 'Prize value', '$3,200', 'Status', 'Active'],
    ...['Event start', 'September 30, 2055 at 12:00 PM UTC', en.next.separate],
  ])
  expect(markupOf(<NextEventCard />)).toContain('src="/media/miner.png"')
  expect(next({ ...announced, prizeValue: '$3,200' })[2]).toBe('$3,200')
})

test('of an uploaded picture the browser gets the narrower ones to choose from, of another one none', () => {
  const picture = (prizeImageUrl: string) => {
    next({ prizeImageUrl })
    return /srcSet="([^"]*)"/i.exec(markupOf(<NextEventCard />))?.[1]
  }
  const url = `/api/uploads/${'a'.repeat(32)}`
  expect(picture(`${url}.jpg`)).toBe(`${url}-480.webp 480w, ${url}-1200.webp 1200w`)
  expect(picture('/media/miner.png')).toBeUndefined()
})
