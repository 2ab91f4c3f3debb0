import { useStore } from '@nanostores/react'
import { serverNow } from '../../live/clock.ts'
import { t } from '../language/t.ts'
import { NotifySettings } from '../notify/NotifySettings.tsx'
import { PasskeyGroup } from '../passkey/PasskeyGroup.tsx'
import { AdminList } from '../roles/AdminList.tsx'
import {
  $enrolment,
  $username,
  api,
  call,
  isReadOnly,
  type SessionItem,
  toLogin,
} from '../session/session.ts'
import { type Action, ActionButton } from '../ui/action.tsx'
import { Badge, Folded } from '../ui/card.tsx'
import { agoText, toField } from '../ui/format.ts'
import { type Column, List } from '../ui/list.tsx'
import { Loaded, useResource } from '../ui/resource.tsx'
import { AddressList } from './AddressList.tsx'
import { AuditLog } from './AuditLog.tsx'
import { OtpGroup } from './OtpGroup.tsx'

export function SecurityTab() {
  const mustEnrol = useStore($enrolment) === 'due'
  const security = useResource(() => call(() => api.settings.get()))
  return (
    <>
      <Loaded from={security} rows={6}>
        {(data) => (
          <>
            <OtpGroup security={data} onChanged={security.reload} />
            <PasskeyGroup onChanged={security.reload} />
            {!mustEnrol && <AddressList security={data} onChanged={security.reload} />}
          </>
        )}
      </Loaded>
      {!mustEnrol && (
        <>
          <AdminList key={`${security.data?.otpConfirmed} ${security.data?.passkeys}`} />
          <SessionList />
          <NotifySettings />
          <AuditLog />
        </>
      )}
    </>
  )
}

function SessionList() {
  const sessions = useResource(() => call(() => api.sessions.get()))
  return (
    <Folded
      title={t('로그인 세션')}
      state={sessions.data && <span className="hint">{t('{count}개', { count: sessions.data.length })}</span>}
      reason={t('30분 동안 쓰지 않거나 12시간이 지나면 저절로 끝납니다.')}
    >
      <List<SessionItem>
        label={t('로그인 세션')}
        from={sessions}
        idOf={({ id }) => id}
        columns={columns}
        actions={[end]}
        foot={<ActionButton action={endAll} />}
        empty={t('없음')}
      />
    </Folded>
  )
}

const columns: Column<SessionItem>[] = [
  { name: t('사용자'), place: 'lead', cell: ({ username }) => <b>{username}</b> },
  { name: 'IP', cell: ({ clientAddress }) => <span className="figure">{clientAddress}</span> },
  {
    name: t('로그인 (UTC)'),
    cell: ({ createdAt }) => <span className="figure">{toField(createdAt).slice(0, 16)}</span>,
  },
  {
    name: t('마지막 사용'),
    cell: ({ lastSeenAt }) => agoText((serverNow() - Date.parse(lastSeenAt)) / 1000),
  },
  {
    name: t('구분'),
    place: 'end',
    cell: ({ isCurrent }) => isCurrent && <Badge tone="ok">{t('이 기기')}</Badge>,
  },
]

const end: Action<SessionItem> = {
  name: t('종료'),
  failure: t('세션을 끝내지 못했습니다'),
  label: ({ clientAddress }) => t('{clientAddress} 세션 종료', { clientAddress }),
  ask: ({ clientAddress, username }) => ({
    title: t('세션 종료'),
    body: t(
      '{clientAddress}에서 로그인한 {username}의 세션이 끝납니다. 그 기기에서는 다시 로그인해야 합니다.',
      { clientAddress, username },
    ),
  }),
  run: ({ id }) => call(() => api.sessions({ id }).delete()),
  told: ({ clientAddress }) => [t('세션을 종료했습니다'), clientAddress],
  tone: 'danger-edged',
  fits: ({ isCurrent, username }) => !isCurrent && !(isReadOnly() && username !== $username.get()),
}
const endAll: Action = {
  name: t('모든 세션 종료'),
  failure: t('세션을 끝내지 못했습니다'),
  ask: () => ({
    action: t('모두 종료'),
    body: t('이 기기를 포함해 이 계정의 모든 로그인이 끝납니다. 다시 로그인해야 합니다.'),
  }),
  async run() {
    await call(() => api.sessions.delete())
    toLogin(t('모든 세션을 종료했습니다. 다시 로그인해주세요.'))
  },
  tone: 'danger-edged',
}
