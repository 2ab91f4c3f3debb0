import { expect, test } from 'vitest'
import { buttonsOf, knows, linesOf, markupOf, now, read, tell } from '../../../e2e/lab/islands.ts'
import { after, type Part, toldFirst, wallet, winnerAt } from '../../../e2e/lab/told.ts'
import { en } from '../texts/en.ts'
import { fill } from '../texts/index.ts'
import { $balances } from '../wallet/balances.ts'
import { $wallet } from '../wallet/wallet.ts'
import { BuySlip, oneIn, parseQuantity } from './BuySlip.tsx'
import { Payment, paymentLink } from './PhonePay.tsx'
import { $isBuying, $isHanding, $purchases, type Purchase } from './purchase.ts'

const connect = (change: object = {}) =>
  $wallet.set({ status: 'connected', address: wallet, name: 'MetaMask', isOnBsc: true, ...change })
const balances = (usdt: bigint, bnb = 10n ** 18n) =>
  $balances.set({ usdt: usdt * 10n ** 18n, bnb, fee: 10n ** 14n })
/** The button that pays with the sentence below it; a dash before a button that is off. */
const pay = () => [buttonsOf(<BuySlip />).at(-1), read(<BuySlip />).at(-2)]
const closed = (part: Part) => {
  tell(part)
  connect()
  return pay()
}
const passed = { saleEndDate: after(now, -1) }

test('the slip: wallet, quantity, price, sum, and the reason why nothing can be bought yet', () => {
  tell({ stats: { ticketsSold: 150 } })
  expect(read(<BuySlip />)).toEqual([
    ...['Wallet Not connected', 'Choose wallet', 'Balance – USDT – BNB'],
    ...['Quantity', 'Usual quantities', '1', '5', '10', '33', '100'],
    ...['Ticket Price', '3 USDT', 'Quantity', '1', 'Total Amount 3 USDT'],
    fill(en.buy.odds, { own: 1, total: 151, odds: '151' }),
    ...[en.buy.note, 'Buy Tickets', en.buy.connectFirst, en.phone.title],
  ])
  expect(buttonsOf(<BuySlip />)).toEqual([
    ...['Choose wallet', '- Decrease quantity', 'Increase quantity', '1', '5', '10', '33', '100'],
    '- Buy Tickets',
  ])
})

test('before anything is known the price is a dash and nothing can be pressed', () => {
  knows({})
  expect(read(<BuySlip />).slice(10, 15)).toEqual([
    'Ticket Price',
    '– USDT',
    'Quantity',
    '1',
    'Total Amount – USDT',
  ])
  expect(pay()).toEqual(['- Buy Tickets', en.buy.loading])
  expect(buttonsOf(<BuySlip />).filter((name) => !name.startsWith('-'))).toEqual(['Choose wallet'])
})

test('while the server is away it says that the page keeps trying, and no longer that it loads', () => {
  knows({}, 'offline')
  expect(pay()).toEqual(['- Buy Tickets', en.away.list])
})

test('a wallet that connects, that is connected, and that has left BNB Smart Chain', () => {
  tell()
  $wallet.set({ status: 'connecting', name: 'MetaMask' })
  expect([read(<BuySlip />)[0], ...pay()]).toEqual(['Wallet Connecting...', '- Buy Tickets', en.buy.answer])
  connect()
  balances(1_000n, 123_456_789_000_000_000n)
  expect(read(<BuySlip />).slice(0, 2)).toEqual(['Wallet 0x7099…79C8', 'Balance 1,000 USDT 0.1234 BNB'])
  expect(pay()).toEqual(['Buy Tickets', en.buy.oneTransfer])
  connect({ isOnBsc: false })
  expect([read(<BuySlip />)[0], ...pay()]).toEqual([
    ...['Wallet 0x7099…79C8 · other network', 'Buy Tickets', en.buy.willSwitch],
  ])
})

test('what the wallet lacks is said before anything is signed, and the button stays on', () => {
  const lack = (usdt: bigint, bnb?: bigint) => {
    tell()
    connect()
    balances(usdt, bnb)
    return pay()
  }
  const { lacks } = en.buy
  const values = { held: '2', needed: '3', fee: '0.0001' }
  expect(lack(2n)).toEqual(['Buy Tickets', fill(lacks.usdt, values)])
  expect(lack(3n, 1n)).toEqual(['Buy Tickets', fill(lacks.bnb, values)])
  expect(lack(2n, 1n)).toEqual(['Buy Tickets', fill(lacks.both, values)])
})

test('while a purchase is processed the button is off, and the sentence says whose turn it is', () => {
  tell()
  connect()
  $isBuying.set(true)
  expect(pay()).toEqual(['- Processing...', en.buy.approve])
  $isHanding.set(true)
  expect(pay()).toEqual(['- Processing...', en.buy.handing])
})

test('while nobody knows whether a payment was sent, nobody is invited to pay again', () => {
  tell()
  connect()
  $purchases.set([{ hash: null } as Purchase])
  expect(pay()).toEqual(['Buy Tickets', en.buy.unclear])
  // Also where money is missing for another one.
  balances(2n, 1n)
  expect(pay()).toEqual(['Buy Tickets', en.buy.unclear])
  $purchases.set([])
})

test('once the sale is over no quantity stands there, and the one gold thing leads on', () => {
  const over = (part: Part) => {
    expect(closed(part)[1]).toBe(en.buy.over)
    expect(buttonsOf(<BuySlip />).filter((name) => !name.startsWith('- '))).toEqual([])
    const markup = markupOf(<BuySlip />)
    expect(linesOf(markup)).toContain(en.buy.closed)
    // What is inert is not shown: it holds the place.
    const [, ...inert] = markup.split(' inert=""')
    expect(inert.map((held) => held.includes('id="quantity"'))).toEqual([true])
    return [...markup.matchAll(/<a class="button gold large" href="(.*?)">(.*?)<\/a>/g)].map(
      ([, href, name]) => [href, name],
    )
  }
  expect(over({ config: passed })).toEqual([['#winner', 'See when it is drawn']])
  expect(over({ config: passed, winner: winnerAt(now) })).toEqual([['#winner', 'See the result']])
  expect(over({ config: { isRefundMode: true } })).toEqual([['#next', 'Next Event']])
})

test('a sale in which a payment is still being approved stays as it is until the wallet has answered', () => {
  tell({ config: passed })
  connect()
  $isBuying.set(true)
  expect(pay()).toEqual(['- Processing...', en.buy.approve])
})

test('a sale that is paused or not begun says so, and nothing can be bought', () => {
  expect(closed({ config: { salesPaused: true } })).toEqual(['- Buy Tickets', en.buy.paused])
  expect(closed({ config: { salesPaused: true, waitsForNode: true } })).toEqual([
    ...['- Buy Tickets', en.buy.pausedForNode],
  ])
  expect(closed({ config: { isSoon: true } })).toEqual(['- Buy Tickets', en.buy.soon])
})

test('the last two minutes of a sale, an event without a wallet, and rules that are not known yet', () => {
  expect(closed({ config: { saleEndDate: after(now, 90) } })).toEqual(['Buy Tickets', en.buy.closing])
  expect(closed({ config: { operatorWallet: null } })).toEqual([
    ...['Buy Tickets', 'Operator wallet address is not configured.'],
  ])
  expect(closed({ rules: { closedCountries: ['KR'] } })).toEqual(['- Buy Tickets', en.buy.loading])
})

test('a token that this page was not built with stops every payment', () => {
  expect(closed({ config: { tokenAddress: `0x${'66'.repeat(20)}` } })).toEqual([
    '- Buy Tickets',
    en.buy.swapped,
  ])
})

test('below the minimum it tells how many a draw needs', () => {
  tell({ stats: { ticketsSold: 7 } })
  expect(read(<BuySlip />)).toContain('With these, 8 of the 100 tickets that a draw needs are sold.')
})

test('from a phone the same is paid, and nothing while nothing is sold', () => {
  const { config } = toldFirst(now)
  const phone = (change: object) =>
    read(<Payment quantity={33} price={3} {...{ config, isOpen: true, instead: undefined, ...change }} />)
  expect(phone({})).toEqual([
    fill(en.phone.text, { amount: '99 USDT', tickets: '33 tickets' }),
    ...[en.phone.hint, en.phone.open],
  ])
  const none = [en.phone.none]
  expect(phone({ isOpen: false })).toEqual(none)
  expect(phone({ config: { ...config, operatorWallet: null } })).toEqual(none)
  expect(phone({ config: { ...config, tokenAddress: `0x${'66'.repeat(20)}` } })).toEqual(none)
  expect(phone({ instead: 'Not here.' })).toEqual(['Not here.'])
})

test('odds are one in all tickets divided by my tickets', () => {
  expect([oneIn(1, 1), oneIn(1, 213), oneIn(33, 213), oneIn(1, 1_234_567), oneIn(9, 10)]).toEqual([
    ...['1', '213', '6.5', '1,234,567', '1.1'],
  ])
})

test('a wallet reads token, chain, recipient and exact units', () => {
  const token = '0x55d398326f99059fF775485246999027B3197955'
  const to = '0x70997970C51812dc3A010C7d01b50e0d17dc79C8'
  expect(paymentLink(token, 56, to, 99n * 10n ** 18n)).toBe(
    `ethereum:${token}@56/transfer?address=${to}&uint256=99000000000000000000`,
  )
})

test('a quantity: accepts whole numbers from 1', () => {
  expect(['1', '33', ' 7 ', '007', '10000000000'].map(parseQuantity)).toEqual([1, 33, 7, 7, 10_000_000_000])
})

test('a quantity: ignores everything else', () => {
  const texts = ['', '0', '-1', '2.5', '1e3', 'abc', '0x10', '١', '99999999999', '1 000', 'NaN', 'Infinity']
  expect(texts.map(parseQuantity)).toEqual(texts.map(() => undefined))
})
