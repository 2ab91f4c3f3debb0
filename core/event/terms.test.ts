import { createHash } from 'node:crypto'
import { expect, test } from 'vitest'
import { usdtOnBsc } from '../chain/register.ts'
import { type EventTerms, formerWalletsSha256, parseTerms, termsLine, termsSha256 } from './terms.ts'

const wallet = '0xf39Fd6e51aad88F6F4ce6aB8827279cffFb92266' as const
const fresh: EventTerms = {
  ...{ book: null, eventNumber: 1, chainId: 56, token: usdtOnBsc, operatorWallet: wallet },
  ...{ anchorWallet: null, ticketPrice: 3n * 10n ** 18n, saleStart: new Date('2026-11-22T12:00:00Z') },
  ...{ saleEnd: null, drawDate: null, minTickets: 100, autoDraw: true, entropy: 'blocks' },
  ...{ winners: 1, claimDays: 30, formerWallets: [], contentSha256: null },
}
const dated: EventTerms = {
  ...fresh,
  eventNumber: 12,
  saleEnd: new Date('2026-12-01T12:00:00Z'),
  drawDate: new Date('2026-12-02T12:00:00Z'),
  book: `0x${'b0'.repeat(32)}`,
  minTickets: 7,
  autoDraw: false,
  entropy: 'blocks+drand',
  formerWallets: ['0xf39Fd6e51aad88F6F4ce6aB8827279cffFb92266', '0x70997970C51812dc3A010C7d01b50e0d17dc79C8'],
}

test('the line of an event without a date says none for what is not set', () => {
  const line =
    'blockdraw-terms-2,none,1,56,0x55d398326f99059ff775485246999027b3197955,0xf39fd6e51aad88f6f4ce6ab8827279cfffb92266,none,3000000000000000000,1795348800,none,none,100,true,blocks,1,30,none,none\n'
  expect(termsLine(fresh)).toBe(line)
  expect(termsSha256(line)).toBe(`0x${createHash('sha256').update(line).digest('hex')}`)
})

test('the line of a dated event names its book and the fingerprint of the wallets of earlier events', () => {
  const list = '0x70997970c51812dc3a010c7d01b50e0d17dc79c8\n0xf39fd6e51aad88f6f4ce6ab8827279cfffb92266\n'
  const fingerprint = createHash('sha256').update(list).digest('hex')
  expect(formerWalletsSha256(dated.formerWallets)).toBe(`0x${fingerprint}`)
  expect(termsLine(dated)).toBe(
    `blockdraw-terms-2,0x${'b0'.repeat(32)},12,56,0x55d398326f99059ff775485246999027b3197955,0xf39fd6e51aad88f6f4ce6ab8827279cfffb92266,none,3000000000000000000,1795348800,1796126400,1796212800,7,false,blocks+drand,1,30,0x${fingerprint},none\n`,
  )
})

test('a line is read back by its fields, and nothing else is a line', () => {
  expect(parseTerms(termsLine(dated))).toMatchObject({
    eventNumber: '12',
    autoDraw: 'false',
    entropy: 'blocks+drand',
    drawDate: '1796212800',
  })
  const line = termsLine(fresh)
  for (const wrong of ['', line.trim(), `${line}\n`, line.replace('terms-2', 'terms-1'), `x,${line}`])
    expect(parseTerms(wrong)).toBeUndefined()
})
