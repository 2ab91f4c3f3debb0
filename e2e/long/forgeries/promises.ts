// @ts-nocheck: written for another line of terms
import type { TermsField } from '../../../core/event/terms.ts'
import { ownWalletsSha256 } from '../../../core/event/terms.ts'
import { renumbered } from '../../lab/forged-proof.ts'
import { type Case, casesOf, datedEarlier, noted } from './case.ts'
import { termsWith } from './terms.ts'
import type { World } from './world.ts'

const stranger = `0x${'ee'.repeat(20)}` as const

/** Terms that were others while tickets were sold, and lists that are not what was paid. */
export async function promiseCases(world: World): Promise<Case[]> {
  const { honestly, edited, fitted, relisted } = casesOf(world)
  const { lines } = world
  const { plain, drand, unanchored } = world.honest
  const moved = (date: string, seconds: number) => new Date(Date.parse(date) + seconds * 1000).toISOString()
  /** What the buyer was promised is not what the proof says. */
  const promised = (field: TermsField, value: string, event: 'plain' | 'drand' | 'several' = 'plain') =>
    edited(
      `another ${field} than was promised (${event}: ${value.slice(0, 12)})`,
      'terms',
      event,
      {},
      {
        kept: [noted(termsWith(world.honest[event].terms, { [field]: value }))],
      },
    )
  const saleEnd = Date.parse(plain.saleEndDate) / 1000
  const undated = { saleEnd: 'none', drawDate: 'none', drawBy: 'none' } as const
  const withMinimum = (minTickets: string) => ({ terms: termsWith(plain.terms, { minTickets }) })
  const payer = (line = '') => line.split(',')[3] as `0x${string}`
  const own = (address: `0x${string}`) => {
    const list = [{ address, since: new Date(plain.saleStart) }]
    return {
      ownWallets: [{ address, since: plain.saleStart }],
      terms: termsWith(plain.terms, { ownWalletsSha256: `${ownWalletsSha256(list)}` }),
    }
  }
  const last = lines.at(-1) as string
  const [first = 0, count = 0] = last.split(',').map(Number)
  const oneMore = (change: (rest: string[]) => string[]) => [
    ...lines,
    [first + count, ...change(last.split(',').slice(1))].join(','),
  ]
  return [
    await fitted('a token of the operator', 'terms', 'plain', { token: stranger }, { kept: [] }),
    await fitted('another chain', 'terms', 'plain', { chainId: 97 }, { kept: [] }),
    await fitted('another wallet', 'terms', 'plain', { operatorWallet: stranger }),
    await fitted(
      'another wallet that nobody noted',
      'receipts',
      'plain',
      { operatorWallet: stranger },
      { kept: [] },
    ),
    await fitted('another event', 'terms', 'plain', { eventNumber: 99 }),
    edited('another event than was asked for', 'terms', 'plain', {}, { args: ['--event', '7'] }),
    await fitted('another price', 'terms', 'plain', { ticketPrice: `${10n ** 18n}` }),
    edited('a price that its own terms do not have', 'terms', 'plain', { ticketPrice: `${10n ** 18n}` }),
    await fitted('an earlier sale start', 'terms', 'plain', { saleStart: moved(plain.saleStart, -60) }),
    await fitted('an earlier sale end', 'terms', 'plain', { saleEndDate: moved(plain.saleEndDate, -20) }),
    await fitted('a draw date that is 11 seconds later', 'terms', 'plain', {
      drawDate: moved(plain.drawDate, 11),
    }),
    await fitted(
      'a later draw date that nobody noted',
      'draw-block',
      'plain',
      { drawDate: moved(plain.drawDate, 11) },
      { kept: [] },
    ),
    await fitted(
      'an earlier draw date that nobody noted',
      'draw-block',
      'plain',
      { drawDate: moved(plain.drawDate, -3) },
      { kept: [] },
    ),
    await fitted('a higher minimum', 'terms', 'plain', withMinimum('20')),
    await fitted('fewer tickets than the minimum', 'terms', 'plain', withMinimum('100000'), { kept: [] }),
    promised('autoDraw', 'false'),
    promised('entropy', 'blocks+drand'),
    promised('entropy', 'blocks', 'drand'),
    promised('winners', '3'),
    promised('winners', '1', 'several'),
    promised('claimDays', '90'),
    promised('contentSha256', `0x${'cd'.repeat(32)}`),
    promised('maxTickets', '100'),
    promised('saleStart', '7'),
    edited(
      'a draw date that was moved after the sale end',
      'terms',
      'plain',
      {},
      { kept: [{ ...noted(datedEarlier(plain.terms, 100)), toldUntil: saleEnd - 100 }] },
    ),
    edited(
      'a draw date that was brought forward to before it was told',
      'terms',
      'plain',
      {},
      { kept: [{ ...noted(datedEarlier(plain.terms, -100)), toldUntil: saleEnd }] },
    ),
    edited(
      'a draw date that was set to before it was told',
      'terms',
      'plain',
      {},
      { kept: [{ ...noted(termsWith(plain.terms, undated)), toldUntil: saleEnd }] },
    ),
    edited(
      'a minimum that was lowered after the sale end',
      'terms',
      'plain',
      {},
      { kept: [{ ...noted(termsWith(plain.terms, { minTickets: '20' })), toldUntil: saleEnd }] },
    ),
    edited('terms that are no line', 'terms', 'plain', {}, { kept: [noted('anything\n')] }),
    edited('a date by when it is drawn that follows from no rule', 'terms', 'plain', {
      terms: termsWith(plain.terms, { drawBy: '1' }),
    }),
    edited('own wallets that its terms do not name', 'terms', 'plain', {
      ownWallets: [{ address: stranger, since: plain.saleStart }],
    }),
    await fitted(
      'a buyer who is called an own wallet after he paid',
      'terms',
      'plain',
      own(payer(lines[1])),
      { kept: [{ ...noted(plain.terms), ownUntil: Date.parse(plain.drawDate) / 1000 }] },
    ),
    await fitted('another wallet for anchors than was anchored', 'anchor', 'plain', {
      terms: termsWith(plain.terms, { anchorWallet: stranger }),
    }),
    await fitted('an entropy that its terms do not have', 'terms', 'drand', {
      terms: termsWith(drand.terms, {
        entropy: 'blocks',
        drawBy: `${Date.parse(drand.drawDate) / 1000 + 604_800}`,
      }),
    }),

    await relisted('a list without a buyer', 'completeness', lines.slice(0, -1)),
    await relisted('a list without the first buyer', 'completeness', renumbered(lines.slice(1))),
    await relisted(
      'a buyer who is left out as an own wallet that has a line',
      'receipts',
      lines,
      own(payer(lines[1])),
      { kept: [] },
    ),
    await relisted(
      'a payment that nobody made',
      'receipts',
      oneMore(([tickets = '', , ...rest]) => [tickets, `0x${'12'.repeat(32)}`, ...rest]),
    ),
    await relisted(
      'a friend in the transaction of a buyer',
      'receipts',
      oneMore(([tickets = '', hash = '', , ...rest]) => [tickets, hash, stranger, ...rest]),
    ),
    await relisted('a friend in the place of a buyer', 'receipts', [
      ...lines.slice(0, -1),
      last.replace(payer(last), stranger),
    ]),
    await relisted('another amount', 'receipts', [
      ...lines.slice(0, -1),
      last.replace(',6000000000000000000,', ',6000000000000000001,'),
    ]),
    await relisted(
      'a line twice',
      'completeness',
      oneMore((rest) => rest),
    ),
    honestly('what a browser kept of all events', 'plain', 'verified', {
      kept: [noted(drand.terms), noted(plain.terms), noted(unanchored.terms)],
    }),
    edited('what a browser kept of other events alone', 'terms', 'plain', {}, { kept: [noted(drand.terms)] }),
    await relisted('a payment of another block', 'receipts', [
      ...lines.slice(0, -1),
      last.replace(/,(\d+),(\d+)$/, (_, block, index) => `,${Number(block) + 1},${index}`),
    ]),
  ]
}
