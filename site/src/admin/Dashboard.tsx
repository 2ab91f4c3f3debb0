import { useStore } from '@nanostores/react'
import { type ReactNode, useEffect, useRef } from 'react'
import { $now } from '../stores/clock.ts'
import { $link, $live } from '../stores/live.ts'
import { type TabId, tabs } from './content.ts'
import { eventState } from './lib/event-state.ts'
import { Badge } from './parts/Badge.tsx'
import { ConfirmDialog } from './parts/ConfirmDialog.tsx'
import { Frame } from './parts/Frame.tsx'
import { Note } from './parts/Note.tsx'
import { ReauthDialog } from './parts/ReauthDialog.tsx'
import { ChainFoot, Sidebar } from './parts/Sidebar.tsx'
import { Summary } from './parts/Summary.tsx'
import { followEvent } from './stores/config.ts'
import { $pipeline } from './stores/pipeline.ts'
import { $mustEnrol } from './stores/session.ts'
import { $tab, openTab } from './stores/tab.ts'
import { AccountTab } from './tabs/AccountTab.tsx'
import { BlockchainTab } from './tabs/BlockchainTab.tsx'
import { DataTab } from './tabs/DataTab.tsx'
import { DrawTab } from './tabs/DrawTab.tsx'
import { EventTab } from './tabs/EventTab.tsx'
import { HistoryTab } from './tabs/HistoryTab.tsx'
import { RefundTab } from './tabs/RefundTab.tsx'
import { SecurityTab } from './tabs/SecurityTab.tsx'
import { SettingsTab } from './tabs/SettingsTab.tsx'

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
  const mustEnrol = useStore($mustEnrol)
  const live = useStore($live)
  const link = useStore($link)
  const now = useStore($now)
  const pipeline = useStore($pipeline)
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
  const withoutTicket = Object.values(pipeline?.withoutTicket ?? {}).reduce((sum, n) => sum + n, 0)
  const Panel = panels[tab]
  return (
    <Frame
      side={<Sidebar badges={{ blockchain: withoutTicket, refund: pipeline?.openRefunds ?? 0 }} />}
      foot={<ChainFoot />}
    >
      <div className="admin-title">
        <h1 ref={title} tabIndex={-1}>
          {current.title}
        </h1>
        {state && <Badge tone={state.tone}>{state.text}</Badge>}
      </div>
      <Summary />
      {link === 'offline' && (
        <Note tone="bad" role="status">
          서버에 연결할 수 없습니다. 화면의 숫자는 마지막으로 받은 값이며, 연결을 계속 시도하고 있습니다.
        </Note>
      )}
      {mustEnrol && tab !== 'security' ? (
        <Note tone="bad">
          2단계 인증(OTP)을 먼저 설정해야 합니다.{' '}
          <button type="button" className="link" onClick={() => openTab('security')}>
            시스템 설정 열기
          </button>
        </Note>
      ) : (
        <div id="panel" role="tabpanel" aria-labelledby={`tab-${tab}`} className="panel">
          <Panel key={tab} />
        </div>
      )}
      <ConfirmDialog />
      <ReauthDialog />
    </Frame>
  )
}
