import { expect, test } from 'vitest'
import { markupOf, now, read, tell } from '../../../e2e/lab/islands.ts'
import { covers } from '../../../e2e/lab/told-money.ts'
import { en } from '../texts/en/index.ts'
import { fill } from '../texts/fill.ts'
import { HeldAndOwed } from './HeldAndOwed.tsx'

const { cover } = en
const states = covers(now)
type Name = keyof typeof states
const lines = (name: Name) => {
  tell({ solvency: states[name] })
  return read(<HeldAndOwed />)
}
const at = fill(cover.at, { block: '124,045,349', date: '{date}' })
const figures = ['Held', '41,320.50 USDT', 'Owed', '37,131 USDT', 'More than owed', '4,189.50 USDT']
const dashes = ['Held', '– USDT', 'Owed', '– USDT', 'More than owed', '– USDT'].map((line) =>
  line.replace(' USDT', ''),
)

test('covered: what is held, owed and left, the lowest point, and what it does not prove', () => {
  const found = lines('covered')
  const transaction = '0x180689e36a… 0x180689e36a2e6d…'
  const lowest = { amount: '1,200', date: 'December 30, 2054 at 12:00 PM UTC', transaction }
  expect(found.slice(0, 11)).toEqual([
    ...['Held and owed', 'Covered', ...figures, fill(cover.lowest, lowest)],
    `${cover.not} ${fill(at, { date: 'January 1, 2055 at 11:59 AM UTC' })}`,
    cover.noOthers,
  ])
  const { parts, owedFor, owedParts, sentOut, outflow } = cover
  expect(found.slice(11)).toEqual([
    ...[parts, 'Held in 2 wallets', '0x7099…79C8', '40,000', '0x3C44…93BC', '1,320.50'],
    ...[
      owedFor,
      owedParts.credited,
      '37,129',
      owedParts.prizes,
      '0',
      owedParts.refunds,
      '0',
      owedParts.leftovers,
      '2',
    ],
    ...[fill(cover.notOwed, { dust: '0.10' }), sentOut, outflow.refund, '15', outflow.prize, '0'],
    ...[outflow.own, '1,320.50', outflow.other, '0'],
  ])
})

test('short: what is missing to the last unit, and the transaction that moved the money', () => {
  const found = lines('short')
  const gone = states.short.others[0]?.transactionHash ?? ''
  expect(found.slice(1, 8)).toEqual([
    ...['Short', 'Held', '37,130.99 USDT', 'Owed', '37,131 USDT', 'Missing'],
    '0.000000000000000001 USDT',
  ])
  expect(found[8]).toMatch(
    /^Short since January 1, 2055 at 11:59 AM UTC\. The transaction that moved the money: 0x/,
  )
  expect(markupOf(<HeldAndOwed />)).toMatch(new RegExp(`data-point.*?href="https://bscscan.com/tx/${gone}"`))
})

test('money that was sent elsewhere is told with each of its transactions', () => {
  const found = lines('others')
  const begin = found.indexOf('165 USDT sent elsewhere since the sale began, in 2 transfers.')
  expect(found[1]).toBe('Covered')
  expect(found.slice(begin + 1, begin + 4)).toEqual([
    expect.stringMatching(/^45 USDT 01\/01 11:00 0x.* to 0x90F7…b906$/),
    expect.stringMatching(/^120 USDT 12\/31 12:00 0x.* to 0x90F7…b906$/),
    cover.allOthers,
  ])
  for (const { transactionHash } of states.others.others)
    expect(markupOf(<HeldAndOwed />)).toContain(`/tx/${transactionHash}`)
})

test('what could not be read, or does not add up, is unknown and has no figures', () => {
  for (const name of ['unknown', 'broken'] as const)
    expect(lines(name)).toEqual(['Held and owed', 'Unknown', ...dashes, cover[name], cover.not])
  expect(lines('loading')).toEqual(['Held and owed', 'Checking', ...dashes, cover.loading, cover.not])
})

test('old figures are shown as old', () => {
  expect(lines('stale').slice(1, 9)).toEqual([
    ...['Out of date', ...figures, fill(cover.stale, { ago: '2 hours ago' })],
  ])
})
