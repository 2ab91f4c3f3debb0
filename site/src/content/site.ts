import type { Both } from '../../../core/content/event-content.ts'
import { fallbackDrawDate, fallbackMinTickets } from '../../../core/event/event.ts'

/**
 * Content that an operator edits: addresses and what holds for every event, in both languages side by side.
 * What an event raffles is its own content (core/content).
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

/** On English pages, for browsers whose language is Korean. */
export const koreanOffer = '이 페이지를 한국어로 보기'

export const shopName: Both = { en: 'Partner shop', ko: '제휴 쇼핑몰' }

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
  /** The one that the page was built with. */
  operatorWallet: import.meta.env.PUBLIC_OPERATOR_WALLET || null,
  drawDate: fallbackDrawDate,
  ticketPrice: 3,
  minTicketsForDraw: fallbackMinTickets,
}
