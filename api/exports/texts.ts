import type { Language } from '../../core/admin/language.ts'
import type { PaymentReason } from '../../core/payment/payment.ts'

/** The words of the files: the Korean that they have unless English is asked for, and the English. */
const english = {
  이벤트: 'Event',
  상태: 'Status',
  사유: 'Reason',
  블록: 'Block',
  '티켓 번호': 'Ticket No.',
  '티켓 수': 'Tickets',
  '결제 지갑': 'Paying wallet',
  '거래 해시': 'Transaction hash',
  '금액 (USDT)': 'Amount (USDT)',
  '금액 (10^-18 USDT)': 'Amount (10^-18 USDT)',
  '시각 (UTC)': 'Time (UTC)',

  '동의한 약관 (SHA-256, 구매자가 알림)': 'Accepted terms (SHA-256, told by the buyer)',
  '확인한 개인정보 안내 (SHA-256, 구매자가 알림)': 'Accepted privacy notice (SHA-256, told by the buyer)',
  '확인한 나이': 'Confirmed age',
  '동의 시각 (UTC)': 'Accepted at (UTC)',
  '발급 완료': 'Issued',
  '발급 안 됨': 'Not issued',

  '판매 종료 후': 'After the sale',
  '판매 시작 전': 'Before the sale',
  '금액 부족': 'Too little',
  '실패한 거래': 'Failed transaction',
  '송금 없음': 'No transfer',
  '다른 토큰': 'Another token',
  '이전 지갑': 'Former wallet',
  보류: 'Held',
  '한도 초과': 'Above the limit',
  '판매 수량 초과': 'Event is full',
  '추첨 뒤 발견': 'Found after the draw',

  '환불 대상': 'Refunds',
  '돌려줄 금액 (USDT)': 'Owed (USDT)',
  '받은 금액 (USDT)': 'Received (USDT)',
  '남은 금액 (USDT)': 'Left (USDT)',
  '마지막 거래 해시': 'Last transaction hash',
  남음: 'Left',
  전송됨: 'Sent',
  완료: 'Done',
  '초과 지급': 'Paid too much',

  '추첨 기록': 'Draw history',
  '추첨일 (UTC)': 'Draw date (UTC)',
  '판매 티켓': 'Tickets sold',
  '최소 티켓': 'Minimum tickets',
  '티켓 가격 (USDT)': 'Ticket price (USDT)',
  '당첨자 수': 'Winners',
  '당첨 티켓': 'Winning ticket',
  '당첨 지갑': 'Winning wallet',
  '당첨 거래 해시': 'Winning transaction hash',
  난수: 'Random number',
  '추첨 시각 (UTC)': 'Drawn at (UTC)',
  '명단 지문 (SHA-256)': 'Ledger fingerprint (SHA-256)',
  '커밋먼트 (SHA-256)': 'Commitment (SHA-256)',
  '난수의 출처': 'Source of randomness',
  '블록 시드': 'Block seed',
  'drand 회차': 'drand round',
  'drand 서명': 'drand signature',
  '진행 중': 'Running',
  '당첨자와 예비': 'Winners and reserves',
  구분: 'Kind',
  순위: 'Place',
  당첨: 'Winner',
  예비: 'Reserve',
} as const

export type Korean = keyof typeof english
export type Say = (korean: Korean) => string

export const sayIn =
  (language: Language): Say =>
  (korean) =>
    language === 'en' ? english[korean] : korean

export const reasonTexts: Record<PaymentReason, Korean> = {
  late: '판매 종료 후',
  early: '판매 시작 전',
  underpaid: '금액 부족',
  reverted: '실패한 거래',
  no_transfer: '송금 없음',
  wrong_token: '다른 토큰',
  old_wallet: '이전 지갑',
  held: '보류',
  full: '판매 수량 초과',
  missed: '추첨 뒤 발견',
}

const namesOfFiles = {
  tickets: '티켓목록.xlsx',
  history: '추첨기록.xlsx',
  refund: '환불대상.xlsx',
  event: '이벤트.xlsx',
} as const

/** Ends in Korean unless English is asked for. */
export function fileName(stem: string, file: keyof typeof namesOfFiles, language: Language = 'ko'): string {
  const korean = namesOfFiles[file]
  return language === 'en' ? stem + korean.slice(korean.indexOf('.')) : `${stem}-${korean}`
}
