import type { Texts } from './states-texts.ts'

const proves: Texts = {
  en: [
    'This shows what is held at one block, not that it stays: it can be moved later, or be borrowed for the picture.',
  ],
  ko: [
    '한 블록에서 가진 금액만 보여주며, 계속 있다는 보장은 아닙니다. 나중에 옮기거나 잠시 빌려온 돈일 수 있습니다.',
  ],
}
const sums = ['41,320.50 USDT', '37,131 USDT', '4,189.50 USDT']

/** Money in the open, state by state. */
export const moneyTexts = {
  unknown: {
    en: ['Unknown', 'could not be read at a final block', ...proves.en],
    ko: ['확인 불가', '읽지 못해 판단하지 않습니다.', ...proves.ko],
  },
  covered: {
    en: [
      ...['Held and owed', 'Covered', ...sums, 'More than owed', 'Lowest since the sale began: 1,200 USDT'],
      ...['No money was sent elsewhere', 'At final block 124,045,349', ...proves.en],
    ],
    ko: [
      ...['보유 금액과 지급할 금액', '충분', ...sums, '남는 금액', '1,200 USDT 많음'],
      ...['다른 곳으로 보낸 돈이 없습니다.', '확정 블록 124,045,349 기준', ...proves.ko],
    ],
  },
  others: {
    en: ['Covered', '165 USDT sent elsewhere since the sale began, in 2 transfers.'],
    ko: ['충분', '다른 곳으로 165 USDT를 2번 보냈습니다.'],
  },
  short: {
    en: ['Short', 'Missing', '0.000000000000000001 USDT', 'The transaction that moved the money:'],
    ko: ['부족', '부족액', '0.000000000000000001 USDT', '돈을 옮긴 거래:'],
  },
  broken: {
    en: ['Unknown', 'What the wallets hold is not what came in less what went out.'],
    ko: ['확인 불가', '들어온 돈에서 나간 돈을 뺀 값과 다릅니다.'],
  },
  stale: {
    en: ['Out of date', 'These figures are from 2 hours ago.', ...sums],
    ko: ['이전 값', '2시간 전 기준 금액입니다.', ...sums],
  },
  parts: {
    en: [
      'Held in 2 wallets',
      '40,000',
      'Tickets, until the draw',
      '37,129',
      'Payments without a ticket',
      '2',
      'payments without a ticket of less than 0.10 USDT a payer',
    ],
    ko: [
      '지갑 2개에 보유',
      '40,000',
      '추첨 전 티켓 대금',
      '37,129',
      '티켓 없는 결제',
      '2',
      '한 사람당 0.10 USDT 미만인',
    ],
  },
  prizes: {
    unclaimed: {
      en: [
        'Prize to be sent',
        'Not claimed yet',
        'Winner 1, 0x7099…79C8',
        'To be claimed by',
        'Drawn',
        'Claim',
      ],
      ko: ['배송 경품', '수령 신청 전', '당첨자 1번, 0x7099…79C8', '수령 신청 기한', '추첨', '수령 신청'],
    },
    reserve: {
      en: ['Reserve 1, 0x3C44…93BC', 'Turn of a reserve', '30 days later'],
      ko: ['예비 1번, 0x3C44…93BC', '예비 당첨자의 차례', '30일 뒤'],
    },
    claimed: {
      en: ['Claimed', '6 days later', 'Shipping', 'The operator says when it is on its way.'],
      ko: ['신청 완료', '6일 뒤', '발송', '운영자가 발송하면 표시합니다.'],
    },
    shipped: {
      en: ['Shipped', '3 days later', 'Receipt', 'Only a signature of the holder counts.'],
      ko: ['발송됨', '3일 뒤', '수령 확인', '받은 사람의 서명만 인정합니다.'],
    },
    corrected: {
      en: ['Claimed', 'Not shipped after all', 'The operator: The carrier sent the parcel back.', 'Shipping'],
      ko: ['신청 완료', '발송 취소, 다시 보낼 예정', '운영자: The carrier sent the parcel back.', '발송'],
    },
    delivered: {
      en: ['Delivered', 'Received, signed by the holder', '5 days later', '44 days after the draw'],
      ko: ['수령 완료', '받은 사람의 서명으로 수령 확인', '5일 뒤', '추첨 44일 뒤'],
    },
    lapsed: {
      en: ['Never claimed', 'Nobody claimed it while it was their turn.'],
      ko: ['신청 없음', '차례가 온 사람 가운데 아무도 신청하지 않았습니다.'],
    },
    due: {
      en: ['500 USDT', 'To be paid', 'Payment', 'Counted from the chain by itself'],
      ko: ['경품 500 USDT', '지급 예정', '지급', '체인에서 저절로 확인합니다.'],
    },
    paid: {
      en: ['500 USDT', 'Paid', 'Paid, final on the chain', '2 days after the draw'],
      ko: ['경품 500 USDT', '지급 완료', '체인에서 지급 확정', '추첨 2일 뒤'],
    },
  },
  several: {
    en: ['Prize 1', 'Prize 2', '500 USDT', 'Prize 3', 'Reserve 1, 0x3C44…93BC', 'Delivered'],
    ko: ['경품 1번', '경품 2번', '경품 500 USDT', '경품 3번', '예비 1번, 0x3C44…93BC', '수령 완료'],
  },
  byChain: {
    en: ['send exactly 0.000000000000000001 USDT', 'the time of its block counts', 'no more and no less'],
    ko: ['정확히 0.000000000000000001 USDT를 보내세요', '블록의 시각을 기준', '정확히 이 값이어야 합니다'],
  },
} satisfies Record<string, Texts | Record<string, Texts>>
