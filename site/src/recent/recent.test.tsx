import { expect, test } from 'vitest'
import type { PurchaseReport } from '../../../core/live/public.ts'
import { knows, linesOf, markupOf, now, read, tell } from '../../../e2e/lab/islands.ts'
import { hashOf, type Part, recentAt, wallet } from '../../../e2e/lab/told.ts'
import { en } from '../texts/en.ts'
import { $lookup, FindPayment } from './FindPayment.tsx'
import { RecentList } from './RecentList.tsx'

const hash = hashOf(1)

test('while the list loads it has four skeleton rows and no text', () => {
  knows({})
  expect(read(<RecentList />)).toEqual([])
  expect(markupOf(<RecentList />).match(/data-skeleton/g)).toHaveLength(4)
})

test('without a purchase it invites to the first one', () => {
  tell()
  expect(read(<RecentList />)).toEqual([
    ...['No tickets purchased yet.', 'Try buying your first raffle ticket!', en.recent.counter],
  ])
})

test('a row: # and ticket number, hash in 12 and 16 characters, time since, USDT without decimals, tickets', () => {
  tell({ recent: recentAt(now) })
  const lines = read(<RecentList />)
  expect(lines).toHaveLength(12)
  expect(lines.slice(0, 6)).toEqual([
    '#11364 0x34ebb03c98… 0x34ebb03c9877d4… 7 seconds ago 99 USDT 33 tickets',
    '#10331 0xf685b518cd… 0xf685b518cd1524… 1 minute ago 99 USDT 33 tickets',
    '#9298 0x0d2b4d837a… 0x0d2b4d837a87d9… 9 minutes ago 99 USDT 33 tickets',
    '#8265 0xce83c74ee3… 0xce83c74ee325f0… 29 minutes ago 37,035 USDT 12,345 tickets',
    '#7232 0x00d523f7a0… 0x00d523f7a002b3… 1 hour ago 99 USDT 33 tickets',
    '#6199 0x03a0c93216… 0x03a0c932166cd2… 2 hours ago 3 USDT 1 ticket',
  ])
  tell({
    recent: recentAt(now)
      .slice(0, 1)
      .map((row) => ({ ...row, amount: 350, ticketCount: 1 })),
  })
  expect(read(<RecentList />)[0]).toMatch(/ 3 USDT 1 ticket$/)
})

test('a hash opens its transaction on the block explorer, in a new tab', () => {
  tell({ recent: recentAt(now).slice(1, 2) })
  expect(markupOf(<RecentList />)).toContain(
    `href="https://bscscan.com/tx/${hash}" target="_blank" rel="noreferrer"`,
  )
})

/** What is answered to a hash that was looked up. */
function answer(report: Partial<PurchaseReport> | undefined, part: Part = {}): string[] {
  tell(part)
  const received: PurchaseReport = { transactionHash: hash, status: 'received', reason: null, payments: [] }
  const whole = { ...received, ...report }
  $lookup.set({ state: 'asking', report: report && whole, isTroubled: false })
  return read(<FindPayment />).slice(4)
}
const payment = (change: object) =>
  ({
    payments: [
      {
        ...{ walletAddress: wallet, status: 'confirming', reason: null, ticketNumber: null },
        ...{ ticketCount: 0, amount: 900, refund: null, ...change },
      },
    ],
  }) as Partial<PurchaseReport>

test('a payment that is looked up: not a hash, asked for, unknown, refused', () => {
  const { find } = en
  tell()
  expect(read(<FindPayment />)).toEqual([find.title, find.label, find.button, find.hint])
  $lookup.set({ state: 'invalid' })
  expect(read(<FindPayment />).slice(3)).toEqual([find.invalid])
  expect(answer(undefined)).toEqual(['Asking', find.looking])
  expect(answer({ status: 'not_found' })).toEqual(['Not found', find.unknown])
  expect(answer({ status: 'rejected', reason: 'no_transfer' })).toEqual([
    ...['Rejected', en.reasons.no_transfer.text],
  ])
  $lookup.set({ state: 'asking', report: undefined, isTroubled: true })
  expect(read(<FindPayment />).slice(4)).toEqual(['Asking', find.troubled])
  $lookup.set({ state: 'refused', text: find.refused })
  // The server's own sentence, in the page's language already.
  expect(linesOf(markupOf(<FindPayment />)).slice(4)).toEqual([find.refused])
})

test('a payment that is found: not final yet, waiting for a second node, counted, late with its refund', () => {
  const nine = '0x7099…79C8, 9 USDT'
  expect(answer(payment({}))).toEqual([`Confirming ${nine}`, en.find.confirming])
  expect(answer(payment({}), { config: { waitsForNode: true } })).toEqual([
    ...[`Confirming ${nine}`, `${en.purchase.waitsForNode}. ${en.purchase.waitsForNodeText}`],
  ])
  const credited = { status: 'credited', ticketNumber: 7, ticketCount: 3 }
  expect(answer(payment(credited))).toEqual([`Credited ${nine}`, 'Tickets #7–#9, counted.'])
  expect(answer(payment({ ...credited, ticketCount: 1 }))[1]).toBe('Ticket #7, counted.')
  const refund = { amount: 0, due: 900, transactionHash: null }
  expect(answer(payment({ status: 'rejected', reason: 'late', refund }))).toEqual([
    ...[`Rejected ${nine}`, en.reasons.late.text, '9 USDT go back to 0x7099…79C8.'],
  ])
})
