import { useStore } from '@nanostores/react'
import plusIcon from 'lucide-static/icons/plus.svg?raw'
import { isListed, toListEntry } from '../../../../core/address-list.ts'
import { serverNow } from '../../live/clock.ts'
import { t } from '../language/t.ts'
import { NotifySettings } from '../notify/NotifySettings.tsx'
import { AdminList } from '../roles/AdminList.tsx'
import {
  $enrolment,
  $username,
  api,
  call,
  isReadOnly,
  type SecurityState,
  type SessionItem,
  toLogin,
} from '../session/session.ts'
import { type Action, ActionButton, savedWithUndo } from '../ui/action.tsx'
import { Badge, Folded } from '../ui/card.tsx'
import { Entry } from '../ui/entry.tsx'
import { errorText } from '../ui/error-text.ts'
import { agoText, toField } from '../ui/format.ts'
import { type Column, List, Table } from '../ui/list.tsx'
import { Loaded, useResource } from '../ui/resource.tsx'
import { AuditLog } from './AuditLog.tsx'
import { OtpGroup, PasskeyGroup } from './SecondFactors.tsx'

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

function AddressList({ security, onChanged }: { security: SecurityState; onChanged: () => Promise<void> }) {
  const { allowedIps, ip, version } = security
  const isOwn = (item: string) => isListed([item], ip)
  const saveList = (ips: string[], of: string) =>
    call(() => api.settings.patch({ allowedIps: ips, version: of }))
  const save = async (next: string[], done: string) => {
    try {
      const saved = await saveList(next, version)
      savedWithUndo(t('IP 목록을 저장했습니다'), done, async () => {
        await saveList(allowedIps, saved.version)
        await onChanged()
      })
    } finally {
      // After a conflict this loads the list that another administrator has saved.
      await onChanged()
    }
  }
  const failure = t('IP 목록을 저장하지 못했습니다')
  const wrongEntry = (typed: string) => {
    try {
      if (isListed([...allowedIps, toListEntry(typed)], ip)) return undefined
      return t('현재 IP({ip})가 목록에 없어 저장하면 접속이 차단됩니다. 현재 IP를 먼저 추가하세요.', { ip })
    } catch (error) {
      return errorText(error, failure)
    }
  }
  const add: Action<string> = {
    name: t('추가'),
    failure,
    icon: plusIcon,
    ask(text) {
      const wanted = toListEntry(text)
      return allowedIps.length > 0
        ? undefined
        : {
            title: t('IP 제한 시작'),
            action: t('제한 시작'),
            body: t(
              '지금은 모든 IP가 허용됩니다. 저장하면 목록에 있는 주소({wanted})에서만 관리자 페이지에 들어올 수 있습니다.',
              { wanted },
            ),
          }
    },
    run(text) {
      const wanted = toListEntry(text)
      return save([...new Set([...allowedIps, wanted])], t('{wanted} 주소를 허용합니다.', { wanted }))
    },
    writes: true,
  }
  const without = (item: string) => allowedIps.filter((one) => one !== item)
  const remove: Action<string> = {
    name: t('삭제'),
    failure,
    label: (item) => t('{item} 삭제', { item }),
    ask: (item) => ({
      title: t('허용 IP 삭제'),
      body:
        without(item).length === 0
          ? t('{item} 주소를 지우면 목록이 비어 모든 IP에서 접속할 수 있게 됩니다.', { item })
          : t('{item}에서는 더 이상 관리자 페이지에 들어올 수 없습니다.', { item }),
    }),
    run: (item) =>
      save(
        without(item),
        without(item).length === 0
          ? t('이제 모든 IP가 허용됩니다.')
          : t('{item} 주소를 지웠습니다.', { item }),
      ),
    tone: 'danger-edged',
    // Without it the list would shut out who edits it.
    fits: (item) => !isReadOnly() && isListed(without(item), ip),
  }
  return (
    <Folded
      title={t('IP 화이트리스트')}
      state={
        <span className="hint">
          {allowedIps.length > 0 ? t('{count}개', { count: allowedIps.length }) : t('모든 IP 허용')}
        </span>
      }
      isOpen={allowedIps.length === 0}
      reason={t(
        '목록에 있는 주소에서만 관리자 페이지에 들어올 수 있습니다. 비어 있으면 모든 IP가 허용됩니다.',
      )}
    >
      {allowedIps.length > 0 && (
        <Table<string>
          label={t('허용된 IP')}
          rows={allowedIps}
          idOf={(item) => item}
          columns={[
            { name: t('허용된 IP'), place: 'lead', cell: (item) => <span className="figure">{item}</span> },
            { name: t('구분'), cell: (item) => isOwn(item) && <Badge tone="ok">{t('현재 IP')}</Badge> },
            {
              name: t('작업'),
              place: 'end',
              cell: (item) => <ActionButton<string> action={remove} row={item} size="compact" />,
            },
          ]}
        />
      )}
      {allowedIps.length === 0 && (
        <p>
          <span className="field-label">{t('허용된 IP')}</span> {t('목록이 비어 있어 모든 IP가 허용됩니다.')}
        </p>
      )}
      <Entry
        label={t('IP 추가')}
        hint={t('현재 IP: {ip}. 범위는 203.0.113.0/24처럼 적습니다.', { ip })}
        placeholder="203.0.113.7"
        missing={t('IP 주소를 입력해주세요')}
        isMono
        check={wrongEntry}
        action={add}
      >
        {!allowedIps.some(isOwn) && (
          <ActionButton<string> action={{ ...add, name: t('현재 IP 추가') }} row={ip} size="normal" />
        )}
      </Entry>
    </Folded>
  )
}
