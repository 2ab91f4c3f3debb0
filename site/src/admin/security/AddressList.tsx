import plusIcon from 'lucide-static/icons/plus.svg?raw'
import { isListed, toListEntry } from '../../../../core/address-list.ts'
import { RaffleError } from '../../../../core/errors.ts'
import { t } from '../language/t.ts'
import { api, call, isReadOnly, type SecurityState } from '../session/session.ts'
import { type Action, ActionButton, savedWithUndo } from '../ui/action.tsx'
import { Badge, Body, ListCard } from '../ui/card.tsx'
import { Entry } from '../ui/entry.tsx'
import { errorText } from '../ui/error-text.ts'
import { Table } from '../ui/list.tsx'

type Props = { security: SecurityState; onChanged: () => Promise<void> }

/** Addresses that may log in. A list without the user's own address is refused, here and on the server. */
export function AddressList({ security, onChanged }: Props) {
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
      return save([...allowedIps, wanted], t('{wanted} 주소를 허용합니다.', { wanted }))
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
    <ListCard
      title={t('IP 화이트리스트')}
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
      <Body>
        {allowedIps.length === 0 && (
          <p>
            <span className="field-label">{t('허용된 IP')}</span>{' '}
            {t('목록이 비어 있어 모든 IP가 허용됩니다.')}
          </p>
        )}
        <Entry
          label={t('IP 추가')}
          hint={t('현재 IP: {ip}. 범위는 203.0.113.0/24처럼 적습니다.', { ip })}
          placeholder="203.0.113.7"
          missing={t('IP 주소를 입력해주세요')}
          check={(text) => wrongEntry(text, allowedIps, ip)}
          isMono
          action={add}
        >
          {!allowedIps.some(isOwn) && (
            <ActionButton<string> action={{ ...add, name: t('현재 IP 추가') }} row={ip} size="normal" />
          )}
        </Entry>
      </Body>
    </ListCard>
  )
}

function wrongEntry(text: string, allowedIps: readonly string[], ip: string): string | undefined {
  try {
    const wanted = toListEntry(text)
    if (allowedIps.includes(wanted)) return t('이미 목록에 있는 주소입니다.')
    if (!isListed([...allowedIps, wanted], ip))
      return t('현재 IP({ip})가 목록에 없어 저장하면 접속이 차단됩니다. 현재 IP를 먼저 추가하세요.', { ip })
    return undefined
  } catch (error) {
    if (error instanceof RaffleError) return errorText(error, '')
    throw error
  }
}
