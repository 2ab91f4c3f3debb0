import refreshIcon from 'lucide-static/icons/refresh-cw.svg?raw'
import { useState } from 'react'
import { Row } from '../../shell/Layout.tsx'
import { t } from '../language/t.ts'
import { type AuditItem, api, call } from '../session/session.ts'
import { Button } from '../ui/action.tsx'
import { Badge, Body, Fact, Folded } from '../ui/card.tsx'
import { toStamp } from '../ui/format.ts'
import { List } from '../ui/list.tsx'
import { usePages } from '../ui/resource.tsx'
import { Select } from '../ui/select.tsx'

/** Every action of administrators, refused calls too. No entry can be deleted. */
export const AuditLog = () => (
  <Folded
    title={t('감사 기록')}
    reason={t(
      '관리자 작업과 거절된 시도가 모두 남습니다. 로그인 전의 거절은 주소마다 1분에 한 줄로 셉니다. 지울 수 없습니다.',
    )}
  >
    <Entries />
  </Folded>
)

function Entries() {
  const [action, setAction] = useState('')
  const log = usePages<AuditItem>(
    (last) => call(() => api.audit.get({ query: { action, cursor: `${last?.id ?? ''}` } })),
    { query: action },
  )
  return (
    <>
      <Body>
        <Row>
          <Select
            isLabelled
            label={t('작업')}
            value={action}
            options={[['', t('전체')], ...Object.entries(actionTexts)]}
            onChange={setAction}
          />
          <Button tone="edged" size="small" icon={refreshIcon} onClick={() => void log.reload()}>
            {t('새로 읽기')}
          </Button>
        </Row>
      </Body>
      <List<AuditItem>
        label={t('감사 기록')}
        from={log}
        idOf={({ id }) => id}
        detail={changed}
        empty={t('기록이 없습니다.')}
        columns={[
          { name: t('시각 (UTC)'), cell: ({ at }) => <span className="figure">{toStamp(at)}</span> },
          { name: t('작업'), place: 'lead', cell: ({ action: code }) => actionTexts[code] ?? code },
          { name: t('관리자'), cell: ({ actor }) => (actor === 'anonymous' ? t('로그인 전') : actor) },
          { name: 'IP', cell: ({ clientAddress }) => <span className="figure">{clientAddress ?? '–'}</span> },
          {
            name: t('결과'),
            place: 'end',
            cell: ({ outcome }) => (
              <Badge tone={isDone(outcome) ? 'ok' : 'bad'}>
                {isDone(outcome)
                  ? t('완료')
                  : t('거절 {outcome}', { outcome: outcome.replace('cli refused', '') }).trim()}
              </Badge>
            ),
          },
        ]}
      />
    </>
  )
}

function changed({ before, after }: AuditItem) {
  const changes = auditChanges(before, after)
  if (changes.length === 0) return <span className="hint">–</span>
  return (
    <dl className="summary size-14">
      {changes.map(({ label, from, to }) => (
        <Fact key={label} name={label}>
          {from !== undefined && <s className="muted">{from}</s>} {to}
        </Fact>
      ))}
    </dl>
  )
}

export const actionTexts: Record<string, string> = {
  refused: t('거절된 시도 (로그인 전)'),
  login: t('로그인'),
  logout: t('로그아웃'),
  reauth: t('본인 확인'),
  credentials: t('계정 변경'),
  language: t('화면 언어'),
  settings: t('보안 설정'),
  'otp.setup': t('OTP 설정 시작'),
  'otp.confirm': t('OTP 확인'),
  'sessions.revoke': t('세션 종료'),
  'sessions.revoke-all': t('모든 세션 종료'),
  'raffle.config': t('추첨 설정'),
  'raffle.prove-wallet': t('지갑 서명 확인'),
  'raffle.next-terms': t('다음 이벤트 조건 초안'),
  'raffle.discard-terms': t('다음 이벤트 초안 버리기'),
  'raffle.open-next': t('다음 이벤트 시작'),
  'raffle.content': t('이벤트 내용'),
  'raffle.next-content': t('다음 이벤트 내용 초안'),
  'raffle.discard-content': t('다음 이벤트 내용 초안 버리기'),
  'prize.said': t('경품 발송과 수령'),
  'raffle.stop-sale': t('판매 중단'),
  'raffle.resume': t('판매 재개'),
  'event.settings': t('다음 이벤트 설정'),
  'house.branding': t('브랜드'),
  'house.rules': t('법과 규칙'),
  'house.text': t('약관과 개인정보 게시'),
  'upload.sign': t('업로드 주소 발급'),
  upload: t('이미지 업로드'),
  'process-transaction': t('수동 거래 처리'),
  'refund-notification': t('환불 공지'),
  'refund.execute': t('환불 목록 요청'),
  'refund.sent': t('환불 거래 알림'),
  'refund.hold': t('환불 보류'),
  'refund.release': t('환불 보류 해제'),
  'refund.mark': t('전송의 구분'),
  'wallet.stolen': t('지갑 도난 신고'),
  draw: t('추첨'),
  'winner.clear': t('당첨자 발표 지우기'),
  'claim.check': t('수령 코드 확인'),
  'channel.add': t('알림 채널 추가'),
  'channel.remove': t('알림 채널 삭제'),
  'channel.test': t('알림 시험 전송'),
  'export.history': t('추첨 기록 내보내기'),
  'export.refund': t('환불 대상 내보내기'),
  'cli.create': t('관리자 추가 (서버)'),
  'cli.reset-password': t('비밀번호 재설정 (서버)'),
  'cli.reset-otp': t('OTP 해제 (서버)'),
  'cli.rotate-key': t('비밀 키 교체 (서버)'),
  'cli.allow-ip': t('IP 허용 (서버)'),
  'cli.stop-sale': t('판매 중단 (서버)'),
  'cli.after-restore': t('복원 뒤 대조 (서버)'),
  'login.passkey': t('패스키 로그인 시작'),
  'passkey.ask': t('패스키 확인 시작'),
  'passkey.setup': t('패스키 등록 시작'),
  'passkey.add': t('패스키 등록'),
  'passkey.remove': t('패스키 삭제'),
  'admins.add': t('관리자 추가'),
  'admins.rights': t('관리자 권한 변경'),
  'admins.disable': t('관리자 삭제'),
  'admins.reset-password': t('관리자 일회용 비밀번호'),
}

/** `outcome` is an HTTP status, or the result of a command on the server. */
export const isDone = (outcome: string): boolean => outcome.startsWith('2') || outcome === 'cli'

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
