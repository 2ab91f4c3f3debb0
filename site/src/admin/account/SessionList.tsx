import { serverNow } from '../../live/clock.ts'
import { showToast } from '../../shell/toast.ts'
import { t } from '../language/t.ts'
import { api } from '../session/api.ts'
import { $username, call, isReadOnly, toLogin } from '../session/session.ts'
import type { SessionItem } from '../session/types.ts'
import { Loaded } from '../ui/AsyncView.tsx'
import { Badge } from '../ui/Badge.tsx'
import { Button } from '../ui/Button.tsx'
import { confirm } from '../ui/confirm.ts'
import { agoText, toField } from '../ui/dates.ts'
import { ListCard } from '../ui/Group.tsx'
import { Table } from '../ui/Table.tsx'
import { useAction } from '../ui/use-action.ts'
import { useResource } from '../ui/use-resource.ts'

/** The account's active sessions. */
export function SessionList() {
  const sessions = useResource(() => call(() => api.sessions.get()))
  const [endAll, isBusy] = useAction(t('세션을 끝내지 못했습니다'), async () => {
    const yes = await confirm({
      title: t('모든 세션 종료'),
      tone: 'danger',
      action: t('모두 종료'),
      body: t('이 기기를 포함해 이 계정의 모든 로그인이 끝납니다. 다시 로그인해야 합니다.'),
    })
    if (!yes) return
    await call(() => api.sessions.delete())
    toLogin(t('모든 세션을 종료했습니다. 다시 로그인해주세요.'))
  })
  const [endOne] = useAction(
    t('세션을 끝내지 못했습니다'),
    async ({ id, username, clientAddress }: SessionItem) => {
      const yes = await confirm({
        title: t('세션 종료'),
        tone: 'danger',
        action: t('종료'),
        body: t(
          '{clientAddress}에서 로그인한 {username}의 세션이 끝납니다. 그 기기에서는 다시 로그인해야 합니다.',
          { clientAddress, username },
        ),
      })
      if (!yes) return
      await call(() => api.sessions({ id }).delete())
      showToast(t('세션을 종료했습니다'), clientAddress, 'good')
      await sessions.reload()
    },
  )
  return (
    <ListCard
      title={t('로그인 세션')}
      reason={t('30분 동안 쓰지 않거나 12시간이 지나면 저절로 끝납니다.')}
      actions={
        <Button tone="danger-edged" size="small" isBusy={isBusy} onClick={() => void endAll()}>
          {t('모든 세션 종료')}
        </Button>
      }
    >
      <Loaded from={sessions} rows={2}>
        {(data) => (
          <Table<SessionItem>
            label={t('로그인 세션')}
            rows={data}
            idOf={({ id }) => id}
            columns={[
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
                cell: (session) =>
                  session.isCurrent ? (
                    <Badge tone="ok">{t('이 기기')}</Badge>
                  ) : isReadOnly() && session.username !== $username.get() ? null : (
                    <Button
                      tone="danger-edged"
                      size="compact"
                      aria-label={t('{clientAddress} 세션 종료', { clientAddress: session.clientAddress })}
                      onClick={() => void endOne(session)}
                    >
                      {t('종료')}
                    </Button>
                  ),
              },
            ]}
          />
        )}
      </Loaded>
    </ListCard>
  )
}
