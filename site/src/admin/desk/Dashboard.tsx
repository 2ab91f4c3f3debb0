import { useStore } from '@nanostores/react'
import { type ReactNode, useEffect, useRef } from 'react'
import type { PublicState } from '../../../../core/live/public.ts'
import { $now } from '../../live/clock.ts'
import { hasWinner } from '../../live/history.ts'
import { $link, $live } from '../../live/live.ts'
import { AccountTab } from '../account/AccountTab.tsx'
import { DrawTab } from '../draw/DrawTab.tsx'
import { EventTab } from '../event/EventTab.tsx'
import { SettingsTab } from '../event/SettingsTab.tsx'
import { DataTab } from '../exports/DataTab.tsx'
import { HistoryTab } from '../history/HistoryTab.tsx'
import { t } from '../language/t.ts'
import { BlockchainTab } from '../payments/BlockchainTab.tsx'
import { RefundTab } from '../refund/RefundTab.tsx'
import { SecurityTab } from '../security/SecurityTab.tsx'
import { followEvent } from '../session/config.ts'
import { $enrolment } from '../session/session.ts'
import { SetupList } from '../setup/SetupList.tsx'
import { CoverNote } from '../solvency/SolvencyCard.tsx'
import styles from '../ui/card.module.css'
import { ConfirmDialog } from '../ui/Dialog.tsx'
import { Badge, Note } from '../ui/Note.tsx'
import { $tab, openTab, type TabId, tabs } from '../ui/tab.ts'
import { Frame } from './Frame.tsx'
import { $facts, badgesOf, NeedsYou } from './NeedsYou.tsx'
import { Enrolment, OwnAddress, ReadOnlyNote } from './Notices.tsx'
import { ChainFoot, Sidebar } from './Sidebar.tsx'
import { Summary } from './Summary.tsx'

const panels: Record<TabId, () => ReactNode> = {
  config: SettingsTab,
  blockchain: BlockchainTab,
  winner: DrawTab,
  refund: RefundTab,
  data: DataTab,
  history: HistoryTab,
  account: AccountTab,
  event: EventTab,
  security: SecurityTab,
}

export function Dashboard() {
  const tab = useStore($tab)
  const mustEnrol = useStore($enrolment) === 'due'
  const live = useStore($live)
  const link = useStore($link)
  const now = useStore($now)
  const facts = useStore($facts)
  const title = useRef<HTMLHeadingElement>(null)

  useEffect(followEvent, [])
  useEffect(() => {
    if (mustEnrol) openTab('security')
  }, [mustEnrol])
  const current = tabs.find(({ id }) => id === tab) ?? tabs[0]
  useEffect(() => {
    document.title = `${current.title} · Blockdraw`
  }, [current])

  const state = eventState(live, now)
  const Panel = panels[tab]
  return (
    <Frame side={<Sidebar badges={badgesOf(facts)} />} foot={<ChainFoot />}>
      <div className={styles.title}>
        <h1 ref={title} tabIndex={-1}>
          {current.title}
        </h1>
        {state && <Badge tone={state.tone}>{state.text}</Badge>}
      </div>
      <Summary />
      {link === 'offline' && (
        <Note tone="bad" role="status">
          {t(
            '서버에 연결할 수 없습니다. 화면의 숫자는 마지막으로 받은 값이며, 연결을 계속 시도하고 있습니다.',
          )}
        </Note>
      )}
      <CoverNote />
      <ReadOnlyNote />
      <OwnAddress />
      <Enrolment />
      {!mustEnrol && tab === tabs[0].id && (
        <>
          <NeedsYou />
          <SetupList />
        </>
      )}
      {(!mustEnrol || tab === 'security') && (
        <div id="panel" role="tabpanel" aria-labelledby={`tab-${tab}`} className={styles.panel}>
          <Panel key={tab} />
        </div>
      )}
      <ConfirmDialog />
    </Frame>
  )
}

/** Where the running event stands, as one badge says it. */
function eventState(
  { config, drawStatus, winner }: Partial<PublicState>,
  now: number,
): { tone: 'ok' | 'wait' | 'bad'; text: string } | undefined {
  if (!config) return undefined
  const name = t('이벤트 {eventNumber}', { eventNumber: config.eventNumber })
  const isPast = (iso: string | null) => iso !== null && Date.parse(iso) <= now
  if (config.isRefundMode) return { tone: 'bad', text: t('{name} 환불 진행 중', { name }) }
  if (drawStatus?.isDrawing) return { tone: 'wait', text: t('{name} 추첨 중', { name }) }
  if (hasWinner(winner)) return { tone: 'ok', text: t('{name} 당첨자 발표됨', { name }) }
  if (isPast(config.drawDate)) return { tone: 'wait', text: t('{name} 추첨 대기', { name }) }
  if (isPast(config.saleEndDate)) return { tone: 'wait', text: t('{name} 판매 종료', { name }) }
  if (config.salesPaused) return { tone: 'bad', text: t('{name} 판매 일시 중지', { name }) }
  return { tone: 'ok', text: t('{name} 진행 중', { name }) }
}
