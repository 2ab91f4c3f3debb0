import refreshIcon from 'lucide-static/icons/refresh-cw.svg?raw'
import { useState } from 'react'
import { showToast } from '../../shell/toast.ts'
import { api } from '../frame/api.ts'
import { Badge } from '../frame/Badge.tsx'
import { Button } from '../frame/Button.tsx'
import { toStamp } from '../frame/dates.ts'
import { ListCard } from '../frame/Group.tsx'
import rowStyles from '../frame/Rows.module.css'
import { call } from '../frame/session.ts'
import type { Delivery } from '../frame/types.ts'
import { useAction } from '../frame/use-action.ts'
import { t } from '../language/t.ts'
import { List } from '../ui/list.tsx'
import { Select } from '../ui/select.tsx'
import { deliveryKindText, problemTexts, stateTexts } from './texts.ts'

/** `turn`: another number reads the list again. */
export function DeliveryList({ turn, onChanged }: { turn: number; onChanged: () => Promise<void> }) {
  const [state, setState] = useState<Delivery['state'] | ''>('')
  return (
    <ListCard
      title={t('알림 전달 기록')}
      reason={t(
        '받는 쪽이 답하지 않으면 1초 뒤부터 간격을 늘려 3일 동안 다시 보냅니다. 같은 알림은 늘 같은 번호로 갑니다.',
      )}
      actions={
        <>
          <Select
            isLabelled
            label={t('상태')}
            value={state}
            options={[
              ['', t('전체')],
              ...Object.entries(stateTexts).map(
                ([code, { text }]) => [code as Delivery['state'], text] as const,
              ),
            ]}
            onChange={setState}
          />
          <Button tone="edged" size="small" icon={refreshIcon} onClick={() => void onChanged()}>
            {t('새로 읽기')}
          </Button>
        </>
      }
    >
      <List<Delivery>
        label={t('알림 전달 기록')}
        idOf={({ id }) => id}
        query={state}
        turn={turn}
        load={(last) => {
          const query = { state, cursor: `${last?.id ?? ''}`, channel: '' } as const
          return call(() => api.deliveries.get({ query }))
        }}
        empty={state ? t('이 상태의 알림이 없습니다.') : t('아직 보낸 알림이 없습니다.')}
        columns={[
          { name: t('시각 (UTC)'), cell: ({ at }) => <span className="figure">{toStamp(at)}</span> },
          { name: t('알림'), place: 'lead', cell: nameOf },
          { name: t('채널'), cell: ({ channelName }) => <span className="break">{channelName}</span> },
          { name: t('시도'), isFigure: true, cell: ({ attempts }) => t('{attempts}회', { attempts }) },
          {
            name: t('상태'),
            place: 'end',
            cell: (row) => <Badge tone={stateTexts[row.state].tone}>{stateTexts[row.state].text}</Badge>,
          },
          { name: t('내용'), place: 'last', cell: (row) => <Outcome row={row} onChanged={onChanged} /> },
        ]}
      />
    </ListCard>
  )
}

const nameOf = ({ kind, eventNumber }: Delivery): string =>
  [deliveryKindText(kind), eventNumber !== null && t('(이벤트 {eventNumber})', { eventNumber })]
    .filter(Boolean)
    .join(' ')

function Outcome({ row, onChanged }: { row: Delivery; onChanged: () => Promise<void> }) {
  const { id, state, sentAt, nextTryAt, problem } = row
  const [retry, isBusy] = useAction(t('다시 보내지 못했습니다'), async () => {
    await call(() => api.deliveries({ id }).retry.post())
    showToast(t('다시 보냅니다'), t('잠시 뒤 목록을 새로 읽어보세요.'), 'good')
    await onChanged()
  })
  if (state === 'sent') return <span className="figure">{sentAt && toStamp(sentAt)}</span>
  if (state === 'dropped') return <span className="hint">{t('채널이 삭제되었습니다.')}</span>
  return (
    <div className={rowStyles.stack}>
      {problem && <span>{problemTexts[problem]}</span>}
      {nextTryAt && (
        <span className="hint">
          {t('다음 시도')} <span className="figure">{toStamp(nextTryAt)}</span>
        </span>
      )}
      <div>
        <Button need="delivery.retry" tone="edged" size="small" isBusy={isBusy} onClick={() => void retry()}>
          {t('지금 다시 보내기')}
        </Button>
      </div>
    </div>
  )
}
