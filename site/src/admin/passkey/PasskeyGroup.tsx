import plusIcon from 'lucide-static/icons/plus.svg?raw'
import { useState } from 'react'
import { showToast } from '../../shell/toast.ts'
import { t } from '../language/t.ts'
import { RecoveryCodes } from '../security/RecoveryCodes.tsx'
import { api } from '../session/api.ts'
import { call, readEnrolment } from '../session/session.ts'
import type { PasskeyItem } from '../session/types.ts'
import { Loaded } from '../ui/AsyncView.tsx'
import { Button } from '../ui/Button.tsx'
import { confirm } from '../ui/confirm.ts'
import { inWords } from '../ui/dates.ts'
import { TextField } from '../ui/Field.tsx'
import { Group } from '../ui/Group.tsx'
import rowStyles from '../ui/Rows.module.css'
import { useAction } from '../ui/use-action.ts'
import { useResource } from '../ui/use-resource.ts'
import { canUsePasskeys, makePasskey } from './browser.ts'
import styles from './PasskeyGroup.module.css'

/** One's own passkeys: a device that confirms the login in place of a code. */
export function PasskeyGroup({ onChanged }: { onChanged: () => Promise<void> }) {
  const list = useResource(() => call(() => api.passkeys.get()))
  const [name, setName] = useState('')
  const [error, setError] = useState<string>()
  const [codes, setCodes] = useState<string[]>()
  const isPossible = canUsePasskeys()
  const reload = async () => {
    await readEnrolment()
    await list.reload()
    await onChanged()
  }
  const [add, isAdding] = useAction(t('패스키를 등록하지 못했습니다'), async () => {
    const options = await call(() => api.passkeys.options.post(), { isEnrolling: true })
    const made = await makePasskey(options)
    const { passkey, recoveryCodes } = await call(() => api.passkeys.post({ name: name.trim(), ...made }), {
      isEnrolling: true,
    })
    setName('')
    if (recoveryCodes) setCodes(recoveryCodes)
    showToast(t('패스키를 등록했습니다'), passkey.name, 'good')
    await reload()
  })
  return (
    <Group
      title={t('패스키')}
      reason={t(
        '인증 앱의 코드 대신 기기의 지문, 얼굴 또는 PIN으로 확인합니다. 가짜 사이트에서는 쓸 수 없어 더 안전합니다.',
      )}
    >
      <Loaded from={list} rows={1}>
        {(data) =>
          data.length === 0 ? (
            <p className="quiet">{t('등록한 패스키가 없습니다.')}</p>
          ) : (
            <ul className={`rows ${styles.list}`} aria-label={t('패스키')}>
              {data.map((item) => (
                <Row key={item.id} item={item} onRemoved={reload} />
              ))}
            </ul>
          )
        }
      </Loaded>
      {codes && <RecoveryCodes codes={codes} onDone={() => setCodes(undefined)} />}
      {isPossible ? (
        <form
          className={rowStyles.add}
          noValidate
          onSubmit={(event) => {
            event.preventDefault()
            if (name.trim() === '') return setError(t('기기를 알아볼 이름을 입력하세요.'))
            void add()
          }}
        >
          <TextField
            label={t('새 패스키 이름')}
            value={name}
            onChange={(value) => {
              setName(value)
              setError(undefined)
            }}
            error={error}
            hint={t('기기마다 하나씩, 예비 기기까지 등록해 두세요.')}
            placeholder={t('회사 노트북')}
            autoComplete="off"
            maxLength={60}
          />
          <Button type="submit" icon={plusIcon} isBusy={isAdding}>
            {t('패스키 등록')}
          </Button>
        </form>
      ) : (
        <p className="hint">{t('이 브라우저에서는 패스키를 쓸 수 없습니다.')}</p>
      )}
    </Group>
  )
}

function Row({ item, onRemoved }: { item: PasskeyItem; onRemoved: () => Promise<void> }) {
  const { id, name, site, createdAt, lastUsedAt } = item
  const [remove, isRemoving] = useAction(t('패스키를 삭제하지 못했습니다'), async () => {
    const yes = await confirm({
      title: t('패스키 삭제'),
      tone: 'danger',
      action: t('삭제'),
      body: t('{name}: 이 기기로는 더 이상 로그인을 확인할 수 없습니다. 다른 기기의 로그인은 끝납니다.', {
        name,
      }),
    })
    if (!yes) return
    await call(() => api.passkeys({ id }).delete())
    showToast(t('패스키를 삭제했습니다'), name, 'good')
    await onRemoved()
  })
  return (
    <li>
      <span className={styles.matter}>
        <b className="break">{name}</b>
        <span className="hint">
          {t('{site}, 등록 {at}', { site, at: inWords(createdAt) })}
          {' · '}
          {lastUsedAt ? t('마지막 사용 {at}', { at: inWords(lastUsedAt) }) : t('아직 쓰지 않음')}
        </span>
      </span>
      <Button
        tone="danger-edged"
        size="compact"
        isBusy={isRemoving}
        aria-label={t('{name} 삭제', { name })}
        onClick={() => void remove()}
      >
        {t('삭제')}
      </Button>
    </li>
  )
}
