import { useStore } from '@nanostores/react'
import { $prizes } from '../../live/live.ts'
import { t } from '../language/t.ts'
import { api } from '../session/api.ts'
import { call } from '../session/session.ts'
import { Empty, Loaded } from '../ui/AsyncView.tsx'
import { ListCard } from '../ui/Group.tsx'
import listStyles from '../ui/List.module.css'
import { useResource } from '../ui/use-resource.ts'
import styles from './PrizeDesk.module.css'
import { PrizeItem } from './PrizeItem.tsx'

/** Whose each prize is, what has to be done for it, and by when: for all events, the newest first. */
export function PrizeDesk() {
  // What the public is told changes with the desk's own list.
  const told = useStore($prizes)
  const key = JSON.stringify(told?.map(({ state, holder }) => [state, holder]))
  const found = useResource(() => call(() => api.prizes.get()), { everyMs: 20_000, key })
  return (
    <ListCard
      title={t('경품 관리')}
      reason={t(
        '받을 사람과 차례는 규칙이 정합니다. 여기에서는 발송을 기록하고, USDT 경품의 금액과 주소를 확인합니다.',
      )}
    >
      <div className={listStyles.body}>
        <Loaded from={found} rows={2}>
          {(prizes) =>
            prizes.length === 0 ? (
              <Empty title={t('아직 발표된 경품이 없습니다.')} />
            ) : (
              <ul className={`rows ${styles.prizes}`}>
                {prizes.map((prize) => (
                  <PrizeItem
                    key={`${prize.eventNumber} ${prize.place}`}
                    prize={prize}
                    onSaid={found.reload}
                  />
                ))}
              </ul>
            )
          }
        </Loaded>
      </div>
    </ListCard>
  )
}
