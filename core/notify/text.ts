import type { Language } from '../admin/language.ts'
import { shorten, usdtOf } from '../money.ts'
import type { RefundCause } from '../refund/rules.ts'
import type { Notice, NoticeFacts } from './kinds.ts'

/** What people read, in a line and in a sentence or two. Values are those that the moment knew. */
export function noticeText(
  { kind, eventNumber, facts }: Pick<Notice, 'kind' | 'eventNumber' | 'facts'>,
  language: Language,
): { title: string; text: string } {
  const [title, text] = texts[language][kind]
  const about = language === 'ko' ? `이벤트 ${eventNumber}회: ` : `Event ${eventNumber}: `
  return { title: eventNumber === null ? title : about + title, text: text(facts) }
}

type Texts = Record<Notice['kind'], [title: string, text: (facts: NoticeFacts) => string]>
type Value = NoticeFacts[string] | undefined

const count = (value: Value): string => Number(value ?? 0).toLocaleString('en-US')
const usdt = (value: Value): string => `${usdtOf(`${value ?? 0}`)} USDT`
const wallet = (value: Value): string => shorten(`${value ?? ''}`, 8, 6)

/** Who has changed what: the action as the audit list has it, and about whom or from what to what. */
const change = ({ username, address, action, about, before, after }: NoticeFacts): string => {
  const what = before === undefined ? about : `${before || '-'} → ${after || '-'}`
  return [`${username}${address ? `, IP ${address}` : ''}`, what ? `${action}: ${what}` : action].join('. ')
}

const causes: Record<Language, Record<RefundCause, string>> = {
  ko: {
    minimum: '최소 응모권 수에 이르지 못했습니다.',
    overdue: '추첨 일시가 제때 정해지지 않았습니다.',
    beacon_lost: '추첨에 쓸 공개 난수가 오지 않았습니다.',
    stopped: '운영자가 판매를 중단했습니다.',
    ledger: '확정된 장부가 체인과 달라졌습니다.',
  },
  en: {
    minimum: 'The minimum was not reached.',
    overdue: 'No draw date was set in time.',
    beacon_lost: 'The public random number of the draw never came.',
    stopped: 'The operator stopped the sale.',
    ledger: 'The frozen ledger is no longer what the chain says.',
  },
}

const notMe = {
  ko: '본인이 아니라면 비밀번호를 바꾸고 모든 세션을 종료해주세요.',
  en: 'If this was not you, change the password and end all sessions.',
}
const changed = (title: string, language: Language): Texts['wallet_changed'] => [
  title,
  (f) => `${change(f)}. ${notMe[language]}`,
]

const texts: Record<Language, Texts> = {
  ko: {
    new_browser: ['새로운 브라우저에서 로그인했습니다', (f) => `${f.username}, IP ${f.address}. ${notMe.ko}`],
    wrong_codes: [
      '비밀번호는 맞고 2차 인증은 틀린 로그인이 있었습니다',
      (f) => `${f.username}. 본인이 아니라면 다른 사람이 비밀번호를 알고 있습니다. 지금 바꿔주세요.`,
    ],
    wallet_changed: changed('운영자 지갑이 바뀌었습니다', 'ko'),
    addresses_changed: changed('허용 IP 목록이 바뀌었습니다', 'ko'),
    second_factor_changed: changed('2단계 인증이 바뀌었습니다', 'ko'),
    administrators_changed: changed('관리자 계정이 바뀌었습니다', 'ko'),
    password_changed: changed('관리자 이름이나 비밀번호가 바뀌었습니다', 'ko'),
    channels_changed: changed('알림 채널이 바뀌었습니다', 'ko'),
    payments_trouble: [
      '결제에 문제가 있습니다',
      (f) =>
        f.reason === 'terms_taken_back'
          ? '바뀐 조건보다 먼저 결제된 첫 티켓이 있어, 그 구매자가 본 조건으로 잠겼습니다.'
          : `응모권 ${count(f.ticketsSold)}장에서 판매가 멈췄습니다. 장부와 체인이 달라 관리자가 확인하고 다시 열어야 합니다.`,
    ],
    endpoints: [
      '노드가 응답하지 않습니다',
      () => '10분 동안 서로 맞는 노드가 둘이 되지 않아 판매를 멈췄습니다. RPC_URLS를 확인해주세요.',
    ],
    cover_short: [
      '보유 금액이 부족하거나 확인되지 않습니다',
      (f) =>
        f.state === 'unknown'
          ? '10분 동안 두 노드에서 지갑 잔액을 읽지 못했습니다. 공개 페이지에도 표시됩니다.'
          : `필요 ${usdt(f.required)}, 보유 ${usdt(f.held)}. 공개 페이지에도 표시됩니다.`,
    ],
    refund_mode: [
      '환불 모드로 바뀌었습니다',
      (f) => `${causes.ko[f.reason as RefundCause] ?? ''} 구매자에게 환불해주세요.`,
    ],
    drawn: [
      '추첨이 끝났습니다',
      (f) => `당첨 번호 ${count(f.winningTicket)}, 판매된 응모권 ${count(f.ticketsSold)}장.`,
    ],
    claimed: [
      '당첨자가 경품을 신청했습니다',
      (f) => `${count(f.place)}등, 지갑 ${wallet(f.wallet)}. 경품을 보내주세요.`,
    ],
    backup_failed: ['백업에 실패했습니다', (f) => `단계: ${f.step}. 백업 서비스의 로그를 확인해주세요.`],
    test: ['알림 시험', () => '이 채널로 알림을 받을 수 있습니다.'],
  },
  en: {
    new_browser: ['Login from a new browser', (f) => `${f.username}, IP ${f.address}. ${notMe.en}`],
    wrong_codes: [
      'A login had the right password and a wrong second factor',
      (f) => `${f.username}. If this was not you, somebody knows the password: change it now.`,
    ],
    wallet_changed: changed('The operator wallet has changed', 'en'),
    addresses_changed: changed('The list of allowed addresses has changed', 'en'),
    second_factor_changed: changed('A second factor has changed', 'en'),
    administrators_changed: changed('The administrators have changed', 'en'),
    password_changed: changed('Name or password of an administrator has changed', 'en'),
    channels_changed: changed('The channels of notices have changed', 'en'),
    payments_trouble: [
      'trouble with payments',
      (f) =>
        f.reason === 'terms_taken_back'
          ? 'The first ticket was paid before the terms changed: they are locked as its buyer was told.'
          : `Sales are halted at ${count(f.ticketsSold)} tickets: ledger and chain differ. Look into it; nothing is sold until an administrator resumes.`,
    ],
    endpoints: [
      'The nodes do not answer',
      () => 'For ten minutes no two nodes have agreed, so sales are paused. Look at RPC_URLS.',
    ],
    cover_short: [
      'The wallets hold less than is owed, or nobody knows',
      (f) =>
        f.state === 'unknown'
          ? 'For ten minutes no two endpoints have told what the wallets hold. The public page says so.'
          : `Required ${usdt(f.required)}, held ${usdt(f.held)}. The public page says so.`,
    ],
    refund_mode: [
      'refund mode',
      (f) => `${causes.en[f.reason as RefundCause] ?? ''} Buyers are to get their money back.`,
    ],
    drawn: ['drawn', (f) => `Ticket ${count(f.winningTicket)} of ${count(f.ticketsSold)} has won.`],
    claimed: [
      'a winner has claimed',
      (f) => `Place ${count(f.place)}, wallet ${wallet(f.wallet)}. The prize can be sent.`,
    ],
    backup_failed: ['The backup has failed', (f) => `At: ${f.step}. The log of the backup service says why.`],
    test: ['Test message', () => 'Messages can be received by this channel.'],
  },
}
