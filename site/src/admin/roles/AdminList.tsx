import plusIcon from 'lucide-static/icons/plus.svg?raw'
import { useState } from 'react'
import { serverNow } from '../../live/clock.ts'
import type { Answer } from '../../shell/answers.ts'
import { Row } from '../../shell/Layout.tsx'
import { t } from '../language/t.ts'
import { type Administrator, api, call, isReadOnly, toLogin } from '../session/session.ts'
import { type Action, Button, Dialog, DialogActions, DialogText, useAct } from '../ui/action.tsx'
import { Copied } from '../ui/address.tsx'
import { Badge, Folded } from '../ui/card.tsx'
import { text, toggle } from '../ui/fields.tsx'
import { Fields, FormDialog, useDraft } from '../ui/form.tsx'
import { agoText } from '../ui/format.ts'
import { List } from '../ui/list.tsx'
import { useResource } from '../ui/resource.tsx'
import { Select } from '../ui/select.tsx'

type Told = { administrator: Administrator; password: string }

export function AdminList() {
  const list = useResource(() => call(() => api.administrators.get()))
  const [isAdding, setAdding] = useState(false)
  const [told, setTold] = useState<Told>()
  const handOut = async (handed: Told) => {
    setAdding(false)
    setTold(handed)
    await list.reload()
  }
  const handing = (action: Omit<Action<Administrator>, 'run' | 'failure'>): Action<Administrator> => ({
    ...action,
    failure: t('비밀번호를 만들지 못했습니다'),
    run: async ({ id }) => setTold(await call(() => api.administrators({ id })['reset-password'].post())),
  })
  return (
    <Folded
      title={t('관리자와 권한')}
      state={list.data && <span className="hint">{t('{count}명', { count: list.data.length })}</span>}
      reason={t('사람마다 계정을 따로 만드세요. 권한을 바꾸면 그 관리자의 로그인은 모두 끝납니다.')}
    >
      <List<Administrator>
        label={t('관리자와 권한')}
        from={list}
        idOf={({ id }) => `${id}`}
        actions={[handing(reset), handing(restore), remove]}
        foot={
          <Button writes size="small" icon={plusIcon} onClick={() => setAdding(true)}>
            {t('관리자 추가')}
          </Button>
        }
        empty={t('없음')}
        columns={[
          {
            name: t('관리자'),
            place: 'lead',
            cell: ({ username, isOwn }) => (
              <Row as="span" gap={8}>
                <b className="break">{username}</b>
                {isOwn && <Badge tone="ok">{t('나')}</Badge>}
              </Row>
            ),
          },
          { name: t('권한'), cell: (admin) => <Rights admin={admin} onChanged={list.reload} /> },
          { name: t('로그인 방법'), cell: secondFactor },
          {
            name: t('마지막 로그인'),
            cell: ({ lastLoginAt }) =>
              lastLoginAt === null
                ? t('30일 안에 없음')
                : agoText((serverNow() - Date.parse(lastLoginAt)) / 1000),
          },
        ]}
      />
      {isAdding && <AddAdmin onClose={() => setAdding(false)} onAdded={handOut} />}
      {told && <OneTimePassword {...told} onClose={() => setTold(undefined)} />}
    </Folded>
  )
}

function secondFactor({ disabledAt, isOneTime, otpConfirmed, passkeys }: Administrator) {
  if (disabledAt) return <Badge tone="held">{t('삭제됨')}</Badge>
  if (isOneTime) return <Badge tone="wait">{t('일회용 비밀번호')}</Badge>
  if (passkeys > 0) return <Badge tone="ok">{t('비밀번호와 패스키')}</Badge>
  return otpConfirmed ? (
    <Badge tone="ok">{t('비밀번호와 OTP')}</Badge>
  ) : (
    <Badge tone="held">{t('비밀번호만')}</Badge>
  )
}

const nameOf = (readOnly: boolean) => (readOnly ? t('읽기 전용') : t('전체 권한'))

type RightsProps = { admin: Administrator; onChanged: () => Promise<void> }

function Rights({ admin: { id, username, readOnly, disabledAt, isOwn }, onChanged }: RightsProps) {
  const [change, isBusy] = useAct<boolean>(
    {
      failure: t('권한을 바꾸지 못했습니다'),
      ask: (next) => ({
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
      }),
      async run(next) {
        await call(() => api.administrators({ id }).patch({ readOnly: next }))
        if (isOwn) toLogin(t('권한을 바꿨습니다. 다시 로그인해주세요.'))
      },
      told: (next) => (isOwn ? undefined : [t('권한을 바꿨습니다'), `${username}: ${nameOf(next)}`]),
    },
    () => (isOwn ? undefined : onChanged()),
  )
  if (disabledAt || isReadOnly()) return <span>{nameOf(readOnly)}</span>
  return (
    <Select
      isCompact
      label={t('{name}의 권한', { name: username })}
      value={`${readOnly}`}
      disabled={isBusy}
      options={[false, true].map((one) => [`${one}`, nameOf(one)] as const)}
      onChange={(value) => void change(value === 'true')}
    />
  )
}

const isOther = ({ isOwn }: Administrator) => !isOwn && !isReadOnly()

const reset: Omit<Action<Administrator>, 'run' | 'failure'> = {
  name: t('새 비밀번호'),
  ask: ({ username }) => ({
    title: t('새 일회용 비밀번호'),
    action: t('비밀번호 만들기'),
    body: t('{name}의 지금 비밀번호는 쓸 수 없게 되고 로그인이 모두 끝납니다.', { name: username }),
  }),
  fits: (admin) => isOther(admin) && !admin.disabledAt,
}
const restore: Omit<Action<Administrator>, 'run' | 'failure'> = {
  name: t('복구'),
  ask: ({ username }) => ({
    title: t('관리자 복구'),
    body: t('{name} 계정을 새 일회용 비밀번호로 다시 엽니다.', { name: username }),
  }),
  fits: (admin) => isOther(admin) && admin.disabledAt !== null,
}
const remove: Action<Administrator> = {
  name: t('삭제'),
  failure: t('관리자를 삭제하지 못했습니다'),
  ask: ({ username }) => ({
    title: t('관리자 삭제'),
    body: t('{name}의 로그인이 모두 끝나고 다시 들어올 수 없습니다. 감사 기록은 남습니다.', {
      name: username,
    }),
    typed: { label: t('확인을 위해 사용자명을 입력하세요'), value: username },
  }),
  run: ({ id }) => call(() => api.administrators({ id }).delete()),
  told: ({ username }) => [t('관리자를 삭제했습니다'), username],
  tone: 'danger-edged',
  fits: (admin) => isOther(admin) && !admin.disabledAt,
}

const rightsText = (readOnly: boolean): string =>
  readOnly
    ? t('모든 내용을 보고 내려받을 수 있으며 자기 계정 말고는 아무것도 바꿀 수 없습니다.')
    : t('지갑, 관리자, 보안 설정까지 모두 바꿀 수 있습니다.')

type Props = {
  onClose: () => void
  onAdded: (added: Answer<'post', '/api/admin/administrators'>) => Promise<void>
}

const fields = {
  username: text({
    label: t('사용자명'),
    hint: t('영문, 숫자, . _ @ + - 을 쓸 수 있습니다.'),
    autoCapitalize: 'off',
    maxLength: 64,
    missing: t('사용자명을 입력하세요'),
  }),
  readOnly: toggle({ label: t('읽기 전용'), hint: (typed) => rightsText(typed === 'true') }),
}

function AddAdmin({ onClose, onAdded }: Props) {
  const form = useDraft({
    isSent: true,
    isWhole: true,
    fields,
    save: ({ username, readOnly = false }) =>
      call(() => api.administrators.post({ username: username ?? '', readOnly })),
    failure: t('관리자를 추가하지 못했습니다'),
    done: onAdded,
  })
  return (
    <FormDialog of={form} title={t('관리자 추가')} action={t('추가')} onClose={onClose}>
      <Fields of={form} names={['username', 'readOnly']} />
    </FormDialog>
  )
}

type ToldProps = { administrator: { username: string }; password: string; onClose: () => void }

const OneTimePassword = ({ administrator: { username }, password, onClose }: ToldProps) => (
  <Dialog title={t('일회용 비밀번호')} onClose={onClose}>
    <DialogText>
      {t(
        '{name}에게 안전한 방법으로 전하세요. 지금 한 번만 보이며, 24시간 안에 로그인해 새 비밀번호로 바꿔야 합니다.',
        { name: username },
      )}
    </DialogText>
    <Copied text={password} label={t('비밀번호 복사')}>
      <span data-secret={password}>{password}</span>
    </Copied>
    <DialogActions>
      <Button onClick={onClose}>{t('전달했습니다')}</Button>
    </DialogActions>
  </Dialog>
)
