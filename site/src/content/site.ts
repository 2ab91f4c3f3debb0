import { fallbackDrawDate, fallbackMinTickets } from '../../../core/event.ts'

/** A text in both languages; one that is missing does not compile. */
export type Both = { en: string; ko: string }

/**
 * Content that an operator edits: addresses, the prize and its description, in both languages side by side.
 * {price} is the live ticket price.
 */
export const site = {
  name: 'Blockdraw',
  supportEmail: 'support@blockdraw.example',
  socialUrl: 'https://x.com/blockdraw',
  socialName: 'X',
  shopUrl: 'https://shop.blockdraw.example',
  copyright: '© 2025 Blockdraw',
  explorerUrl: 'https://bscscan.com',
  metaMaskUrl: 'https://metamask.io/download/',
}

/** What search engines and shared links show; `card` describes the picture. */
export const head: Record<'title' | 'description' | 'card', Both> = {
  title: {
    en: 'Blockdraw: a home miner, drawn in public',
    ko: 'Blockdraw: 모두가 지켜보는 가정용 채굴기 추첨',
  },
  description: {
    en: 'Tickets for a $2,500 home crypto-mining device, paid in USDT on BNB Smart Chain. The winner comes from five public block hashes, so anyone can check the draw.',
    ko: '2,500달러 상당의 가정용 암호화폐 채굴기를 추첨합니다. 티켓은 BNB Smart Chain에서 USDT로 구매하며, 당첨자는 공개된 블록 해시 다섯 개로 정해져 누구나 검증할 수 있습니다.',
  },
  card: {
    en: 'A golden ticket with a drawing of the miner: prize value $2,500, price 3 USDT.',
    ko: '채굴기가 그려진 황금빛 티켓: 경품 가치 $2,500, 가격 3 USDT.',
  },
}

export const shopName: Both = { en: 'Partner shop', ko: '제휴 쇼핑몰' }

type Prize = {
  value: string
  kind: Both
  perDay: Both
  about: Both
  details: readonly { name: Both; value: Both }[]
  extraLine: Both
}

export const prize: Prize = {
  value: '$2,500',
  kind: { en: 'Home miner', ko: '가정용 채굴기' },
  perDay: { en: '385 coins / day', ko: '하루 385코인' },
  about: {
    en: 'One home crypto-mining device, drawn once. It is sent 3-5 days after the winner’s shipping details are confirmed.',
    ko: '가정용 암호화폐 채굴기 한 대를 단 한 번 추첨합니다. 당첨자의 배송 정보를 확인한 뒤 3-5일 안에 발송합니다.',
  },
  details: [
    { name: { en: 'Retail price', ko: '소비자가' }, value: { en: '4,100,000 won', ko: '4,100,000원' } },
    { name: { en: 'Prize value', ko: '경품 가치' }, value: { en: '$2,500', ko: '$2,500' } },
    { name: { en: 'Mined per day', ko: '하루 채굴량' }, value: { en: 'about 385 coins', ko: '약 385코인' } },
    { name: { en: 'Shipping', ko: '배송' }, value: { en: 'October 2025', ko: '2025년 10월' } },
    {
      name: { en: 'Delivery', ko: '배송 기간' },
      value: { en: '3-5 days after details', ko: '정보 확인 후 3-5일' },
    },
  ],
  /** An extra line under the details, for example when a shipping date has passed; empty for none. */
  extraLine: { en: '', ko: '' },
}

type Hero = { title: { en: readonly string[]; ko: readonly string[] }; lead: Both }

export const hero: Hero = {
  title: {
    en: ['One miner,', 'one draw,', 'all in public.'],
    ko: ['채굴기 한 대,', '단 한 번의 추첨,', '모두가 보는 앞에서.'],
  },
  lead: {
    en: 'A $2,500 home miner, {price} USDT a ticket. The winner comes from five public block hashes, so anyone can check it.',
    ko: '2,500달러 상당의 가정용 채굴기, 티켓 한 장에 {price} USDT. 당첨자는 공개된 블록 해시 다섯 개로 정해져 누구나 검증할 수 있습니다.',
  },
}

/** Why choose us. */
export const reasons: readonly { title: Both; text: Both }[] = [
  {
    title: { en: 'A list anyone can rebuild', ko: '누구나 다시 만들 수 있는 목록' },
    text: {
      en: 'Every ticket is a USDT transfer that stands on the chain.',
      ko: '모든 티켓은 체인에 남은 USDT 전송입니다.',
    },
  },
  {
    title: { en: 'A draw anyone can repeat', ko: '누구나 다시 해볼 수 있는 추첨' },
    text: {
      en: 'Five block hashes and SHA256: public data, and nothing of ours.',
      ko: '블록 해시 다섯 개와 SHA256. 공개된 데이터만 쓰고 저희가 더하는 값은 없습니다.',
    },
  },
  {
    title: { en: 'No second draw', ko: '다시 뽑을 수 없는 추첨' },
    text: {
      en: 'The blocks are fixed by the draw date. Running it again names the same winner.',
      ko: '쓰이는 블록은 추첨 시각이 정합니다. 다시 실행해도 같은 당첨자가 나옵니다.',
    },
  },
  {
    title: { en: 'No purchase limit', ko: '구매 제한 없음' },
    text: {
      en: 'One ticket or a thousand from one wallet; every ticket counts the same.',
      ko: '지갑 하나로 한 장이든 천 장이든 살 수 있고, 모든 티켓의 확률은 같습니다.',
    },
  },
  {
    title: { en: 'Refund below the minimum', ko: '최소 수량 미달 시 환불' },
    text: {
      en: 'Too few tickets, and every payment goes back to where it came from.',
      ko: '티켓이 충분히 팔리지 않으면 모든 결제를 보낸 주소로 돌려드립니다.',
    },
  },
  {
    title: { en: 'No account', ko: '가입 없음' },
    text: {
      en: 'No sign-up and no email. Your wallet address is your ticket holder’s name.',
      ko: '회원 가입도 이메일도 필요 없습니다. 지갑 주소가 곧 티켓 소유자의 이름입니다.',
    },
  },
]

/** Shown only if the server's settings could not be loaded. */
export const fallback = {
  operatorWallet: null as string | null,
  drawDate: fallbackDrawDate,
  ticketPrice: 3,
  minTicketsForDraw: fallbackMinTickets,
}
