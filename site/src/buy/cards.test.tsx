import { expect, test, vi } from 'vitest'
import { now, read, tell } from '../../../e2e/lab/islands.ts'
import { after, hashOf, termsOf, wallet } from '../../../e2e/lab/told.ts'
import { TermsList } from '../shell/TermsList.tsx'
import { en } from '../texts/en.ts'
import { fill } from '../texts/index.ts'
import { $wallet } from '../wallet/wallet.ts'
import { MyTickets } from './BuyCounter.tsx'
import { $myTickets } from './my-tickets.ts'
import { PurchaseSteps } from './PurchaseSteps.tsx'
import type { Purchase } from './purchase.ts'

const words = en.purchase
const hash = hashOf(1)
const link = '0xf685b518cd… 0xf685b518cd1524…'
const purchase = (change: Partial<Purchase>): Purchase => ({
  ...{
    sentAt: 1,
    isMoved: false,
    hash,
    walletAddress: wallet,
    quantity: 33,
    amount: 9_900,
    status: 'sent',
    reason: null,
  },
  ...{ ticketNumber: null, ticketCount: 0, isInBlock: false, isTroubled: false, ...change },
})
/** Of a card that has been approved: its badge, its third and its fourth step, and what stands below them. */
const card = (change: Partial<Purchase>, part = {}) => {
  tell(part)
  const [title, badge, ...lines] = read(<PurchaseSteps purchase={purchase(change)} />)
  const steps = lines.filter((line) => !/^\d$/.test(line))
  expect([title, ...steps.slice(0, 4)]).toEqual([
    ...['Your purchase', words.approved, fill(words.approvedText, { amount: '99 USDT' }), words.sent, link],
  ])
  return [badge, ...steps.slice(4)]
}

test('a purchase that waits in the wallet', () => {
  tell()
  const approving = { quantity: 33, amount: 9_900, wallet: 'MetaMask' }
  expect(read(<PurchaseSteps approving={approving} />)).toEqual([
    ...[
      'Your purchase',
      'Approve',
      '1',
      'Approve in MetaMask',
      fill(words.approveText, { amount: '99 USDT' }),
    ],
    ...['2', words.sent, words.sentText, '3', words.waiting, words.waitingText],
    ...['4', words.issued, words.issuedText, words.nothingPaid, words.stop],
  ])
})

test('a purchase from its hash to its tickets', () => {
  const ahead = [words.issued, words.issuedText]
  expect(card({})).toEqual(['Sent', words.waiting, words.waitingText, ...ahead, words.canClose])
  expect(card({ status: 'confirming', isInBlock: true }).slice(0, 3)).toEqual([
    ...['Confirming', words.waiting, words.inBlock],
  ])
  expect(
    card({ status: 'confirming', isInBlock: true }, { config: { waitsForNode: true } }).slice(0, 3),
  ).toEqual([...['Confirming', words.waitsForNode, words.waitsForNodeText]])
  expect(card({ isTroubled: true }).at(-1)).toBe(words.troubled)
  const credited = { status: 'credited', ticketCount: 33 } as const
  const final = ['Credited', words.final, words.finalText, words.issued]
  expect(card(credited)).toEqual([...final, words.numbersFollow])
})

test('what was bought is a paper ticket first, to be shared and noted, and its steps are behind a fold', () => {
  tell({ config: { drawDate: after(now, 90) } })
  vi.setSystemTime(now)
  const bought = purchase({ status: 'credited', ticketCount: 33, ticketNumber: 1 })
  expect(read(<PurchaseSteps purchase={bought} />).slice(0, 7)).toEqual([
    ...['Your tickets', '#1–#33', '33 tickets, 99 USDT', `${link} Credited`, 'Share', 'Add to calendar'],
    words.steps,
  ])
  vi.useRealTimers()
})

test('of a purchase without a hash nobody says that it failed, and one under another hash says so', () => {
  tell()
  expect(read(<PurchaseSteps purchase={purchase({ hash: null })} />)).toEqual([
    ...['Your purchase', 'Not known', '1', words.unclear, fill(words.unclearText, { amount: '99 USDT' })],
    ...['2', words.sent, words.sentText, '3', words.waiting, words.waitingText],
    ...['4', words.issued, words.issuedText, words.unclearFoot, words.notSent],
  ])
  expect(read(<PurchaseSteps purchase={purchase({ isMoved: true })} />)).toContain(`${link} ${words.moved}`)
})

test('each reason of a rejection says what becomes of the money', () => {
  for (const [reason, { title, text }] of Object.entries(en.reasons))
    expect(card({ status: 'rejected', reason: reason as Purchase['reason'] })).toEqual([
      ...[reason === 'held' ? 'Held' : 'Rejected', title, text, words.issued, words.noTicket],
    ])
  expect(card({ status: 'rejected', reason: 'later' as Purchase['reason'] }).slice(1, 3)).toEqual([
    ...[words.rejected, words.rejectedText],
  ])
  expect(card({ status: 'not_found' }).slice(0, 3)).toEqual([
    ...['Not found', words.notFound, words.notFoundText],
  ])
})

test('what an event promises is told field by field, and as the line that a check compares', () => {
  const lines = read(<TermsList line={termsOf()} />)
  const toldAs = (name: string) => lines[lines.indexOf(name) + 1]
  const { names } = en.terms
  const values = [names.ticketPrice, names.minTickets, names.entropy, names.winners, names.drawDate].map(
    toldAs,
  )
  expect(values).toEqual(['3 USDT', '100', 'Five block hashes', '1', 'Not Set'])
  expect(lines).toContain(termsOf().trimEnd())
})

test('the tickets of the connected wallet, with what was refunded', () => {
  tell()
  const payment = (change: object) => ({
    ...{
      transactionHash: hash,
      status: 'credited',
      reason: null,
      ticketNumber: 1,
      ticketCount: 33,
      eventNumber: 1,
    },
    ...{ amount: 9_900, createdAt: '2055-01-01T11:00:00Z', refund: null, ...change },
  })
  $wallet.set({ status: 'connected', address: wallet, name: 'MetaMask', isOnBsc: true })
  const refund = { amount: 150, due: 50, transactionHash: hash }
  $myTickets.set({
    ...{ walletAddress: wallet, ticketCount: 33 },
    payments: [
      payment({}),
      payment({
        status: 'rejected',
        reason: 'underpaid',
        ticketNumber: null,
        ticketCount: 0,
        amount: 200,
        refund,
      }),
    ] as never,
  })
  const lines = read(<MyTickets />)
  expect(lines[0]).toMatch(/^My tickets/)
  expect(lines.join(' ')).toMatch(
    /#1–#33.*99 USDT.*2 USDT.*Paid back 1\.50 USDT 0xf685b518cd….*0\.50 USDT go back to 0x7099…79C8\./,
  )
})
