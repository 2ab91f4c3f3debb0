import type { Language } from '../../core/admin/language.ts'
import type { PaymentReason } from '../../core/payment/payment.ts'

/** The words of the files: the Korean that they have unless English is asked for, and the English. */
const english = {
  이벤트: 'Event',
  상태: 'Status',
  사유: 'Reason',
  토큰: 'Token',
  블록: 'Block',
  '티켓 번호': 'Ticket No.',
  '티켓 수': 'Tickets',
  '결제 수': 'Payments',
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
  '추첨 뒤 발견': 'Found after the draw',
  '경품 수령 신청': 'Claim of a prize',

  '환불 대상': 'Refunds',
  '환불 금액 (USDT)': 'Refund (USDT)',
  '환불 금액 (10^-18 USDT)': 'Refund (10^-18 USDT)',
  '변경된 받는 지갑': 'Changed recipient',
  '환불 거래 해시': 'Refund transaction hash',
  '준비 전': 'Not prepared',
  예정: 'Planned',
  '서명 대기': 'Waiting for signature',
  전송됨: 'Sent',
  완료: 'Done',
  실패: 'Failed',
  컨트랙트: 'Contract',
  거래소: 'Exchange',
  소액: 'Small amount',
  '두 번째 판독 대기': 'Waits for second reading',
  '다른 전송으로 지급': 'Paid by another transfer',
  '다른 거래로 대체': 'Replaced by another transaction',

  '환불 장부': 'Refund books',
  '갚을 지갑': 'Owing wallet',
  '환불액 (USDT)': 'Owed (USDT)',
  '완료 (USDT)': 'Paid (USDT)',
  '환불 컨트랙트로 (USDT)': 'By the refund contract (USDT)',
  '그 밖의 전송으로 (USDT)': 'By other transfers (USDT)',
  '진행 중 (USDT)': 'Under way (USDT)',
  '보류 (USDT)': 'Held (USDT)',
  '남음 (USDT)': 'Left (USDT)',
  '환불액 (10^-18 USDT)': 'Owed (10^-18 USDT)',
  '완료 (10^-18 USDT)': 'Paid (10^-18 USDT)',

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

  전표: 'Entry',
  '계정 번호': 'Account no.',
  계정: 'Account',
  지갑: 'Wallet',
  '상대 지갑': 'Counterparty',
  '차변 (USDT)': 'Debit (USDT)',
  '대변 (USDT)': 'Credit (USDT)',
  '계정 잔액 (USDT)': 'Balance of the account (USDT)',
  '지갑 (USDT)': 'Wallet (USDT)',
  '내 지갑 사이의 이동': 'Moves between own wallets',
  '선수금: 추첨 전 티켓': 'Tickets sold before the draw',
  '돌려줄 돈: 티켓 없는 결제': 'Owed back: payments without a ticket',
  '돌려줄 돈: 환불': 'Owed back: refunds',
  '운영자 계정': 'Owner’s account',
  '기초 잔액': 'Opening balances',
  '티켓 매출': 'Revenue from tickets',
  '경품 비용': 'Cost of prizes',
  이월: 'Brought forward',
  '지갑 등록': 'Wallet opened',
  '티켓 판매': 'Tickets',
  '티켓 없는 결제': 'Payment without a ticket',
  추첨: 'Draw',
  '환불 모드': 'Refund mode',
  환불: 'Refund',
  경품: 'Prize',
  '내 지갑 이동': 'Own move',
  '그 밖': 'Other',
  정정: 'Correction',
  기말: 'End',
} as const

export type Korean = keyof typeof english
export type Say = (korean: Korean) => string

/** Says a word of a file in its language. */
export const sayIn =
  (language: Language): Say =>
  (korean) =>
    language === 'en' ? english[korean] : korean

/** Why a payment has no ticket. */
export const reasonTexts: Record<PaymentReason, Korean> = {
  late: '판매 종료 후',
  early: '판매 시작 전',
  underpaid: '금액 부족',
  reverted: '실패한 거래',
  no_transfer: '송금 없음',
  wrong_token: '다른 토큰',
  old_wallet: '이전 지갑',
  held: '보류',
  over_cap: '한도 초과',
  missed: '추첨 뒤 발견',
  claim: '경품 수령 신청',
}

const namesOfFiles = {
  tickets: '티켓목록.xlsx',
  history: '추첨기록.xlsx',
  refund: '환불대상.xlsx',
  books: '환불장부.xlsx',
  journal: '분개장.csv',
  event: '이벤트.xlsx',
} as const

/** Ends in Korean unless English is asked for. */
export function fileName(stem: string, file: keyof typeof namesOfFiles, language: Language = 'ko'): string {
  const korean = namesOfFiles[file]
  return language === 'en' ? stem + korean.slice(korean.indexOf('.')) : `${stem}-${korean}`
}
