import { expect, test } from 'vitest'
import { register } from '../../../core/chain/register.ts'
import { encodeAnchor } from '../../../core/draw/anchor.ts'
import { claimCommitment } from '../../../core/prize/claim.ts'
import { buttonsOf, markupOf, now, read, tell } from '../../../e2e/lab/islands.ts'
import { other, type Part, prizesAt, toldFirst, wallet, winnerAt } from '../../../e2e/lab/told.ts'
import { en } from '../texts/en.ts'
import { fill } from '../texts/index.ts'
import { $wallet } from '../wallet/wallet.ts'
import { PrizeRecords } from './PrizeRecord.tsx'
import { HiddenWinner, WinnerBoard } from './WinnerBoard.tsx'
import { WinnerClaim } from './WinnerClaim.tsx'

const { states, several } = prizesAt(now)
const { config } = toldFirst(now)
const told = (part: Part = {}) =>
  tell({ winner: winnerAt(now), config: { googleFormUrl: 'https://forms.gle/1' }, ...part })
const connect = (address: typeof wallet | typeof other) =>
  $wallet.set({ status: 'connected', address, name: 'MetaMask', isOnBsc: true })

/** The card of the claim as far as the way without this site. */
function card(): string[] {
  const lines = read(<WinnerBoard />)
  const titles: string[] = [en.claim.own, en.claim.ask, ...Object.values(en.holding)]
  const begin = lines.findIndex((line) => titles.includes(line))
  const ends: string[] = [en.byChain.title, en.prize.record.one]
  const end = lines.findIndex(
    (line, at) => at > begin && (ends.includes(line) || line.startsWith('Event no.')),
  )
  return begin < 0 ? [] : lines.slice(begin, end)
}

test('whose wallet it may be is asked to connect; the form is offered only where a URL is configured', () => {
  told({ prizes: [states.unclaimed] })
  const asked = ['Is this your wallet?', en.claim.text, 'Connect to sign']
  expect(card()).toEqual([...asked, 'Submit Shipping Information Opens forms.gle'])
  for (const googleFormUrl of [null, 'http://forms.gle/1', 'no address']) {
    told({ prizes: [states.unclaimed], config: { googleFormUrl } })
    expect(card()).toEqual(asked)
  }
})

test('another wallet reads whose prize it is, and has nothing to sign', () => {
  told({ prizes: [states.unclaimed] })
  connect(other)
  const notYours = fill(en.claim.notYours, { connected: '0x3C44…93BC', winner: '0x7099…79C8' })
  expect(card()).toEqual(['Is this your wallet?', notYours, 'Submit Shipping Information Opens forms.gle'])
})

test.each([
  [
    'reserve',
    [
      en.holding.reserve,
      en.holding.reserveText,
      'Claim it by January 13, 2055 at 12:00 PM UTC.',
      en.claim.sign,
    ],
  ],
  ['claimed', [en.claim.own, en.holding.claimedText, en.holding.again]],
  ['sent', [en.holding.sent, en.holding.sentText, en.holding.again]],
  ['delivered', [en.holding.delivered, en.holding.deliveredText]],
] as const)(
  'the holder of a prize that is %s reads what to do, and can sign where there is something to',
  (name, lines) => {
    told({ prizes: [states[name]], config: { googleFormUrl: null } })
    connect(other)
    expect(card()).toEqual(lines)
    expect(buttonsOf(<WinnerBoard />).filter((name) => name.startsWith('-'))).toEqual([])
  },
)

test('the winner of a prize in USDT has nothing to do', () => {
  told({ prizes: [states.due] })
  connect(wallet)
  expect(card()).toEqual([en.holding.token, fill(en.holding.tokenText, { amount: '500' })])
  told({ prizes: [states.paid] })
  connect(wallet)
  expect(card()).toEqual([en.holding.token, fill(en.holding.paidText, { amount: '500' })])
})

test('it can be claimed without this site: by an anchor from the wallet whose turn it is', () => {
  const book = `0x${'b0'.repeat(32)}` as const
  told({ prizes: [states.unclaimed], config: { book } })
  const lines = read(<WinnerBoard />)
  const data = encodeAnchor(book, states.unclaimed.eventNumber, claimCommitment)
  expect(lines.slice(lines.indexOf(en.byChain.title), lines.indexOf(en.prize.record.one))).toEqual([
    ...[en.byChain.title, en.byChain.text, en.byChain.contract, register.address, 'Copy'],
    ...[en.byChain.data, data, 'Copy'],
  ])
})

test('a prize of a past event is claimed in its record, without the form of the event that runs now', () => {
  told({ winner: null })
  connect(other)
  const past = <WinnerClaim prizes={[{ ...states.reserve, eventNumber: 12 }]} config={config} isPast />
  expect(read(past).slice(0, 4)).toEqual([
    ...[en.holding.reserve, en.holding.reserveText, 'Claim it by January 13, 2055 at 12:00 PM UTC.'],
    en.claim.sign,
  ])
  expect(markupOf(past)).toContain('aria-label="It is your turn (event 12)"')
})

test('though the winners are hidden, whoever holds a prize claims it, and nobody is told whose it is', () => {
  const drawStatus = { isWinnerHidden: true }
  const hidden = () => read(<HiddenWinner config={config} />)
  tell({ drawStatus, prizes: [{ ...states.unclaimed, eventNumber: 1 }] })
  connect(other)
  expect(hidden()).toEqual([en.winner.hidden, en.winner.hiddenFromOthers])
  tell({ drawStatus, prizes: [{ ...states.reserve, eventNumber: 1 }] })
  connect(other)
  expect(hidden().slice(0, 3)).toEqual([en.winner.hidden, en.holding.reserve, en.holding.reserveText])
  expect(hidden()).toContain('Sign claim')
})

test('each state of a prize is told step by step, with its days and its transaction', () => {
  const record = (name: keyof typeof states) => read(<PrizeRecords prizes={[states[name]]} />)
  expect(record('corrected')).toEqual([
    ...['Prize to be sent', 'Claimed', 'Reserve 1, 0x3C44…93BC', 'Steps'],
    ...['Drawn', 'November 14, 2054 at 12:00 PM UTC 0x7099…79C8'],
    ...['Turn of a reserve 30 days later', 'December 14, 2054 at 12:00 PM UTC 0x3C44…93BC'],
    'Claimed 6 days later',
    'December 20, 2054 at 12:00 PM UTC 0x3C44…93BC 0x5261aa62f1… 0x5261aa62f1d2c3…',
    ...['Shipped 3 days later', 'December 23, 2054 at 12:00 PM UTC 0x3C44…93BC'],
    ...['Not shipped after all 2 days later', 'December 25, 2054 at 12:00 PM UTC 0x3C44…93BC'],
    'The operator: The carrier sent the parcel back.',
    ...['6', 'Shipping', en.prize.aheadText.sent, '7', 'Delivery', en.prize.aheadText.delivered],
  ])
  const heads = Object.keys(states).map((name) => record(name as keyof typeof states).slice(0, 3))
  expect(heads).toEqual([
    ['Prize to be sent', 'Not claimed yet', 'Winner 1, 0x7099…79C8'],
    ['Prize to be sent', 'Not claimed yet', 'Reserve 1, 0x3C44…93BC'],
    ['Prize to be sent', 'Claimed', 'Reserve 1, 0x3C44…93BC'],
    ['Prize to be sent', 'Shipped', 'Reserve 1, 0x3C44…93BC'],
    ['Prize to be sent', 'Claimed', 'Reserve 1, 0x3C44…93BC'],
    ['Prize to be sent', 'Delivered', 'Reserve 1, 0x3C44…93BC 44 days after the draw'],
    ['Prize to be sent', 'Never claimed', en.prize.nobody],
    ['500 USDT', 'To be paid', 'Winner 1, 0x7099…79C8'],
    ['500 USDT', 'Paid', 'Winner 1, 0x7099…79C8 2 days after the draw'],
  ])
})

test('of several prizes each has its place, its kind and its standing', () => {
  const lines = read(<PrizeRecords prizes={several} />)
  const heads = lines.flatMap((line, at) => (/^Prize \d/.test(line) ? [lines.slice(at, at + 3)] : []))
  expect(heads).toEqual([
    ['Prize 1', 'Prize to be sent Not claimed yet', 'Winner 1, 0x7099…79C8'],
    ['Prize 2', '500 USDT To be paid', 'Winner 2, 0x7099…79C8'],
    ['Prize 3', 'Prize to be sent Delivered', 'Reserve 1, 0x3C44…93BC 44 days after the draw'],
  ])
})
