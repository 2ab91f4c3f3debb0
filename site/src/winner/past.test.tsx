import { expect, test } from 'vitest'
import { knows, markupOf, now, read, tell } from '../../../e2e/lab/islands.ts'
import { drawnTickets, historyAt, type Part, wallet } from '../../../e2e/lab/told.ts'
import { en } from '../texts/en.ts'
import { PastWinners } from './PastWinners.tsx'

const past = (part?: Part) => {
  if (part) tell(part)
  return read(<PastWinners />)
}
const history = historyAt(now)
const [first] = history
const only = (change: object) => past({ history: [{ ...first, prizes: [], ...change } as never] })

test('without past events it says so; before they have come it waits, and says when the server is away', () => {
  expect(past({})).toEqual(['No past winner records yet.'])
  knows({})
  expect(past()).toEqual([])
  expect(markupOf(<PastWinners />)).toContain('aria-busy="true"')
  knows({}, 'offline')
  expect(past()).toEqual([en.away.list])
})

test('the newest five events, with numbered pages, previous and next', () => {
  const lines = past({ history: [...history].reverse() })
  expect(lines.filter((line) => line.startsWith('Event #'))).toEqual(
    [12, 11, 10, 9, 8].map((number) => `Event #${number}`),
  )
  expect(lines.slice(-5)).toEqual(['Previous', '1', '2', '3', 'Next'])
  expect(past({ history: history.slice(7) })).not.toContain('Next')
})

test('an event: number, date, wallet 6 + 4, hash 8, random number 12 + 8, and its links', () => {
  expect(only({ drawDate: '2055-09-30T12:00:00Z' })).toEqual([
    ...['Event #12', 'Check', 'Home mining device'],
    '0x7099…79C8 09/30 12:00 BSC',
    '0x34ebb0… 785416607970…89806461',
  ])
  const markup = markupOf(<PastWinners />)
  for (const place of ['/e/12/', `https://bscscan.com/tx/${first?.winnerTransactionHash}`])
    expect(markup).toContain(`href="${place}"`)
})

test('N/A for what an event does not have; a random number of 20 characters is not shown', () => {
  const nothing = { winnerWallet: null, winnerTransactionHash: null, drawDate: '2055-09-30T12:00:00Z' }
  expect(only({ ...nothing, randomNumber: '7'.repeat(20) })).toEqual([
    'Event #12',
    'Home mining device',
    'N/A 09/30 12:00',
    'N/A',
    'Nobody was drawn, and all tickets have been paid back.',
  ])
  expect(only({ ...nothing, randomNumber: '7'.repeat(21) })[3]).toBe('N/A 777777777777…77777777')
})

test('an event that was refunded says how far its refunds are', () => {
  const refunds = [{ eventNumber: 10, since: '', days: 1, paid: 0, open: 4 }]
  const lines = past({ history: [history[2] as never], drawStatus: { refunds } })
  expect(lines.slice(0, 5)).toEqual([
    ...['Event #10', 'Home mining device', 'N/A 12/05 12:00', 'N/A'],
    'Refunds began 1 day ago. 0 of 4 wallets are paid in full.',
  ])
})

test('several winners and several prizes are told in a line each', () => {
  const goods = { kind: 'goods', units: null, walletAddress: wallet } as const
  const prizes = [
    { place: 1, state: 'delivered', ...goods },
    { place: 2, state: 'claimed', ...goods },
  ]
  expect(only({ winners: drawnTickets(12, 3).slice(0, 3), prizes }).slice(5)).toEqual([
    ...['All 3 winners', '1. #10331 0x7099…79C8', '2. #4288 0x2602…df00', '3. #6284 0x8d37…5561'],
    '1 of 2 delivered or paid',
  ])
  const became = (prize: object) => only({ prizes: [{ place: 1, ...goods, ...prize }] }).at(-1)
  expect(became({ state: 'unclaimed', walletAddress: null })).toBe('Never claimed')
  expect(became({ state: 'delivered', at: '2055-10-12T12:00:00Z' })).toBe('Delivered 10/12')
})
