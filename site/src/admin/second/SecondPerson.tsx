import { useStore } from '@nanostores/react'
import { useEffect, useState } from 'react'
import { showToast } from '../../shell/toast.ts'
import { api } from '../frame/api.ts'
import { loadEvent } from '../frame/config.ts'
import { confirm } from '../frame/confirm.ts'
import { ListCard } from '../frame/Group.tsx'
import { Note } from '../frame/Note.tsx'
import { $secondAsked } from '../frame/second-asked.ts'
import { call, repeat } from '../frame/session.ts'
import type { Approval } from '../frame/types.ts'
import { useAction } from '../frame/use-action.ts'
import { useResource } from '../frame/use-resource.ts'
import { t } from '../language/t.ts'
import { OneTimePassword } from '../roles/OneTimePassword.tsx'
import { actionTexts } from '../security/audit-texts.ts'
import { ApprovalItem } from './ApprovalItem.tsx'
import { Asked } from './Asked.tsx'
import styles from './SecondPerson.module.css'

const lookEveryMs = 5_000

type HandedOut = { administrator: { username: string }; password: string }

/** What waits for a second administrator, above every tab; nothing where TWO_PERSON is off. */
export function SecondPerson({ onDone }: { onDone: () => void }) {
  const asked = useStore($secondAsked)
  const [isOff, setOff] = useState(false)
  const [told, setTold] = useState<HandedOut>()
  const { data, reload } = useResource(() => call(() => api.approvals.get()), {
    ...(!isOff && { everyMs: lookEveryMs }),
    key: `${asked}`,
  })
  useEffect(() => setOff(data?.isOn === false), [data?.isOn])

  const [approve, isApproving] = useAction(t('확인하지 못했습니다'), async (item: Approval) => {
    const yes = await confirm({
      title: t('두 번째 확인'),
      tone: 'danger',
      action: t('확인'),
      body: (
        <>
          <p>{t('{name}의 요청을 실행하게 합니다. 한 번만 쓸 수 있습니다.', { name: item.askedBy })}</p>
          <Asked item={item} />
        </>
      ),
    })
    if (!yes) return
    try {
      await call(() => api.approvals({ id: item.id }).approve.post())
      showToast(t('확인했습니다'), t('이제 {name}이(가) 실행할 수 있습니다.', { name: item.askedBy }), 'good')
    } finally {
      await reload()
    }
  })
  const [close, isClosing] = useAction(t('요청을 끝내지 못했습니다'), async (item: Approval) => {
    try {
      await call(() => api.approvals({ id: item.id }).refuse.post())
    } finally {
      await reload()
    }
  })
  const [carryOut, isCarrying] = useAction(
    t('실행하지 못했습니다'),
    async ({ action, request }: Approval) => {
      if (!request) return
      try {
        const answer = await repeat(request)
        showToast(t('실행했습니다'), actionTexts[action] ?? action, 'good')
        if (isHandedOut(answer)) setTold(answer)
        await loadEvent()
        onDone()
      } finally {
        await reload()
      }
    },
  )

  if (!data?.isOn) return null
  const isBusy = isApproving || isClosing || isCarrying
  return (
    <>
      <TooFew {...data} />
      {data.approvals.length > 0 && (
        <ListCard
          title={t('두 번째 확인')}
          reason={t('한 사람이 요청하고 다른 사람이 확인한 뒤, 요청한 사람이 24시간 안에 실행합니다.')}
        >
          <ul className={styles.list}>
            {data.approvals.map((item) => (
              <ApprovalItem
                key={item.id}
                item={item}
                isBusy={isBusy}
                onApprove={() => void approve(item)}
                onClose={() => void close(item)}
                onCarryOut={() => void carryOut(item)}
              />
            ))}
          </ul>
        </ListCard>
      )}
      {told && <OneTimePassword {...told} onClose={() => setTold(undefined)} />}
    </>
  )
}

/** Two are needed: one alone can ask, and nobody can say yes. */
function TooFew({ owners, operators }: { owners: number; operators: number }) {
  if (owners >= 2) return null
  return (
    <Note tone="bad">
      <b>{t('두 번째 확인(TWO_PERSON)이 켜져 있습니다.')}</b>{' '}
      {operators < 2
        ? t(
            '확인할 다른 관리자가 없어 지갑, 환불, 관리자를 바꿀 수 없습니다. 시스템 설정에서 소유자를 추가하세요.',
          )
        : t(
            '다른 소유자가 없어 지갑과 관리자를 바꿀 수 없습니다. 서버에서 bun run admin create로 추가하세요.',
          )}
    </Note>
  )
}

const isHandedOut = (answer: unknown): answer is HandedOut =>
  typeof answer === 'object' && answer !== null && 'password' in answer && 'administrator' in answer
