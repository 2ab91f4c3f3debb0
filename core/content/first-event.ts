import type { EventContent } from './event-content.ts'
import { canonicalJson } from './promised.ts'

/** What the first event of a new installation raffles (docs/spec.md). */
export const firstEventContent: EventContent = {
  title: {
    en: 'One miner,\none draw,\nall in public.',
    ko: '채굴기 한 대,\n단 한 번의 추첨,\n모두가 보는 앞에서.',
  },
  lead: {
    en: 'A $2,500 home miner, {price} USDT a ticket. The winner comes from five public block hashes, so anyone can check it.',
    ko: '2,500달러 상당의 가정용 채굴기, 티켓 한 장에 {price} USDT. 당첨자는 공개된 블록 해시 다섯 개로 정해져 누구나 검증할 수 있습니다.',
  },
  summary: {
    en: 'Tickets for a $2,500 home crypto-mining device, paid in USDT on BNB Smart Chain. The winner comes from five public block hashes, so anyone can check the draw.',
    ko: '2,500달러 상당의 가정용 암호화폐 채굴기를 추첨합니다. 티켓은 BNB Smart Chain에서 USDT로 구매하며, 당첨자는 공개된 블록 해시 다섯 개로 정해져 누구나 검증할 수 있습니다.',
  },
  prizes: [
    {
      name: { en: 'Home miner', ko: '가정용 채굴기' },
      value: '$2,500',
      kind: 'goods',
      amount: null,
      copies: 1,
      about: {
        en: 'One home crypto-mining device, drawn once. It is sent 3-5 days after the winner’s shipping details are confirmed.',
        ko: '가정용 암호화폐 채굴기 한 대를 단 한 번 추첨합니다. 당첨자의 배송 정보를 확인한 뒤 3-5일 안에 발송합니다.',
      },
      facts: [
        { name: { en: 'Retail price', ko: '소비자가' }, value: { en: '4,100,000 won', ko: '4,100,000원' } },
        { name: { en: 'Prize value', ko: '경품 가치' }, value: { en: '$2,500', ko: '$2,500' } },
        {
          name: { en: 'Mined per day', ko: '하루 채굴량' },
          value: { en: 'about 385 coins', ko: '약 385코인' },
        },
        { name: { en: 'Shipping', ko: '배송' }, value: { en: 'October 2025', ko: '2025년 10월' } },
        {
          name: { en: 'Delivery', ko: '배송 기간' },
          value: { en: '3-5 days after details', ko: '정보 확인 후 3-5일' },
        },
      ],
      pictures: [],
    },
  ],
  shipping: {
    en: 'It is sent in October 2025, 3-5 days after the winner’s shipping details are confirmed.',
    ko: '2025년 10월, 당첨자의 배송 정보를 확인한 뒤 3-5일 안에 발송합니다.',
  },
  links: [{ label: { en: 'Partner shop', ko: '제휴 쇼핑몰' }, url: 'https://shop.blockdraw.example' }],
}

/** True where nobody has written another one yet. */
export const isFirstContent = (content: EventContent): boolean =>
  canonicalJson(content) === canonicalJson(firstEventContent)
