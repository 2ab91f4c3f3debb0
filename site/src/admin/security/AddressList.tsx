import plusIcon from 'lucide-static/icons/plus.svg?raw'
import trashIcon from 'lucide-static/icons/trash-2.svg?raw'
import { useState } from 'react'
import { isListed, toListEntry } from '../../../../core/address-list.ts'
import { RaffleError } from '../../../../core/errors.ts'
import { Icon } from '../../shell/Icon.tsx'
import { t } from '../language/t.ts'
import { api } from '../session/api.ts'
import { call, isReadOnly, refusedField } from '../session/session.ts'
import type { SecurityState } from '../session/types.ts'
import { Badge } from '../ui/Badge.tsx'
import { Button } from '../ui/Button.tsx'
import { confirm } from '../ui/confirm.ts'
import { errorText } from '../ui/error-text.ts'
import { TextField } from '../ui/Field.tsx'
import { Group } from '../ui/Group.tsx'
import rowStyles from '../ui/Rows.module.css'
import { savedWithUndo } from '../ui/undo.ts'
import { useAction } from '../ui/use-action.ts'
import styles from './AddressList.module.css'

const saveList = (allowedIps: string[], version: string) =>
  call(() => api.settings.patch({ allowedIps, version }))

type Props = { security: SecurityState; onChanged: () => Promise<void> }

/** Addresses that may log in. A list without the user's own address is refused, here and on the server. */
export function AddressList({ security, onChanged }: Props) {
  const { allowedIps, ip } = security
  const [entry, setEntry] = useState('')
  const [error, setError] = useState<string>()

  const [save, isBusy] = useAction(
    t('IP 목록을 저장하지 못했습니다'),
    async (next: string[], done: string) => {
      try {
        const saved = await saveList(next, security.version)
        setEntry('')
        savedWithUndo(t('IP 목록을 저장했습니다'), done, async () => {
          await saveList(allowedIps, saved.version)
          await onChanged()
        })
      } catch (caught) {
        if (refusedField(caught, 'allowedIps')) setError(errorText(caught, ''))
        throw caught
      } finally {
        // After a conflict this loads the list that another administrator has saved.
        await onChanged()
      }
    },
  )
  const add = async (text: string) => {
    if (text.trim() === '') return setError(t('IP 주소를 입력해주세요'))
    const wanted = readEntry(text)
    if (wanted instanceof RaffleError) return setError(errorText(wanted, ''))
    if (allowedIps.includes(wanted)) return setError(t('이미 목록에 있는 주소입니다.'))
    const next = [...allowedIps, wanted]
    if (!isListed(next, ip))
      return setError(
        t('현재 IP({ip})가 목록에 없어 저장하면 접속이 차단됩니다. 현재 IP를 먼저 추가하세요.', { ip }),
      )
    setError(undefined)
    if (allowedIps.length === 0) {
      const yes = await confirm({
        title: t('IP 제한 시작'),
        action: t('제한 시작'),
        body: t(
          '지금은 모든 IP가 허용됩니다. 저장하면 목록에 있는 주소({wanted})에서만 관리자 페이지에 들어올 수 있습니다.',
          { wanted },
        ),
      })
      if (!yes) return
    }
    await save(next, t('{wanted} 주소를 허용합니다.', { wanted }))
  }
  const remove = async (item: string) => {
    const next = allowedIps.filter((one) => one !== item)
    if (!isListed(next, ip))
      return setError(t('현재 IP({ip})가 목록에 없어 저장하면 접속이 차단됩니다.', { ip }))
    const yes = await confirm({
      title: t('허용 IP 삭제'),
      tone: 'danger',
      action: t('삭제'),
      body:
        next.length === 0
          ? t('{item} 주소를 지우면 목록이 비어 모든 IP에서 접속할 수 있게 됩니다.', { item })
          : t('{item}에서는 더 이상 관리자 페이지에 들어올 수 없습니다.', { item }),
    })
    if (!yes) return
    setError(undefined)
    await save(
      next,
      next.length === 0 ? t('이제 모든 IP가 허용됩니다.') : t('{item} 주소를 지웠습니다.', { item }),
    )
  }

  return (
    <Group
      title={t('IP 화이트리스트')}
      reason={t(
        '목록에 있는 주소에서만 관리자 페이지에 들어올 수 있습니다. 비어 있으면 모든 IP가 허용됩니다.',
      )}
    >
      <div>
        <p className="field-label">{t('허용된 IP')}</p>
        {allowedIps.length === 0 ? (
          <p className="quiet">{t('목록이 비어 있어 모든 IP가 허용됩니다.')}</p>
        ) : (
          <ul className={`rows ${styles.list}`} aria-label={t('허용된 IP')}>
            {allowedIps.map((item) => (
              <li key={item}>
                <span className="figure">{item}</span>
                {isListed([item], ip) && <Badge tone="ok">{t('현재 IP')}</Badge>}
                <button
                  type="button"
                  className={styles.remove}
                  aria-label={t('{item} 삭제', { item })}
                  disabled={isBusy || isReadOnly()}
                  onClick={() => void remove(item)}
                >
                  <Icon svg={trashIcon} />
                </button>
              </li>
            ))}
          </ul>
        )}
      </div>
      <form
        className={rowStyles.add}
        noValidate
        onSubmit={(event) => {
          event.preventDefault()
          void add(entry)
        }}
      >
        <TextField
          label={t('IP 추가')}
          value={entry}
          onChange={(value) => {
            setEntry(value)
            setError(undefined)
          }}
          error={error}
          hint={t('현재 IP: {ip}. 범위는 203.0.113.0/24처럼 적습니다.', { ip })}
          placeholder="203.0.113.7"
          autoComplete="off"
          spellCheck={false}
          isMono
        />
        <Button writes type="submit" icon={plusIcon} isBusy={isBusy}>
          {t('추가')}
        </Button>
        {!allowedIps.some((item) => isListed([item], ip)) && (
          <Button writes tone="edged" disabled={isBusy} onClick={() => void add(ip)}>
            {t('현재 IP 추가')}
          </Button>
        )}
      </form>
    </Group>
  )
}

/** The entry as it is stored, or the error if it is invalid. */
function readEntry(text: string): string | RaffleError {
  try {
    return toListEntry(text)
  } catch (error) {
    if (error instanceof RaffleError) return error
    throw error
  }
}
