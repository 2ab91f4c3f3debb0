import type { Texts } from './states-texts.ts'

/** What a visitor reads where nothing is sold, or nothing is known. */
export const over = {
  closed: {
    en: ['The sale of this event is over. A payment now gets no ticket and is refunded.'],
    ko: ['이번 이벤트의 판매가 끝났습니다. 지금 보내는 결제는 티켓 없이 환불됩니다.'],
  },
  refund: {
    en: ['This event is being refunded. Send nothing: a payment now gets no ticket.'],
    ko: ['이번 이벤트는 환불 중입니다. 지금 보내는 결제에는 티켓이 없으니 보내지 마세요.'],
  },
  phone: { en: ['Pay from a phone'], ko: ['휴대전화로 결제'] },
  nothingToPay: { en: ['There is nothing to pay at the moment.'], ko: ['지금은 결제할 수 없습니다.'] },
  leads: {
    selling: { en: ['Buy Tickets', 'Start Draw'], ko: ['티켓 구매', '추첨 시작'] },
    waiting: { en: ['See when it is drawn', 'Start Draw'], ko: ['추첨 일정 보기', '추첨 시작'] },
    drawn: { en: ['See the result', 'Check this draw'], ko: ['결과 보기', '추첨 검증'] },
    refund: { en: ['See the refund', 'Next Event'], ko: ['환불 안내 보기', '다음 이벤트'] },
  },
  away: {
    en: ['Not loaded yet', 'Our server cannot be reached just now.'],
    ko: ['아직 불러오지 못했습니다', '지금 서버에 연결할 수 없습니다.'],
  },
  awayLists: {
    en: ['Not loaded: our server cannot be reached. This page keeps trying.'],
    ko: ['서버에 연결할 수 없어 불러오지 못했습니다. 계속 다시 시도합니다.'],
  },
  awayByHand: {
    en: ['This page cannot tell now whether tickets are on sale. Send nothing until it can.'],
    ko: ['지금은 판매 중인지 확인할 수 없습니다. 확인될 때까지 송금하지 마세요.'],
  },
} as const satisfies Record<string, Texts | Record<string, Texts>>
