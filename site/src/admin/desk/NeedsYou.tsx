import { useStore } from '@nanostores/react'
import { t } from '../language/t.ts'
import { $pipeline, $pipelineTrouble, chainState } from '../payments/pipeline.ts'
import { $event } from '../session/config.ts'
import { goToStep } from '../setup/steps.ts'
import { Badge } from '../ui/Badge.tsx'
import { Button } from '../ui/Button.tsx'
import { ListCard } from '../ui/card.tsx'
import { type Column, Table } from '../ui/list.tsx'
import { openTab } from '../ui/tab.ts'
import { $facts, type Need, needsOf } from './needs.ts'

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
    cell: ({ key, tab, button, text }) => (
      <Button
        tone="edged"
        size="compact"
        aria-label={`${text} ${button}`}
        onClick={() => (key === 'date' ? void goToStep('date') : openTab(tab))}
      >
        {button}
      </Button>
    ),
  },
]
