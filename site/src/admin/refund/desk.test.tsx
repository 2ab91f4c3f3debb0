import type { ReactNode } from 'react'
import { afterEach, expect, test } from 'vitest'
import { buttonsOf, linesOf, markupOf, tell } from '../../../../e2e/lab/islands.ts'
import { hashOf, other, wallet } from '../../../../e2e/lab/told.ts'
import { usdt, usdtUnits } from '../../../../e2e/lab/usdt.ts'
import { $toast } from '../../shell/toast.ts'
import { Table } from '../ui/list.tsx'
import { $run, type PayerFacts, type RefundRow, type RefundSummary, showRun } from './desk.ts'
import { Known } from './PayerFacts.tsx'
import type { PayState } from './pay.ts'
import { columns, Desk } from './RefundTab.tsx'
import { Steps } from './SigningCard.tsx'

const units = (amount: number) => `${usdtUnits(amount)}`
const lines = (island: ReactNode) => linesOf(markupOf(island))
afterEach(() => $run.set(undefined))

type Change = Omit<Partial<RefundSummary>, 'payers'> & { payers?: Partial<RefundSummary['payers']> }

/** Nobody is owed anything, unless `change` says so. */
const summary = ({ payers, ...change }: Change = {}): RefundSummary => ({
  ...{ owed: '0', paid: '0', due: '0', held: '0', minUnits: units(0.1), dust: { payers: 0, units: '0' } },
  payers: { owed: 0, due: 0, held: 0, sent: 0, settled: 0, ...payers },
  ...{ unmarkedTransfers: 0, reports: [], isPaused: false, isWatching: true, book: hashOf(7), chainId: 56 },
  ...{ token: usdt, operatorWallet: wallet, events: [] },
  ...change,
})
const owing = { owed: units(222), paid: units(129), due: units(93) }

/** What stands above the table: the sums, what hinders, the card for signing. */
const desk = (change?: Change): string[] => {
  tell()
  const shown = lines(<Desk summary={summary(change)} onChange={async () => undefined} />)
  return shown.slice(0, shown.indexOf('환불 대상'))
}
const pressable = (change: Change) =>
  buttonsOf(<Desk summary={summary(change)} onChange={async () => undefined} />)

test('nothing owed: three zeros, and nothing to sign', () => {
  expect(desk()).toEqual([
    ...['돌려줄 금액 (USDT)', '0.00', '주소 0개', '돌려준 금액 (USDT)', '0.00', '완료 0개'],
    ...['남은 금액 (USDT)', '0.00', '돌려줄 돈이 없습니다.'],
  ])
})

test('due: what is owed, paid and left, and what any wallet can sign', () => {
  const shown = desk({ ...owing, payers: { owed: 7, due: 4, sent: 1, settled: 2 } })
  expect(shown.slice(0, 9)).toEqual([
    ...['돌려줄 금액 (USDT)', '222.00', '주소 7개', '돌려준 금액 (USDT)', '129.00', '완료 2개'],
    ...['남은 금액 (USDT)', '93.00', '주소 5개'],
  ])
  expect(shown.slice(9)).toEqual([
    ...['서명', '모든 이벤트', '5건', '보낼 금액 (USDT)', '93.00'],
    'USDT를 가진 지갑이면 어느 것이나 됩니다. 돈은 늘 결제한 주소로 갑니다.',
    ...['지갑 연결', 'Safe로 지급', 'Safe 주소', '두 번 실행해도 두 번 지급되지 않습니다.', 'Safe 파일 받기'],
  ])
})

test('held: how much of it, and the way to the lines; they are not signed', () => {
  const shown = desk({
    ...owing,
    due: units(50),
    held: units(43),
    payers: { owed: 7, due: 3, held: 2, settled: 2 },
  })
  expect(shown.slice(6, 9)).toEqual(['남은 금액 (USDT)', '93.00', '그중 보류 43.00'])
  expect(shown).toContain('주소 2개가 보류되어 있습니다. 하나씩 열어 보낼지 정하세요.')
  const signed = shown.indexOf('모든 이벤트')
  expect(shown.slice(signed, signed + 4)).toEqual(['모든 이벤트', '3건', '보낼 금액 (USDT)', '50.00'])
  expect(pressable({ ...owing, payers: { owed: 7, held: 7 } })).toContain('보류 보기')
})

test('a transfer by hand that nobody has judged is asked about before anything else that is held', () => {
  const shown = desk({ ...owing, unmarkedTransfers: 1, payers: { owed: 7, due: 5, held: 2 } })
  expect(shown.filter((line) => /보류되어|직접 보낸/.test(line))).toEqual([
    '운영자 지갑에서 직접 보낸 전송 1건이 환불이었는지 정해야 합니다. 정할 때까지 그 주소에는 보내지 않습니다.',
  ])
})

test('paused, or what was sent is not known: it says so', () => {
  const payers = { owed: 7, due: 7 }
  expect(desk({ ...owing, payers, isPaused: true })).toContain(
    '환불이 일시 중지되어 있습니다. 운영 설정(REFUNDS_PAUSED)을 확인하세요.',
  )
  expect(desk({ ...owing, payers, isWatching: false })).toContain(
    '체인에서 나간 전송을 최근에 확인하지 못했습니다. 확인될 때까지 아무것도 보내지 않습니다.',
  )
  expect(pressable({ ...owing, payers, isWatching: false })).toContain('노드 상태 보기')
})

test('done: all is paid and final, and nothing is left to sign', () => {
  const shown = desk({ owed: units(222), paid: units(222), payers: { owed: 7, settled: 7 } })
  expect(shown.slice(6, 9)).toEqual(['남은 금액 (USDT)', '0.00', '모두 돌려주었고 체인에서 확정되었습니다.'])
  expect(shown).not.toContain('Safe로 지급')
})

const row = (change: Partial<RefundRow>): RefundRow => ({
  ...{ payer: other, owed: units(30), byHand: '0', byRegister: '0', total: units(30), due: units(30) },
  ...{ amount: 3_000, state: 'due', holds: [], events: [1], tickets: 10, transactionHash: null },
  ...change,
})

test('a line of the table: address, tickets, owed, left, state with its reasons, last transaction', () => {
  const rows = [
    row({}),
    row({ payer: wallet, state: 'held', holds: ['contract', 'transfer'] }),
    row({ payer: usdt, state: 'surplus', due: units(-3), transactionHash: hashOf(1) }),
  ]
  const shown = lines(<Table label="" columns={columns} rows={rows} idOf={({ payer }) => payer} />)
  expect(shown.slice(6)).toEqual([
    ...['0x3C44…93BC', '10', '30.00', '30.00', '예정', '없음'],
    ...['0x7099…79C8', '10', '30.00', '30.00', '보류, 컨트랙트, 구분할 전송', '없음'],
    ...['0x55d3…7955', '10', '30.00', '−3.00', '초과 지급', `${hashOf(1).slice(0, 10)}…`],
  ])
})

test('an opened line tells payments, transfers to be judged, decisions, and what can be decided', () => {
  const at = '2055-01-01T10:00:00Z'
  const facts: PayerFacts = {
    row: row({ state: 'held', holds: ['transfer', 'manual'], byHand: '0', due: units(30) }),
    payments: [
      {
        ...{ transactionHash: hashOf(1), wallet, eventNumber: 1, amount: 3_000, units: units(30) },
        ...{ ticketCount: 10, reason: null, at, received: units(12), isOwn: false },
      },
    ],
    transfers: [
      {
        transactionHash: hashOf(2),
        wallet,
        amount: 1_200,
        units: units(12),
        at,
        kind: 'register',
        markedAs: null,
      },
      { transactionHash: hashOf(3), wallet, amount: 500, units: units(5), at, kind: 'hand', markedAs: null },
    ],
    decisions: [{ decision: 'hold', holds: [], note: '전화로 확인', at }],
  }
  tell()
  const island = <Known facts={facts} onChange={async () => undefined} />
  const shown = lines(island)
  const entry = (hash: string) => shown.find((line) => line.startsWith(hash.slice(0, 10)))?.slice(12)
  expect(entry(hashOf(1))).toBe('2055-01-01 10:00:00 UTC, 이벤트 1, 티켓 10장, 돌려줌 12.00 30.00')
  expect(entry(hashOf(2))).toBe('2055-01-01 10:00:00 UTC, 0x7099…79C8 12.00 환불, 컨트랙트')
  expect(shown.filter((line) => /않음|었음/.test(line))).toEqual([
    '아직 정하지 않음',
    '환불이었음',
    '환불이 아니었음',
  ])
  expect(shown.find((line) => line.includes('전화로 확인'))).toBe('보류 2055-01-01 10:00:00 UTC, 전화로 확인')
  expect(buttonsOf(island)).toEqual(['- 환불로 세기', '보류 해제'])
})

test('steps of a run: what is done, what the wallet is asked for, what follows, what is left out', () => {
  const share = (count: number) => ({ count, units: usdtUnits(3 * count) })
  const run: PayState = {
    ...{ phase: 'call', approving: undefined, paid: [share(180)], ahead: [share(180), share(20)] },
    refused: [{ to: other, ...share(1), sent: usdtUnits(2) }],
    ...{ isCompared: true, stop: undefined, error: undefined },
  }
  expect(lines(<Steps run={run} />)).toEqual([
    ...['거래 1', '180건, 540.00 USDT', '2', '거래 2', '180건, 540.00 USDT'],
    ...['3', '거래 3', '20건, 60.00 USDT'],
    '0x3C44…93BC 3.00 USDT: 지갑의 노드에는 이 주소가 2.00 USDT만 보낸 것으로 나와 뺐습니다.',
    '지갑에서 승인하세요. 답이 없어도 체인에서 지급이 보이면 이어집니다.',
  ])
})

test('a run that something else than its user stops is told by a toast, in the words of the card', () => {
  const stopped = (stop: PayState['stop'], error?: unknown): PayState => ({
    ...{ phase: 'stopped', approving: undefined, paid: [], ahead: [], refused: [], isCompared: true },
    ...{ stop, error },
  })
  const told = (run: PayState) => {
    $toast.set(undefined)
    showRun(run)
    const { title, text, tone } = $toast.get() ?? {}
    return title && [title, text, tone]
  }
  const title = '지갑 환불을 실행하는 중 오류가 발생했습니다'
  expect(told(stopped('wallet', new Error('port is gone')))).toEqual([
    ...[title, '지갑이 오류를 답했습니다 (port is gone).', 'bad'],
  ])
  expect(told(stopped('bnb'))).toEqual([title, '수수료로 쓸 BNB가 모자랍니다.', 'bad'])
  expect([
    told(stopped('left')),
    told(stopped('refused')),
    told({ ...stopped(undefined), phase: 'done' }),
  ]).toEqual([...[undefined, undefined, undefined]])
})
