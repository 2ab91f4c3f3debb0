import type { Tone } from '../frame/Badge.tsx'
import type { Channel, Delivery } from '../frame/types.ts'
import { t } from '../language/t.ts'

export const channelKindTexts: Record<Channel['kind'], string> = {
  webhook: t('웹훅'),
  telegram: t('텔레그램'),
  email: t('이메일'),
}

/** What can be chosen, in the order of a raffle's life. */
export const noticeTexts: Record<Channel['events'][number], string> = {
  first_payment: t('첫 결제'),
  minimum_reached: t('최소 수량 도달'),
  sale_ended: t('판매 종료'),
  frozen: t('명단 고정'),
  anchored: t('명단 지문 기록'),
  drawn: t('추첨 완료'),
  claimed: t('경품 수령 신청'),
  refund_mode: t('환불 모드 시작'),
  refunds_done: t('환불 완료'),
  cover_short: t('보유 금액 부족'),
  halted: t('판매 중지'),
  terms_taken_back: t('조건 되돌림'),
  word_wanted: t('두 번째 확인 요청'),
  new_address: t('새 주소에서 로그인'),
  backup_failed: t('백업 실패'),
}

export const deliveryKindText = (kind: Delivery['kind']): string =>
  kind === 'test' ? t('시험 알림') : noticeTexts[kind]

export const stateTexts: Record<Delivery['state'], { tone: Tone; text: string }> = {
  waiting: { tone: 'wait', text: t('대기') },
  sent: { tone: 'ok', text: t('전달됨') },
  given_up: { tone: 'bad', text: t('포기') },
  dropped: { tone: 'held', text: t('취소') },
}

/** What is wrong, and where that does not say it, what to do. */
export const problemTexts: Record<NonNullable<Delivery['problem']>, string> = {
  secret_unreadable: t(
    '저장된 비밀 값을 읽을 수 없습니다. 다시 입력하거나 작업 서버의 SECRET_KEY를 확인하세요.',
  ),
  bad_address: t('주소가 올바르지 않습니다.'),
  name_unknown: t('서버 이름을 찾을 수 없습니다.'),
  private_address: t('내부망 주소에는 보내지 않습니다.'),
  unreachable: t('서버에 연결할 수 없습니다.'),
  tls: t('보안 연결(인증서)을 확인할 수 없습니다.'),
  timeout: t('정해진 시간 안에 응답이 없었습니다.'),
  redirect: t('다른 주소로 넘기는 응답입니다. 최종 주소를 입력하세요.'),
  status_4xx: t('받는 쪽이 거절했습니다 (4xx).'),
  status_5xx: t('받는 쪽에 오류가 있습니다 (5xx).'),
  login_refused: t('메일 서버 로그인이 거절되었습니다.'),
  recipient_refused: t('메일 서버가 보내는 주소나 받는 주소를 거절했습니다.'),
  failed: t('보내지 못했습니다. 작업 서버의 로그를 확인하세요.'),
}
