import { toStamp } from '../frame/dates.ts'
import { actionTexts } from './audit-texts.ts'

/** One changed field of an action; `from` only where it had another value before. */
export type AuditChange = { label: string; from?: string; to: string }

const labels: Record<string, string> = {
  refused: '거절 사유',
  count: '거절 횟수',
  codes: '사유별 횟수',
  firstAt: '처음',
  lastAt: '마지막',
  lastAction: '마지막 작업',
  others: '그 밖의 주소',
  secondFactor: '2단계 인증',
  username: '사용자명',
  passwordChanged: '비밀번호 변경',
  allowedIps: '허용된 IP',
  requireOtp: '인증 코드 요구',
  otp: 'OTP',
  clientAddress: 'IP',
  ended: '끝난 세션',
  eventNumber: '이벤트',
  drawDate: '추첨 일시',
  saleEndDate: '판매 종료',
  minTicketsForDraw: '최소 참여 인원',
  operatorWallet: '운영자 지갑',
  autoDraw: '자동 추첨',
  claimDays: '경품 수령 기한(일)',
  entropy: '추첨 난수의 출처',
  winners: '당첨자 수',
  maxTickets: '최대 티켓 수',
  maxPerWallet: '지갑당 최대 티켓 수',
  googleFormUrl: '배송 양식 URL',
  prizeImageUrl: '상품 이미지',
  prizeValue: '상품 가치',
  prizeDescription: '상품 설명',
  eventStartDate: '이벤트 시작',
  isActive: '공개',
  transactionHash: '거래',
  ticketsCreated: '발급된 티켓',
  contentType: '형식',
  size: '크기',
  bytes: '크기',
  key: '파일',
  wallet: '지갑',
  kind: '종류',
  totalRefunds: '환불 건수',
  totalAmount: '환불 금액',
  ids: '환불 번호',
  before: '이 달 이전',
  rows: '기록 수',
  lastId: '마지막 기록 번호',
}

/** Values that have a name, by their field. */
const values: Record<string, Record<string, string>> = {
  secondFactor: { none: '없음', totp: '인증 앱 코드', recovery: '복구 코드' },
  lastAction: actionTexts,
}

/** An audit row by field: the changed ones, or all if none changed. A plain value is one field. */
export function auditChanges(before: unknown, after: unknown): AuditChange[] {
  const [was, is] = [fieldsOf(before), fieldsOf(after)]
  // The row has its own time.
  const names = [...new Set([...Object.keys(was), ...Object.keys(is)])].filter((name) => name !== 'updatedAt')
  const isSame = (name: string) => name in was && name in is && shown(was[name]) === shown(is[name])
  const changed = names.filter((name) => !isSame(name))
  return (changed.length > 0 ? changed : names).map((name) => {
    const label = labels[name] ?? name
    const named = (value: unknown) => values[name]?.[`${value}`] ?? shown(value)
    if (!(name in was) || isSame(name)) return { label, to: named(is[name]) }
    return after === null
      ? { label, to: named(was[name]) }
      : { label, from: named(was[name]), to: named(is[name]) }
  })
}

function fieldsOf(value: unknown): Record<string, unknown> {
  if (value === null || value === undefined) return {}
  return typeof value === 'object' && !Array.isArray(value)
    ? (value as Record<string, unknown>)
    : { 값: value }
}

function shown(value: unknown): string {
  if (value === null || value === undefined || value === '') return '없음'
  if (typeof value === 'boolean') return value ? '예' : '아니요'
  if (typeof value === 'string' && /^\d{4}-\d\d-\d\dT[\d:.]+Z$/.test(value)) return `${toStamp(value)} UTC`
  if (Array.isArray(value)) return value.length === 0 ? '없음' : value.map(shown).join(', ')
  if (typeof value !== 'object') return String(value)
  const counts = Object.entries(value)
  return counts.every(([, count]) => typeof count === 'number')
    ? counts.map(([name, count]) => `${name} ${count}`).join(', ')
    : JSON.stringify(value)
}
