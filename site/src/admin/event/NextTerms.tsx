import { useStore } from '@nanostores/react'
import { useEffect, useState } from 'react'
import type { NextContent } from '../../../../core/content/event-content.ts'
import { outlivesBeacon } from '../../../../core/draw/beacon.ts'
import { $now } from '../../live/clock.ts'
import { showToast } from '../../shell/toast.ts'
import { rich } from '../language/rich.tsx'
import { fromServer } from '../language/server-text.ts'
import { t } from '../language/t.ts'
import { api } from '../session/api.ts'
import { $event, loadEvent } from '../session/config.ts'
import { call, isRefusal, refusedField } from '../session/session.ts'
import type { NextTerms as Terms } from '../session/types.ts'
import { useAction } from '../ui/action.tsx'
import { Button } from '../ui/Button.tsx'
import { Conflict } from '../ui/Conflict.tsx'
import { Group } from '../ui/card.tsx'
import { confirm } from '../ui/Dialog.tsx'
import { toField } from '../ui/dates.ts'
import { errorText } from '../ui/error-text.ts'
import { focusWrong } from '../ui/focus-wrong.ts'
import listStyles from '../ui/List.module.css'
import rowStyles from '../ui/Rows.module.css'
import { Loaded, useResource } from '../ui/resource.tsx'
import { useLeaveWarning } from '../ui/use-leave-warning.ts'
import { $nextDraft, $nextSeen } from './drafts.ts'
import { NextFields } from './NextFields.tsx'
import { NextPromises } from './NextPromises.tsx'
import styles from './NextTerms.module.css'
import { changedNext, type NextDraft, nextBody, nextDraftOf, nextFields, wrongNext } from './next-form.ts'
import { PromisedContent } from './PromisedContent.tsx'

const terms = api.raffle['next-terms']

/** The draft of what the next event promises: nothing of it counts before that event opens. */
export function NextTerms() {
  const event = useStore($event)
  const found = useResource(() => call(() => terms.get()))
  const { reload } = found
  const open = `${event?.eventNumber} ${event?.isOver}`
  useEffect(() => {
    // The open event has ended, or another administrator opened the next one.
    if (open) void reload()
  }, [open, reload])
  return (
    <Loaded from={found} rows={6}>
      {(data) => <Card terms={data} onSaved={reload} />}
    </Loaded>
  )
}

function Card({ terms: now, onSaved }: { terms: Terms; onSaved: () => Promise<void> }) {
  const clock = useStore($now)
  const edited = useStore($nextDraft)
  const seen = useStore($nextSeen)
  const [refused, setRefused] = useState<Partial<Record<keyof NextDraft, string>>>({})
  const draft = { ...nextDraftOf(now), ...edited }
  const changes = changedNext(now, draft)
  const isDirty = changes.length > 0
  const wrong = { ...wrongNext(now, draft, clock), ...refused }
  const isWrong = Object.keys(wrong).length > 0
  const others = seen && isDirty ? changedNext(seen, nextDraftOf(now)) : []
  useLeaveWarning(isDirty)

  const forget = () => {
    $nextDraft.set({})
    $nextSeen.set(undefined)
    setRefused({})
  }
  useEffect(() => {
    if (!seen) return
    // What was typed for an event that is open by now is not meant for the one after it.
    if (seen.eventNumber !== now.eventNumber) {
      $nextDraft.set({})
      $nextSeen.set(undefined)
    } else if (seen.version !== now.version && others.length === 0) $nextSeen.set(now)
  })
  const edit = (part: Partial<NextDraft>) => {
    if (!seen || !isDirty) $nextSeen.set(now)
    $nextDraft.set({ ...edited, ...part })
    setRefused({})
  }
  /** After a conflict the card shows what the other administrator saved. */
  const told = async (act: () => Promise<unknown>) => {
    try {
      await act()
    } catch (error) {
      if (isRefusal(error, 'VERSION_CONFLICT')) await onSaved()
      const field = refusedField(error, ...nextFields)
      if (field) setRefused({ [field]: errorText(error, '') })
      throw error
    }
    forget()
    await onSaved()
  }
  const [save, isSaving] = useAction(t('다음 이벤트 조건을 저장하지 못했습니다'), async () => {
    await told(() => call(() => terms.put(nextBody(seen ?? now, draft))))
    showToast(t('초안을 저장했습니다'), t('다음 이벤트가 시작될 때 적용됩니다.'), 'good')
  })
  const [discard, isDiscarding] = useAction(t('초안을 버리지 못했습니다'), async () => {
    const query = { version: `${now.version}` }
    const body = t(
      '저장한 조건을 모두 지웁니다. 다음 이벤트는 서버 설정과 지금 이벤트의 최소 참여 인원을 따릅니다.',
    )
    if (!(await confirm({ title: t('초안 버리기'), action: t('초안 버리기'), body }))) return
    await told(() => call(() => terms.delete(undefined, { query })))
    showToast(t('초안을 버렸습니다'), t('저장한 조건이 없습니다.'), 'good')
  })
  const [open, isOpening] = useAction(t('다음 이벤트를 시작하지 못했습니다'), async () => {
    // What is agreed to is what the dialog names: whoever saves another content meanwhile ends it with a conflict.
    const content = await call(() => api.raffle['next-content'].get())
    if (!(await confirmOpening(now, content))) return
    await told(async () => {
      const seen = { version: now.version, contentVersion: content.version }
      const saved = await call(() => api.raffle['open-next'].post(seen))
      showToast(t('다음 이벤트를 시작했습니다'), fromServer(saved.archiveMessage ?? ''), 'good')
    })
    await loadEvent()
  })

  return (
    <form
      noValidate
      onSubmit={(event) => {
        event.preventDefault()
        if (isWrong) focusWrong(event.currentTarget)
        else if (isDirty) void save()
      }}
    >
      <Group
        title={t('다음 이벤트 조건')}
        reason={t(
          '다음 이벤트({eventNumber})가 시작될 때부터 적용됩니다. 진행 중인 이벤트의 조건은 바뀌지 않고, 초안은 공개되지 않습니다.',
          { eventNumber: now.eventNumber },
        )}
      >
        {seen && others.length > 0 && (
          <Conflict
            changes={others.map(({ name, label }) => ({
              label,
              from: nextDraftOf(seen)[name],
              to: nextDraftOf(now)[name],
            }))}
            onKeep={() => $nextSeen.set(now)}
            onTake={forget}
          />
        )}
        <NextFields terms={now} draft={draft} wrong={wrong} onEdit={edit} />
        <div className={styles.state}>
          <p aria-live="polite">
            {isDirty ? (
              <>
                <b>{t('저장하지 않은 변경 {count}개', { count: changes.length })}</b>{' '}
                {changes.map(({ label }) => label).join(', ')}
              </>
            ) : now.savedAt ? (
              t('초안이 저장되어 있습니다.')
            ) : (
              t('저장한 초안이 없습니다.')
            )}
          </p>
          <div className={rowStyles.row}>
            {isDirty && (
              <Button tone="plain" disabled={isSaving} onClick={forget}>
                {t('되돌리기')}
              </Button>
            )}
            {now.savedAt && !isDirty && (
              <Button writes tone="plain" isBusy={isDiscarding} onClick={() => void discard()}>
                {t('초안 버리기')}
              </Button>
            )}
            <Button writes type="submit" tone="edged" disabled={!isDirty} isBusy={isSaving}>
              {t('초안 저장')}
            </Button>
            {now.canOpen && now.draft.drawDate && (
              <Button writes disabled={isDirty || isWrong} isBusy={isOpening} onClick={() => void open()}>
                {t('이벤트 {eventNumber} 시작', { eventNumber: now.eventNumber })}
              </Button>
            )}
          </div>
        </div>
        <NextPromises terms={now} />
      </Group>
    </form>
  )
}

const confirmOpening = ({ eventNumber, next }: Terms, content: NextContent): Promise<boolean> =>
  confirm({
    title: t('이벤트 {eventNumber} 시작', { eventNumber }),
    action: t('보관하고 시작'),
    body: (
      <ul className={listStyles.plain}>
        <li>
          {t(
            '이벤트 {eventNumber}의 기록이 보관되고 이벤트 {next}의 판매가 바로 시작됩니다. 되돌릴 수 없습니다.',
            { eventNumber: eventNumber - 1, next: eventNumber },
          )}
        </li>
        <li>
          {rich('추첨: {drawDate}, 판매 종료: {saleEndDate}', {
            drawDate: <b className="figure">{toField(next.drawDate)} UTC</b>,
            saleEndDate: <b className="figure">{toField(next.saleEndDate)} UTC</b>,
          })}
        </li>
        <PromisedContent {...content} />
        <li>{t('저장한 초안의 조건이 모두 적용됩니다.')}</li>
        {next.drawDate && outlivesBeacon({ entropy: next.entropy, drawDate: new Date(next.drawDate) }) && (
          <li>{t('drand 네트워크가 이 추첨 일시 전에 종료됩니다. 회차가 나오지 않으면 모두 환불됩니다.')}</li>
        )}
      </ul>
    ),
  })
