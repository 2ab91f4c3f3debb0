import { beforeEach, expect, test } from 'vitest'
import { refundCauses } from '../../../core/refund/rules.ts'
import { knows, markupOf, now, read, tell } from '../../../e2e/lab/islands.ts'
import {
  after,
  beaconState,
  beaconStates,
  day,
  drawnTickets,
  historyAt,
  type Part,
  winnerAt,
} from '../../../e2e/lab/told.ts'
import { en } from '../texts/en.ts'
import { CheckPanel } from './CheckPanel.tsx'
import { chooseEvent } from './check.ts'
import { WinnerBoard } from './WinnerBoard.tsx'

const board = (part?: Part) => {
  if (part) tell(part)
  return read(<WinnerBoard />)
}
const drawDate = '2055-09-30T12:00:00.000Z'
const passed = { drawDate: after(now, -90), saleEndDate: after(now, -day) }
const schedule = (date: string) => ['Draw schedule', date]
const source = ['Source of the draw', 'Five block hashes']

beforeEach(() => tell())

test('without a date the draw is scheduled, and its date is TBD', () => {
  expect(board({})).toEqual(['Draw Scheduled', en.winner.scheduledText, ...schedule('TBD'), ...source])
})

test('with a date the draw is scheduled for it, in UTC', () => {
  expect(board({ config: { drawDate } })).toEqual([
    ...['Draw Scheduled', en.winner.scheduledText],
    ...schedule('September 30, 2055 at 12:00 PM UTC'),
    ...source,
  ])
})

test('after the date the draw is awaited, and while it runs it is in progress', () => {
  const date = schedule('January 1, 2055 at 11:58 AM UTC')
  expect(board({ config: passed })).toEqual(['Awaiting Draw', en.winner.awaitingText, ...date, ...source])
  expect(board({ config: passed, drawStatus: { isDrawing: true } })).toEqual([
    ...['Draw in progress', en.winner.drawingText, ...date, ...source],
  ])
})

test('while nothing is known the board waits, and with the server away it says so', () => {
  knows({})
  expect(board()).toEqual([])
  expect(markupOf(<WinnerBoard />)).toContain('aria-busy="true"')
  knows({}, 'offline')
  expect(board()).toEqual([en.away.title, en.away.text])
})

test('in refund mode the notice names the cause, and the source of a draw that is not to come is gone', () => {
  const why = refundCauses.map((refundReason) => {
    const refund = { isRefundMode: true, refundReason }
    const [title, text = '', ...rest] = board({ config: { ...passed, ...refund }, drawStatus: refund })
    expect([title, rest]).toEqual(['Refund Notice', schedule('January 1, 2055 at 11:58 AM UTC')])
    return text
  })
  const full = 'Full refunds go to the sending addresses, within 3-5 business days.'
  expect(why[0]).toBe(`Refund processing due to insufficient minimum ticket quantity. ${full}`)
  expect(why).toEqual(refundCauses.map((cause) => `${en.refundWhy[cause]}. ${full}`))
  const stopped = { isRefundMode: true, refundReason: 'stopped' } as const
  expect(board({ config: stopped, drawStatus: stopped }).slice(-2)).toEqual(schedule('N/A'))
})

test('while somebody is not paid yet the notice says how far the refunds are', () => {
  const refund = { isRefundMode: true, refundReason: 'minimum' } as const
  const open = { eventNumber: 1, since: drawDate, days: 3, paid: 1_228, open: 12 }
  const line = (part: object) =>
    board({ config: refund, drawStatus: { ...refund, refunds: [part as never] } })
  expect(line(open)).toContain('Refunds began 3 days ago. 1,228 of 1,240 wallets are paid in full.')
  expect(line({ ...open, days: 0, paid: 0 })).toContain(
    'Refunds began today. 0 of 12 wallets are paid in full.',
  )
  expect(line({ ...open, eventNumber: 2 })).toHaveLength(4)
})

test('the winner: wallet 6 + 4, ticket hash with its button, number, schedule and time of the announcement', () => {
  const lines = board({ winner: winnerAt(now), history: historyAt(now), config: { drawDate } })
  expect(lines).toEqual([
    'Event no. 13, winning ticket #10331',
    '0x7099…79C8',
    ...schedule('September 30, 2055 at 12:00 PM UTC'),
    ...['Announced at', 'January 1, 2055 at 11:59 AM UTC', 'Ticket hash', '0xf685b518…', 'View on BSC'],
    `Random number ${winnerAt(now).randomNumber}`,
  ])
  expect(board({ winner: { ...winnerAt(now), randomNumber: '', announcedAt: '' } })).toEqual([
    ...lines.slice(0, 2),
    ...schedule('TBD'),
    ...['Announced at', 'TBD', 'Ticket hash', '0xf685b518…', 'View on BSC'],
  ])
  expect(markupOf(<WinnerBoard />)).toContain(
    `href="https://bscscan.com/tx/${winnerAt(now).transactionHash}"`,
  )
})

test('in refund mode the winner keeps the ticket, and refund information stands in place of the instructions', () => {
  const lines = board({
    winner: winnerAt(now),
    config: { googleFormUrl: 'https://forms.gle/1', isRefundMode: true },
  })
  expect(lines.at(-1)).toBe(`${en.winner.refundInfo} ${en.winner.refundInfoText}`)
  expect(lines.at(-1)).toMatch(/full to the address it came from, within 3-5 business days/)
  expect(lines).not.toContain(en.claim.ask)
})

test('several winners: the first on the gold ticket, the others and the reserves below', () => {
  const lines = board({ winner: winnerAt(now), winners: drawnTickets(13, 3) })
  expect(lines[0]).toBe('Event no. 13, winning ticket #10331 Winner 1 of 3')
  expect(lines.filter((line) => /^(All|Winner|Reserve|\d+ reserve)/.test(line))).toEqual([
    ...['All 3 winners', 'Winner 2', 'Winner 3', '3 reserves'],
    ...['Reserve 1 0x47f4…aed1 #1883', 'Reserve 2 0xf354…e6ae #6469', 'Reserve 3 0x74b7…c63c #3521'],
  ])
  expect(lines).toContain(en.winners.reservesText)
})

test('a hidden winner is awaited again, and whoever holds a prize is asked to connect', () => {
  const lines = board({ config: passed, drawStatus: { isWinnerHidden: true } })
  expect(lines.slice(0, 2)).toEqual(['Awaiting Draw', en.winner.awaitingText])
  expect(lines.slice(-2)).toEqual([en.winner.hidden, en.claim.connect])
})

test('a draw that takes a round of drand names the round, then shows the blocks, then waits for it', () => {
  const { beacon } = en
  const round = 'Round 34,441,032'
  const lines = Object.fromEntries(
    beaconStates.map(([name, state, ahead]) => [name, board(beaconState(now, state, ahead))]),
  )
  expect(lines.named?.slice(0, 3)).toEqual(['Draw Scheduled', en.winner.scheduledText, beacon.named])
  expect(lines.settling?.slice(0, 3)).toEqual(['Awaiting Draw', beacon.settling, `${round} in 59 s`])
  expect(lines.waiting?.slice(0, 5)).toEqual([
    ...['Awaiting Draw', beacon.waiting, `${round} in 43 s`, '124045345', '0x61f9718f…880653d4'],
  ])
  expect(lines.waiting?.slice(13, 15)).toEqual([beacon.blockSeed, '0x701f17fe…adc58373'])
  expect(lines.late?.slice(1, 3)).toEqual([beacon.late, round])
  expect(lines.found?.slice(1, 3)).toEqual([beacon.found, round])
  for (const shown of Object.values(lines))
    expect(shown.at(-1)).toBe('Five block hashes and round 34,441,032 of drand')
})

test('before a check the panel says what it is for, and gives no verdict', () => {
  chooseEvent(1)
  const lines = read(<CheckPanel />)
  expect(lines[0]).toBe('Check that nobody chose it.')
  expect(lines.join()).not.toContain('Verified')
})
