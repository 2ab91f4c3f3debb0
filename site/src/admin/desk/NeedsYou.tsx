import { useStore } from '@nanostores/react'
import { atom, onMount } from 'nanostores'
import { usdtOf } from '../../../../core/money.ts'
import { serverNow } from '../../live/clock.ts'
import { Row } from '../../shell/Layout.tsx'
import { Dates } from '../event/promises.tsx'
import { t } from '../language/t.ts'
import { $chain, type ChainState } from '../payments/PipelineCard.tsx'
import type { DeskPrize } from '../prize/PrizeDesk.tsx'
import type { RefundSummary } from '../refund/desk.ts'
import { $event, loadEvent } from '../session/config.ts'
import { $enrolment, type AdminConfig, api, call } from '../session/session.ts'
import { goToStep } from '../setup/SetupList.tsx'
import { type Action, ActionButton, Button } from '../ui/action.tsx'
import { Badge, ListCard } from '../ui/card.tsx'
import { count, toApi } from '../ui/format.ts'
import listStyles from '../ui/list.module.css'
import { $tab, openTab, type TabId } from '../ui/tab.ts'

export function NeedsYou() {
  const facts = useStore($facts)
  const event = useStore($event)
  const chain = useStore($chain)
  const needs = needsOf({ facts, event, chain })
  const isKnown = facts !== undefined && event !== undefined
  return (
    <ListCard
      title={t('할 일')}
      actions={
        <Badge tone={isKnown && needs.length === 0 ? 'ok' : 'wait'}>
          {!isKnown ? t('확인 중') : needs.length === 0 ? t('모두 정상입니다') : count(needs.length)}
        </Badge>
      }
    >
      {isKnown && needs.length > 0 && (
        <ul className="rows">
          {needs.map((need) => (
            <Line key={need.key} need={need} />
          ))}
        </ul>
      )}
    </ListCard>
  )
}

const Line = ({ need }: { need: Need }) => (
  <li className="row spread">
    <span>{need.text}</span>
    <Row as="span" gap={8}>
      <ActionButton action={setDate} row={need} onDone={loadEvent} size="small" />
      <Button
        tone="edged"
        size="small"
        aria-label={`${need.text} ${need.button}`}
        onClick={() => (need.key === 'date' ? void goToStep('date') : openTab(need.tab))}
      >
        {need.button}
      </Button>
    </Row>
  </li>
)

const isTrial = Boolean(import.meta.env.PUBLIC_DEMO_RPC_URL)
const offered = (event: AdminConfig) => offeredDate(serverNow(), event.saleLeadSeconds, isTrial)

/** One press for who has no date yet; where money is real, the date is shown first. */
const setDate: Action<Need> = {
  name: t('바로 정하기'),
  label: ({ text }) => `${text} ${t('바로 정하기')}`,
  failure: t('설정 업데이트에 실패했습니다'),
  fits: ({ key }) => key === 'date',
  ask() {
    const event = $event.get()
    if (isTrial || !event) return undefined
    return {
      title: t('추첨 조건 변경'),
      action: t('변경 저장'),
      body: (
        <ul className={`stack gap-8 ${listStyles.plain}`}>
          <Dates date={offered(event)} leadSeconds={event.saleLeadSeconds} />
        </ul>
      ),
    }
  },
  async run() {
    const event = $event.get()
    if (!event) return
    const body = { drawDate: toApi(offered(event)), version: event.version }
    await call(() => api.raffle.config.patch(body))
  },
  told: () => [t('설정을 저장했습니다'), t('공개 페이지에 바로 반영됩니다.')],
  tone: 'gold',
  writes: true,
}

type Need = { key: string; tab: TabId; text: string; button: string }

export type DeskFacts = {
  refunds: Pick<RefundSummary, 'events' | 'payers' | 'unmarkedTransfers'>
  prizes: DeskPrize[]
}
type Known = {
  facts: DeskFacts | undefined
  event: Pick<AdminConfig, 'drawDate' | 'isRefundMode' | 'isOver' | 'isHalted' | 'eventNumber'> | undefined
  chain: ChainState
}

/** What hinders everything first, then what is owed and waits for a person, then what is missing. @internal */
export function needsOf({ facts, event, chain }: Known): Need[] {
  const needs: Need[] = []
  const add = (tab: TabId, button: string, key: string, text: string) =>
    needs.push({ key, tab, button, text })
  const refund = (key: string, text: string) => add('refund', t('환불 관리 열기'), key, text)
  const { events = [], payers, unmarkedTransfers = 0 } = facts?.refunds ?? {}

  if (chain.tone === 'bad' || chain.needsYou)
    add('blockchain', t('노드 상태 보기'), 'chain', t('체인 연결: {text}', { text: chain.text }))
  if (event?.isHalted) add('blockchain', t('판매 재개하러 가기'), 'halted', t('판매가 멈춰 있습니다.'))
  for (const { eventNumber, due } of events)
    if (BigInt(due) > 0n)
      refund(
        `refund ${eventNumber}`,
        t('이벤트 {eventNumber}: {due} USDT를 돌려주어야 합니다.', { eventNumber, due: usdtOf(due) }),
      )
  if (unmarkedTransfers > 0)
    refund(
      'transfers',
      t('직접 보낸 전송 {count}건이 무엇이었는지 정해야 합니다.', { count: count(unmarkedTransfers) }),
    )
  if (payers && payers.held > 0)
    refund('held', t('보류된 환불 {count}건을 보낼지 정해야 합니다.', { count: count(payers.held) }))
  for (const { eventNumber, place, unpaid, state } of facts?.prizes.filter(isWaiting) ?? [])
    add(
      'winner',
      t('경품 관리 열기'),
      `prize ${eventNumber} ${place}`,
      state === 'claimed'
        ? t('이벤트 {eventNumber} 경품 {place}번: 신청되었습니다. 보내야 합니다.', { eventNumber, place })
        : t('이벤트 {eventNumber} 경품 {place}번: {units} USDT를 보내야 합니다.', {
            ...{ eventNumber, place, units: usdtOf(unpaid ?? '0') },
          }),
    )
  if (event && event.drawDate === null && !event.isRefundMode && !event.isOver) {
    const { eventNumber } = event
    add(
      'config',
      t('날짜 정하기'),
      'date',
      t('이벤트 {eventNumber}의 추첨 일시가 없습니다.', { eventNumber }),
    )
  }
  return needs
}

const [minuteMs, hourMs, weekMs] = [60_000, 3_600_000, 604_800_000]

/** What one press sets: one after a week of sale, on a trial whose draw comes soon after it the soonest. @internal */
export function offeredDate(now: number, leadSeconds: number, isTrial: boolean): Date {
  const isSoon = isTrial && leadSeconds < hourMs / 1_000
  const [ahead, step] = isSoon ? [5 * minuteMs, minuteMs] : [weekMs, hourMs]
  return new Date(Math.ceil((now + leadSeconds * 1_000 + ahead) / step) * step)
}

const isWaiting = ({ state, holder }: DeskPrize): boolean =>
  state === 'claimed' || (state === 'due' && holder !== null)

export const badgesOf = (facts: DeskFacts | undefined): Partial<Record<TabId, number>> => ({
  refund: facts ? facts.refunds.payers.due + facts.refunds.payers.held : 0,
  winner: facts?.prizes.filter(isWaiting).length ?? 0,
})

const everyMs = 20_000

export const $facts = atom<DeskFacts | undefined>()

onMount($facts, () => {
  const ask = async () => {
    if (document.visibilityState !== 'visible' || $enrolment.get() === 'due') return
    const [refunds, prizes] = await Promise.all([
      call(() => api.refunds.summary.get()),
      call(() => api.prizes.get()),
    ])
    $facts.set({ refunds, prizes })
  }
  // What cannot be read now is read the next time; the tabs themselves say why.
  const look = () => void ask().catch(() => undefined)
  const stop = $tab.subscribe(look)
  const timer = setInterval(look, everyMs)
  return () => {
    stop()
    clearInterval(timer)
  }
})
