import plusIcon from 'lucide-static/icons/plus.svg?raw'
import { useState } from 'react'
import { serverNow } from '../../live/clock.ts'
import { showToast } from '../../shell/toast.ts'
import { t } from '../language/t.ts'
import { api } from '../session/api.ts'
import { call, isReadOnly, toLogin } from '../session/session.ts'
import type { Administrator } from '../session/types.ts'
import { Loaded } from '../ui/AsyncView.tsx'
import { Badge } from '../ui/Badge.tsx'
import { Button } from '../ui/Button.tsx'
import { confirm } from '../ui/confirm.ts'
import { agoText } from '../ui/dates.ts'
import { ListCard } from '../ui/Group.tsx'
import { Table } from '../ui/Table.tsx'
import { useAction } from '../ui/use-action.ts'
import { useResource } from '../ui/use-resource.ts'
import { AddAdmin, rightsText } from './AddAdmin.tsx'
import styles from './AdminList.module.css'
import { OneTimePassword } from './OneTimePassword.tsx'

type Told = { administrator: Administrator; password: string }

/** Administrators, what they may do and how they log in. */
export function AdminList() {
  const list = useResource(() => call(() => api.administrators.get()))
  const [isAdding, setAdding] = useState(false)
  const [told, setTold] = useState<Told>()
  const handOut = async (handed: Told) => {
    setAdding(false)
    setTold(handed)
    await list.reload()
  }
  return (
    <ListCard
      title={t('관리자와 권한')}
      reason={t('사람마다 계정을 따로 만드세요. 권한을 바꾸면 그 관리자의 로그인은 모두 끝납니다.')}
      actions={
        <Button writes size="small" icon={plusIcon} onClick={() => setAdding(true)}>
          {t('관리자 추가')}
        </Button>
      }
    >
      <Loaded from={list} rows={2}>
        {(data) => (
          <Table<Administrator>
            label={t('관리자와 권한')}
            rows={data}
            idOf={({ id }) => `${id}`}
            columns={[
              {
                name: t('관리자'),
                place: 'lead',
                cell: ({ username, isOwn }) => (
                  <span className={styles.name}>
                    <b className="break">{username}</b>
                    {isOwn && <Badge tone="ok">{t('나')}</Badge>}
                  </span>
                ),
              },
              { name: t('권한'), cell: (admin) => <Rights admin={admin} onChanged={list.reload} /> },
              { name: t('로그인 방법'), cell: (admin) => <SecondFactor admin={admin} /> },
              {
                name: t('마지막 로그인'),
                cell: ({ lastLoginAt }) =>
                  lastLoginAt === null
                    ? t('30일 안에 없음')
                    : agoText((serverNow() - Date.parse(lastLoginAt)) / 1000),
              },
              {
                name: t('관리'),
                place: 'end',
                cell: (admin) => <Actions admin={admin} onTold={handOut} onChanged={list.reload} />,
              },
            ]}
          />
        )}
      </Loaded>
      {isAdding && <AddAdmin onClose={() => setAdding(false)} onAdded={handOut} />}
      {told && <OneTimePassword {...told} onClose={() => setTold(undefined)} />}
    </ListCard>
  )
}

function SecondFactor({
  admin: { disabledAt, isOneTime, otpConfirmed, passkeys },
}: {
  admin: Administrator
}) {
  if (disabledAt) return <Badge tone="held">{t('삭제됨')}</Badge>
  if (isOneTime) return <Badge tone="wait">{t('일회용 비밀번호')}</Badge>
  if (passkeys > 0) return <Badge tone="ok">{t('비밀번호와 패스키')}</Badge>
  return otpConfirmed ? (
    <Badge tone="ok">{t('비밀번호와 OTP')}</Badge>
  ) : (
    <Badge tone="held">{t('비밀번호만')}</Badge>
  )
}

type RowProps = { admin: Administrator; onChanged: () => Promise<void> }

const nameOf = (readOnly: boolean) => (readOnly ? t('읽기 전용') : t('전체 권한'))

function Rights({ admin: { id, username, readOnly, disabledAt, isOwn }, onChanged }: RowProps) {
  const [change, isBusy] = useAction(t('권한을 바꾸지 못했습니다'), async (next: boolean) => {
    const yes = await confirm({
      title: t('권한 변경'),
      tone: !next || isOwn ? 'danger' : 'plain',
      action: t('권한 변경'),
      body: (
        <>
          {t('{name}: {from}에서 {to}로 바꿉니다. 이 관리자의 로그인은 모두 끝납니다.', {
            name: username,
            from: nameOf(readOnly),
            to: nameOf(next),
          })}{' '}
          {rightsText(next)}
        </>
      ),
    })
    if (!yes) return
    await call(() => api.administrators({ id }).patch({ readOnly: next }))
    if (isOwn) return toLogin(t('권한을 바꿨습니다. 다시 로그인해주세요.'))
    showToast(t('권한을 바꿨습니다'), `${username}: ${nameOf(next)}`, 'good')
    await onChanged()
  })
  if (disabledAt || isReadOnly()) return <span>{nameOf(readOnly)}</span>
  return (
    <select
      className={`input ${styles.role}`}
      aria-label={t('{name}의 권한', { name: username })}
      value={`${readOnly}`}
      disabled={isBusy}
      onChange={({ target }) => void change(target.value === 'true')}
    >
      {[false, true].map((one) => (
        <option key={`${one}`} value={`${one}`}>
          {nameOf(one)}
        </option>
      ))}
    </select>
  )
}

function Actions({ admin, onChanged, onTold }: RowProps & { onTold: (told: Told) => Promise<void> }) {
  const { id, username, disabledAt, isOwn } = admin
  const [reset, isResetting] = useAction(t('비밀번호를 만들지 못했습니다'), async () => {
    const yes = await confirm({
      title: disabledAt ? t('관리자 복구') : t('새 일회용 비밀번호'),
      action: disabledAt ? t('복구') : t('비밀번호 만들기'),
      body: disabledAt
        ? t('{name} 계정을 새 일회용 비밀번호로 다시 엽니다.', { name: username })
        : t('{name}의 지금 비밀번호는 쓸 수 없게 되고 로그인이 모두 끝납니다.', { name: username }),
    })
    if (yes) await onTold(await call(() => api.administrators({ id })['reset-password'].post()))
  })
  const [remove, isRemoving] = useAction(t('관리자를 삭제하지 못했습니다'), async () => {
    const yes = await confirm({
      title: t('관리자 삭제'),
      tone: 'danger',
      action: t('삭제'),
      body: t('{name}의 로그인이 모두 끝나고 다시 들어올 수 없습니다. 감사 기록은 남습니다.', {
        name: username,
      }),
      typed: { label: t('확인을 위해 사용자명을 입력하세요'), value: username },
    })
    if (!yes) return
    await call(() => api.administrators({ id }).delete())
    showToast(t('관리자를 삭제했습니다'), username, 'good')
    await onChanged()
  })
  if (isOwn || isReadOnly()) return null
  return (
    <div className={styles.actions}>
      <Button tone="edged" size="compact" isBusy={isResetting} onClick={() => void reset()}>
        {disabledAt ? t('복구') : t('새 비밀번호')}
      </Button>
      {!disabledAt && (
        <Button tone="danger-edged" size="compact" isBusy={isRemoving} onClick={() => void remove()}>
          {t('삭제')}
        </Button>
      )}
    </div>
  )
}
