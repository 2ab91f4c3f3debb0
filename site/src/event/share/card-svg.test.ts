import { expect, test } from 'vitest'
import { answeredPage } from '../../../../e2e/lab/answered-page.ts'
import { aContent, aPrize } from '../../../../e2e/lab/content.ts'
import { cardSvg } from './card-svg.ts'

const wallet = `0x${'77'.repeat(20)}` as const
const hash = `0x${'88'.repeat(32)}` as const
const drawing = '<svg x='

test('the largest ticket number there is stays inside the picture', () => {
  const drawnWith = (ticketNumber: number) => {
    const winner = { place: 1, walletAddress: wallet, transactionHash: hash, ticketNumber, ticketCount: 1 }
    const result = { winners: [winner], randomNumber: '1', drawnAt: '2030-02-01T12:00:00.000Z' }
    const page = answeredPage(1, {
      ...{ state: 'drawn', result: { ...result, ledgerSha256: hash, commitment: null } },
    })
    const svg = cardSvg(page, 'en', () => undefined)
    return Number(new RegExp(`font-size="(\\d+)"[^>]*>#${ticketNumber}<`).exec(svg)?.[1])
  }
  expect(drawnWith(77)).toBe(44)
  // A letter of this face is 0.6 of its size wide.
  expect('#2000000000'.length * 0.6 * drawnWith(2_000_000_000)).toBeLessThanOrEqual(1_144 - 892)
})

test('signs that no face of the picture has are left out', () => {
  const name = { en: 'Phone 📱', ko: '휴대전화 👩‍💻' }
  const content = aContent({ title: { en: '🎉 One phone', ko: '🎉 휴대전화' }, prizes: [aPrize({ name })] })
  for (const language of ['en', 'ko'] as const) {
    const svg = cardSvg(answeredPage(1, { content }), language, () => undefined)
    expect(svg).not.toMatch(/\p{Emoji_Presentation}|\u200d/u)
    expect(svg).toContain(language === 'ko' ? '>휴대전화<' : '>One phone<')
  }
})

test('the picture of an event without content shows no prize, not that of another event', () => {
  expect(cardSvg(answeredPage(1, { content: null }), 'en', () => undefined)).not.toContain(drawing)
  expect(cardSvg(answeredPage(1), 'en', () => undefined)).toContain(drawing)
})
