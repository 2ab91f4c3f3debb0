import { t } from '../language/t.ts'
import { toStamp } from '../ui/dates.ts'
import { actionTexts } from './audit-texts.ts'

/** One changed field of an action; `from` only where it had another value before. */
export type AuditChange = { label: string; from?: string; to: string }

const labels: Record<string, string> = {
  value: t('값'),
  refused: t('거절 사유'),
  count: t('거절 횟수'),
  codes: t('사유별 횟수'),
  firstAt: t('처음'),
  lastAt: t('마지막'),
  lastAction: t('마지막 작업'),
  others: t('그 밖의 주소'),
  secondFactor: t('2단계 인증'),
  username: t('사용자명'),
  passwordChanged: t('비밀번호 변경'),
  allowedIps: t('허용된 IP'),
  requireOtp: t('인증 코드 요구'),
  otp: 'OTP',
  clientAddress: 'IP',
  ended: t('끝난 세션'),
  eventNumber: t('이벤트'),
  contentSha256: t('내용의 SHA-256'),
  text: t('내용'),
  drawDate: t('추첨 일시'),
  saleEndDate: t('판매 종료'),
  minTicketsForDraw: t('최소 참여 인원'),
  operatorWallet: t('운영자 지갑'),
  autoDraw: t('자동 추첨'),
  claimDays: t('경품 수령 기한(일)'),
  entropy: t('추첨 난수의 출처'),
  winners: t('당첨자 수'),
  googleFormUrl: t('배송 양식 URL'),
  prizes: t('경품'),
  walletProven: t('지갑 증명'),
  walletProvenAt: t('지갑 증명 시각'),
  prizeImageUrl: t('상품 이미지'),
  prizeValue: t('상품 가치'),
  prizeDescription: t('상품 설명'),
  eventStartDate: t('이벤트 시작'),
  isActive: t('공개'),
  logo: t('로고'),
  accent: t('강조색'),
  supportEmail: t('지원 이메일'),
  socialUrl: t('소셜 링크'),
  socialName: t('소셜 링크 이름'),
  shopUrl: t('쇼핑몰 링크'),
  copyright: t('저작권 표시'),
  minAge: t('최소 나이'),
  requireAcceptance: t('약관 동의'),
  closedCountries: t('판매하지 않는 국가'),
  terms: t('이용약관'),
  privacy: t('개인정보 처리방침'),
  transactionHash: t('거래'),
  ticketsCreated: t('발급된 티켓'),
  contentType: t('형식'),
  size: t('크기'),
  bytes: t('크기'),
  key: t('파일'),
  wallet: t('지갑'),
  kind: t('종류'),
  totalRefunds: t('환불 건수'),
  totalAmount: t('환불 금액'),
  payer: t('결제한 주소'),
  payers: t('환불 대상'),
  markedAs: t('전송의 구분'),
  place: t('순위'),
  holds: t('보류'),
  stolenFrom: t('도난 시각 (UTC)'),
  name: t('이름'),
  language: t('언어'),
  events: t('받을 알림'),
  enabled: t('사용'),
  host: t('서버'),
  port: t('포트'),
  security: t('보안 연결'),
  user: t('사용자'),
  from: t('보내는 주소'),
  to: t('받는 주소'),
  chatId: t('대화 ID'),
  secret: t('비밀 값'),
  channelId: t('채널 번호'),
  state: t('상태'),
  problem: t('실패 사유'),
  attempts: t('시도 횟수'),
  readOnly: t('읽기 전용'),
  address: t('주소'),
  note: t('메모'),
  totalTickets: t('티켓'),
}

/** Values that have a name, by their field. */
const values: Record<string, Record<string, string>> = {
  secondFactor: { none: t('없음'), totp: t('인증 앱 코드'), recovery: t('복구 코드') },
  lastAction: actionTexts,
}

/** The row has its own time; counters and texts that follow from another field say nothing more. */
const untold = new Set(['updatedAt', 'version', 'walletProofMessage'])

/** An audit row by field: the changed ones, or all if none changed. A plain value is one field. */
export function auditChanges(before: unknown, after: unknown): AuditChange[] {
  const [was, is] = [fieldsOf(before), fieldsOf(after)]
  const names = [...new Set([...Object.keys(was), ...Object.keys(is)])].filter((name) => !untold.has(name))
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
  return typeof value === 'object' && !Array.isArray(value) ? (value as Record<string, unknown>) : { value }
}

function shown(value: unknown): string {
  if (value === null || value === undefined || value === '') return t('없음')
  if (typeof value === 'boolean') return value ? t('예') : t('아니요')
  if (typeof value === 'string' && /^\d{4}-\d\d-\d\dT[\d:.]+Z$/.test(value)) return `${toStamp(value)} UTC`
  if (Array.isArray(value)) return value.length === 0 ? t('없음') : value.map(shown).join(', ')
  if (typeof value !== 'object') return String(value)
  const counts = Object.entries(value)
  return counts.every(([, count]) => typeof count === 'number')
    ? counts.map(([name, count]) => `${name} ${count}`).join(', ')
    : JSON.stringify(value)
}
