import { colourPicture } from './colour-picture.ts'
import type { WrittenPrize } from './content-verbs.ts'

/** An event with three winners, as an administrator writes it. */
export const threePrizesTitle = {
  en: 'Three prizes,\nthree winners.',
  ko: '경품 세 개,\n당첨자 세 명.',
}

export const threePrizes: readonly WrittenPrize[] = [
  {
    ...{ name: { en: 'Quiet miner', ko: '조용한 채굴기' }, value: '$2,500' },
    picture: {
      bytes: colourPicture(1_200, 800, [122, 130, 138]),
      alt: { en: 'A grey box with two fans', ko: '팬이 두 개인 회색 상자' },
    },
  },
  {
    ...{ name: { en: 'Folding phone', ko: '접는 휴대전화' }, value: '$900' },
    picture: {
      bytes: colourPicture(800, 800, [58, 96, 140]),
      alt: { en: 'A blue phone, half open', ko: '반쯤 펼친 파란 휴대전화' },
    },
  },
  {
    ...{ name: { en: 'Prize money', ko: '상금' }, value: '$500', amount: '500' },
    picture: {
      bytes: colourPicture(900, 600, [46, 125, 88]),
      alt: { en: 'A stack of green notes', ko: '녹색 지폐 한 묶음' },
    },
  },
]
