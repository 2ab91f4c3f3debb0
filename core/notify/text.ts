import type { Language } from '../admin/language.ts'
import { shorten } from '../format.ts'
import { usdtOf } from '../money.ts'
import type { RefundCause } from '../refund/rules.ts'
import type { Notice, NoticeFacts } from './kinds.ts'

/** What people read, in a line and in a sentence or two. Values are those that the moment knew. */
export const noticeText = (
  { kind, eventNumber, facts }: Pick<Notice, 'kind' | 'eventNumber' | 'facts'>,
  language: Language,
): { title: string; text: string } => {
  const { title, text } =
    texts[language][kind === 'anchored' && facts.list === 'other' ? 'anchored_otherwise' : kind]
  const about = eventNumber === null ? '' : eventName[language](eventNumber)
  return { title: [about, title].filter(Boolean).join(': '), text: text(facts) }
}

/** Where on the site it is looked after. */
export const noticePath = ({ kind, facts }: Pick<Notice, 'kind' | 'facts'>): '/' | '/admin' =>
  (kind === 'anchored' && facts.list !== 'other') ||
  kind === 'drawn' ||
  kind === 'first_payment' ||
  kind === 'minimum_reached'
    ? '/'
    : '/admin'

const eventName: Record<Language, (eventNumber: number) => string> = {
  ko: (eventNumber) => `이벤트 ${eventNumber}회`,
  en: (eventNumber) => `Event ${eventNumber}`,
}

/** `anchored_otherwise`: by a wallet of ours, and not the list that was frozen. */
type Texts = Record<
  Notice['kind'] | 'anchored_otherwise',
  { title: string; text: (facts: NoticeFacts) => string }
>

const count = (value: NoticeFacts[string] | undefined, language: Language): string =>
  Number(value ?? 0).toLocaleString(language === 'ko' ? 'ko-KR' : 'en-US')
const ko = (value: NoticeFacts[string] | undefined): string => count(value, 'ko')
const tickets = (value: NoticeFacts[string] | undefined): string =>
  `${count(value, 'en')} ${Number(value) === 1 ? 'ticket' : 'tickets'}`
const usdt = (value: NoticeFacts[string] | undefined): string => `${usdtOf(`${value ?? 0}`)} USDT`
const wallet = (value: NoticeFacts[string] | undefined): string => shorten(`${value ?? ''}`, 8, 6)
const hash = (value: NoticeFacts[string] | undefined): string => shorten(`${value ?? ''}`, 12, 8)

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
const cause = (facts: NoticeFacts, language: Language): string =>
  causes[language][facts.reason as RefundCause] ?? ''

const steps: Record<Language, Record<string, string>> = {
  ko: { make: '백업 생성', send: '외부 저장소 전송', rehearse: '복원 점검', rotate: '오래된 백업 정리' },
  en: {
    make: 'making the backup',
    send: 'sending it off-site',
    rehearse: 'restoring it as a trial',
    rotate: 'removing old ones',
  },
}

const texts: Record<Language, Texts> = {
  ko: {
    first_payment: {
      title: '첫 결제가 들어왔습니다',
      text: (f) => `응모권 ${ko(f.ticketsSold)}장이 판매되었습니다.`,
    },
    minimum_reached: {
      title: '최소 응모권 수에 도달했습니다',
      text: (f) =>
        `${ko(f.minTickets)}장이 필요했고 ${ko(f.ticketsSold)}장이 판매되었습니다. 추첨이 진행됩니다.`,
    },
    sale_ended: {
      title: '판매가 끝났습니다',
      text: (f) =>
        `응모권 ${ko(f.ticketsSold)}장이 판매되었습니다. 마지막 블록이 확정되면 장부가 고정됩니다.`,
    },
    frozen: {
      title: '장부가 고정되었습니다',
      text: (f) => `응모권 ${ko(f.ticketsSold)}장, SHA-256 ${hash(f.ledgerSha256)}`,
    },
    anchored: {
      title: '약속이나 장부의 지문이 체인에 기록되었습니다',
      text: (f) => `거래 ${hash(f.transactionHash)}, 지갑 ${wallet(f.wallet)}`,
    },
    anchored_otherwise: {
      title: '확인 필요: 약속도 장부도 아닌 기록이 체인에 올라왔습니다',
      text: (f) =>
        `거래 ${hash(f.transactionHash)}, 지갑 ${wallet(f.wallet)}. 직접 올린 것이 아니라면 이 지갑의 키를 다른 사람이 쓰고 있습니다.`,
    },
    drawn: {
      title: '추첨이 끝났습니다',
      text: (f) =>
        `당첨 번호 ${ko(f.winningTicket)} / ${ko(f.ticketsSold)}장, 지갑 ${wallet(f.wallet)}. 당첨자 수: ${ko(f.winners)}`,
    },
    claimed: {
      title: '당첨자가 경품을 신청했습니다',
      text: (f) => `${ko(f.place)}등, 지갑 ${wallet(f.wallet)}. 경품을 보내주세요.`,
    },
    refund_mode: {
      title: '환불 모드로 바뀌었습니다',
      text: (f) => `${cause(f, 'ko')} 구매자에게 환불해주세요.`,
    },
    refunds_done: {
      title: '환불이 모두 끝났습니다',
      text: (f) => `${ko(f.payers)}명, 합계 ${usdt(f.units)}`,
    },
    cover_short: {
      title: '보유 금액이 부족하거나 확인되지 않습니다',
      text: (f) =>
        f.state === 'unknown'
          ? '10분 동안 두 노드에서 지갑 잔액을 읽지 못했습니다. 공개 페이지에도 표시됩니다.'
          : `필요 ${usdt(f.required)}, 보유 ${usdt(f.held)}. 공개 페이지에도 표시됩니다.`,
    },
    halted: {
      title: '판매가 멈췄습니다',
      text: (f) =>
        `응모권 ${ko(f.ticketsSold)}장. 장부와 체인이 달라 확인이 필요합니다. 관리자가 다시 열 때까지 판매되지 않습니다.`,
    },
    terms_taken_back: {
      title: '이벤트 조건이 되돌려졌습니다',
      text: () => '바뀐 조건보다 먼저 결제된 첫 티켓이 있어, 그 구매자가 본 조건으로 잠겼습니다.',
    },
    word_wanted: {
      title: '다른 관리자의 확인이 필요합니다',
      text: (f) =>
        `${f.username}의 요청을 24시간 안에 관리자 페이지에서 확인하거나 거절해주세요. 본인이 요청하지 않았다면 비밀번호를 바꾸고 모든 세션을 종료해주세요.`,
    },
    new_address: {
      title: '새로운 주소에서 로그인했습니다',
      text: (f) =>
        `${f.username}, IP ${f.address}. 본인이 아니라면 비밀번호를 바꾸고 모든 세션을 종료해주세요.`,
    },
    backup_failed: {
      title: '백업에 실패했습니다',
      text: (f) => `단계: ${steps.ko[`${f.step}`] ?? f.step}. 백업 서비스의 로그를 확인해주세요.`,
    },
    test: { title: '알림 시험', text: () => '이 채널로 알림을 받을 수 있습니다.' },
  },
  en: {
    first_payment: {
      title: 'the first payment has arrived',
      text: (f) => `${tickets(f.ticketsSold)} sold.`,
    },
    minimum_reached: {
      title: 'the minimum is reached',
      text: (f) =>
        `${tickets(f.minTickets)} were needed, ${count(f.ticketsSold, 'en')} are sold. It will be drawn.`,
    },
    sale_ended: {
      title: 'the sale has ended',
      text: (f) => `${tickets(f.ticketsSold)} sold. The ledger is frozen once the last block is final.`,
    },
    frozen: {
      title: 'the ledger is frozen',
      text: (f) => `${tickets(f.ticketsSold)}, SHA-256 ${hash(f.ledgerSha256)}`,
    },
    anchored: {
      title: 'terms or ledger are anchored on chain',
      text: (f) => `Transaction ${hash(f.transactionHash)}, wallet ${wallet(f.wallet)}`,
    },
    anchored_otherwise: {
      title: 'look into it: something else than terms or ledger is anchored on chain',
      text: (f) =>
        `Transaction ${hash(f.transactionHash)}, wallet ${wallet(f.wallet)}. If this was not you, somebody else uses the key of this wallet.`,
    },
    drawn: {
      title: 'drawn',
      text: (f) =>
        `Ticket ${count(f.winningTicket, 'en')} of ${count(f.ticketsSold, 'en')} has won, wallet ${wallet(f.wallet)}. Winners: ${count(f.winners, 'en')}`,
    },
    claimed: {
      title: 'a winner has claimed',
      text: (f) => `Place ${count(f.place, 'en')}, wallet ${wallet(f.wallet)}. The prize can be sent.`,
    },
    refund_mode: {
      title: 'refund mode',
      text: (f) => `${cause(f, 'en')} Buyers are to get their money back.`,
    },
    refunds_done: {
      title: 'all refunds are paid',
      text: (f) => `Payers: ${count(f.payers, 'en')}, in all ${usdt(f.units)}`,
    },
    cover_short: {
      title: 'the wallets hold less than is owed, or nobody knows',
      text: (f) =>
        f.state === 'unknown'
          ? 'For ten minutes no two endpoints have told what the wallets hold. The public page says so.'
          : `Required ${usdt(f.required)}, held ${usdt(f.held)}. The public page says so.`,
    },
    halted: {
      title: 'sales are halted',
      text: (f) =>
        `${tickets(f.ticketsSold)} so far. Ledger and chain differ: look into it. Nothing is sold until an administrator resumes.`,
    },
    terms_taken_back: {
      title: 'the terms of the event were taken back',
      text: () => 'The first ticket was paid before they changed: they are locked as its buyer was told.',
    },
    word_wanted: {
      title: 'A second administrator is asked for',
      text: (f) =>
        `${f.username} asks: allow or refuse it in the administrator area within 24 hours. If you are ${f.username} and did not ask, change the password and end all sessions.`,
    },
    new_address: {
      title: 'Login from a new address',
      text: (f) =>
        `${f.username}, IP ${f.address}. If this was not you, change the password and end all sessions.`,
    },
    backup_failed: {
      title: 'The backup has failed',
      text: (f) => `At: ${steps.en[`${f.step}`] ?? f.step}. The log of the backup service says why.`,
    },
    test: { title: 'Test message', text: () => 'Messages can be received by this channel.' },
  },
}
