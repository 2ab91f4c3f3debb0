import { useStore } from '@nanostores/react'
import plusIcon from 'lucide-static/icons/plus.svg?raw'
import { useState } from 'react'
import { mostLetters } from '../../../../core/event/ranges.ts'
import { t } from '../language/t.ts'
import { RecoveryCodes } from '../security/OtpGroup.tsx'
import { $enrolment, api, call, type PasskeyItem, readEnrolment } from '../session/session.ts'
import type { Action } from '../ui/action.tsx'
import { Badge, Body, Folded } from '../ui/card.tsx'
import { Entry } from '../ui/entry.tsx'
import { inWords } from '../ui/format.ts'
import { List } from '../ui/list.tsx'
import { useResource } from '../ui/resource.tsx'
import { canUsePasskeys, makePasskey } from './second-factor.tsx'

/** One's own passkeys: a device that confirms the login in place of a code. */
export function PasskeyGroup({ onChanged }: { onChanged: () => Promise<void> }) {
  const list = useResource(() => call(() => api.passkeys.get()))
  const isDue = useStore($enrolment) === 'due'
  const [codes, setCodes] = useState<string[]>()
  const reload = async () => {
    await readEnrolment()
    await list.reload()
    await onChanged()
  }
  return (
    <Folded
      title={t('패스키')}
      state={
        list.data && (
          <Badge tone={list.data.length > 0 ? 'ok' : 'held'}>
            {list.data.length > 0 ? t('{count}개', { count: list.data.length }) : t('없음')}
          </Badge>
        )
      }
      reason={t(
        '인증 앱의 코드 대신 기기의 지문, 얼굴 또는 PIN으로 확인합니다. 가짜 사이트에서는 쓸 수 없어 더 안전합니다.',
      )}
      isOpen={isDue}
    >
      <List<PasskeyItem>
        label={t('패스키')}
        from={{ ...list, reload }}
        idOf={({ id }) => id}
        actions={[remove]}
        empty={t('등록한 패스키가 없습니다.')}
        columns={[
          { name: t('이름'), place: 'lead', cell: ({ name }) => <b className="break">{name}</b> },
          { name: t('등록'), cell: ({ site, createdAt: at }) => `${site}, ${inWords(at)}` },
          {
            name: t('마지막 사용'),
            cell: ({ lastUsedAt }) => (lastUsedAt ? inWords(lastUsedAt) : t('아직 쓰지 않음')),
          },
        ]}
      />
      <Body>
        {codes && <RecoveryCodes codes={codes} onDone={() => setCodes(undefined)} />}
        {canUsePasskeys() ? (
          <Entry<{ passkey: PasskeyItem; recoveryCodes: string[] | null }>
            label={t('새 패스키 이름')}
            hint={t('기기마다 하나씩, 예비 기기까지 등록해 두세요.')}
            placeholder={t('회사 노트북')}
            missing={t('기기를 알아볼 이름을 입력하세요.')}
            maxLength={mostLetters.passkeyName}
            action={{
              name: t('패스키 등록'),
              failure: t('패스키를 등록하지 못했습니다'),
              icon: plusIcon,
              async run(name) {
                const options = await call(() => api.passkeys.options.post(), { isEnrolling: true })
                const made = await makePasskey(options)
                return call(() => api.passkeys.post({ name, ...made }), { isEnrolling: true })
              },
              told: (name) => [t('패스키를 등록했습니다'), name],
            }}
            onDone={async ({ recoveryCodes }) => {
              if (recoveryCodes) setCodes(recoveryCodes)
              await reload()
            }}
          />
        ) : (
          <p className="hint">{t('이 브라우저에서는 패스키를 쓸 수 없습니다.')}</p>
        )}
      </Body>
    </Folded>
  )
}

const remove: Action<PasskeyItem> = {
  name: t('삭제'),
  failure: t('패스키를 삭제하지 못했습니다'),
  label: ({ name }) => t('{name} 삭제', { name }),
  ask: ({ name }) => ({
    title: t('패스키 삭제'),
    body: t('{name}: 이 기기로는 더 이상 로그인을 확인할 수 없습니다. 다른 기기의 로그인은 끝납니다.', {
      name,
    }),
  }),
  run: ({ id }) => call(() => api.passkeys({ id }).delete()),
  told: ({ name }) => [t('패스키를 삭제했습니다'), name],
  tone: 'danger-edged',
}
