import { createHash } from 'node:crypto'
import { expect, test } from 'vitest'
import { newTerms } from '../../e2e/lab/event-terms.ts'
import { usdtOnBsc } from '../chain/usdt.ts'
import { type EventTerms, ownWalletsText, parseTerms, termsLine, termsSha256 } from './terms.ts'

const wallet = '0xf39Fd6e51aad88F6F4ce6aB8827279cffFb92266' as const
const fresh: EventTerms = {
  ...newTerms,
  ...{ eventNumber: 1, token: usdtOnBsc, operatorWallet: wallet },
  ticketPrice: 3n * 10n ** 18n,
  saleStart: new Date('2026-11-22T12:00:00Z'),
}
const dated: EventTerms = {
  ...fresh,
  eventNumber: 12,
  saleEnd: new Date('2026-12-01T12:00:00Z'),
  drawDate: new Date('2026-12-02T12:00:00Z'),
  firstTicketAt: new Date('2026-11-22T13:00:00Z'),
  minTickets: 7,
  autoDraw: false,
  entropy: 'blocks+drand',
  ownWallets: [
    { address: '0x70997970C51812dc3A010C7d01b50e0d17dc79C8', since: new Date('2026-11-23T00:00:00Z') },
    { address: wallet, since: new Date('2026-11-22T12:30:00Z') },
  ],
}

test('the line of an event without a date says none for what is not set', () => {
  const line =
    'blockdraw-terms-1,1,56,0x55d398326f99059ff775485246999027b3197955,0xf39fd6e51aad88f6f4ce6ab8827279cfffb92266,none,3000000000000000000,1795348800,none,none,none,none,100,true,blocks,1,30,none,none,none,none\n'
  expect(termsLine(fresh)).toBe(line)
  expect(termsSha256(line)).toBe(`0x${createHash('sha256').update(line).digest('hex')}`)
})

test('the line of a dated event holds both deadlines and the fingerprint of the own wallets', () => {
  const list =
    '0xf39fd6e51aad88f6f4ce6ab8827279cfffb92266,1795350600\n0x70997970c51812dc3a010c7d01b50e0d17dc79c8,1795392000\n'
  expect(ownWalletsText(dated.ownWallets)).toBe(list)
  const fingerprint = createHash('sha256').update(list).digest('hex')
  // Eight days after the draw date, as the beacon takes its time, and 180 days after the first ticket.
  expect(termsLine(dated)).toBe(
    `blockdraw-terms-1,12,56,0x55d398326f99059ff775485246999027b3197955,0xf39fd6e51aad88f6f4ce6ab8827279cfffb92266,none,3000000000000000000,1795348800,1796126400,1796212800,1796904000,1810904400,7,false,blocks+drand,1,30,none,none,0x${fingerprint},none\n`,
  )
})

test('a line is read back by its fields, and nothing else is a line', () => {
  expect(parseTerms(termsLine(dated))).toMatchObject({
    eventNumber: '12',
    autoDraw: 'false',
    entropy: 'blocks+drand',
    drawBy: '1796904000',
  })
  const line = termsLine(fresh)
  for (const wrong of ['', line.trim(), `${line}\n`, line.replace('terms-1', 'terms-2'), `x,${line}`])
    expect(parseTerms(wrong)).toBeUndefined()
})
