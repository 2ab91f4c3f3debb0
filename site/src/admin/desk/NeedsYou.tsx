import { useStore } from '@nanostores/react'
import { serverNow } from '../../live/clock.ts'
import { Row } from '../../shell/Layout.tsx'
import { Dates } from '../event/confirm-settings.tsx'
import { t } from '../language/t.ts'
import { $pipeline, $pipelineTrouble, chainState } from '../payments/pipeline.ts'
import { api } from '../session/api.ts'
import { $event, loadEvent } from '../session/config.ts'
import { call } from '../session/session.ts'
import type { AdminConfig } from '../session/types.ts'
import { goToStep } from '../setup/steps.ts'
import { type Action, ActionButton } from '../ui/action.tsx'
import { Badge } from '../ui/Badge.tsx'
import { Button } from '../ui/Button.tsx'
import { ListCard } from '../ui/card.tsx'
import { toApi } from '../ui/dates.ts'
import listStyles from '../ui/list.module.css'
import { type Column, Table } from '../ui/list.tsx'
import { openTab } from '../ui/tab.ts'
import { $facts, type Need, needsOf, offeredDate } from './needs.ts'

/** What waits for the operator, each with the button to where it is done, or that nothing does. */
export function NeedsYou() {
  const facts = useStore($facts)
  const event = useStore($event)
  const chain = chainState(useStore($pipeline), useStore($pipelineTrouble))
  const needs = needsOf({ facts, event, chain })
  const isKnown = facts !== undefined && event !== undefined
  return (
    <ListCard
      title={t('할 일')}
      actions={
        <Badge tone={isKnown && needs.length === 0 ? 'ok' : 'wait'}>
          {!isKnown
            ? t('확인 중')
            : needs.length === 0
              ? t('모두 정상입니다')
              : t('{count}건', { count: needs.length })}
        </Badge>
      }
    >
      {isKnown && needs.length > 0 && (
        <Table<Need> label={t('할 일')} rows={needs} idOf={({ key }) => key} columns={columns} />
      )}
    </ListCard>
  )
}

const columns: Column<Need>[] = [
  { name: t('할 일'), place: 'lead', cell: ({ text }) => text },
  {
    name: t('작업'),
    place: 'end',
    cell: (need) => (
      <Row gap={8}>
        <ActionButton action={setDate} row={need} onDone={loadEvent} size="compact" />
        <Button
          tone="edged"
          size="compact"
          aria-label={`${need.text} ${need.button}`}
          onClick={() => (need.key === 'date' ? void goToStep('date') : openTab(need.tab))}
        >
          {need.button}
        </Button>
      </Row>
    ),
  },
]

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
        <ul className={listStyles.plain}>
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
