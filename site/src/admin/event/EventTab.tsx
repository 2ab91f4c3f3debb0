import { useStore } from '@nanostores/react'
import { useEffect, useState } from 'react'
import type { PublicEventSettings } from '../../../../core/live/public.ts'
import { showToast } from '../../shell/toast.ts'
import { ContentEditor } from '../content/ContentEditor.tsx'
import { OpenContent } from '../content/OpenContent.tsx'
import { t } from '../language/t.ts'
import { api } from '../session/api.ts'
import { call, isRefusal, refusedField } from '../session/session.ts'
import { useAction } from '../ui/action.tsx'
import { Badge } from '../ui/Badge.tsx'
import { Conflict } from '../ui/Conflict.tsx'
import { Group } from '../ui/card.tsx'
import { DateField } from '../ui/DateField.tsx'
import { inWords } from '../ui/dates.ts'
import { errorText } from '../ui/error-text.ts'
import { TextArea, TextField } from '../ui/Field.tsx'
import { focusWrong } from '../ui/focus-wrong.ts'
import styles from '../ui/panel.module.css'
import rowStyles from '../ui/Rows.module.css'
import { Loaded, useResource } from '../ui/resource.tsx'
import { SaveBar } from '../ui/SaveBar.tsx'
import { savedWithUndo } from '../ui/undo.ts'
import { $eventDraft, $eventSeen } from './drafts.ts'
import {
  changedEvent,
  type EventDraft,
  eventBody,
  eventDraftOf,
  eventFields,
  undoBody,
  wrongEvent,
} from './event-form.ts'
import { NextTerms } from './NextTerms.tsx'
import { PrizeImage } from './PrizeImage.tsx'

export function EventTab() {
  const settings = useResource(() => call(() => api.event.settings.get()))
  const [saved, setSaved] = useState(0)
  return (
    <div className={styles.stack}>
      <NextTerms key={saved} />
      <ContentEditor
        which="next"
        title={t('다음 이벤트 내용')}
        reason={t(
          '경품과 글을 두 언어로 적습니다. 다음 이벤트가 시작될 때 공개되고, 당첨자 수와 경품은 여기에서 정해집니다.',
        )}
        // Winners and prizes of its terms follow.
        onSaved={() => setSaved(saved + 1)}
      />
      <OpenContent />
      <Loaded from={settings} rows={6}>
        {(data) => <Form settings={data} onSaved={settings.reload} />}
      </Loaded>
    </div>
  )
}

function Form({ settings, onSaved }: { settings: PublicEventSettings; onSaved: () => Promise<void> }) {
  const edited = useStore($eventDraft)
  const seen = useStore($eventSeen)
  const [refused, setRefused] = useState<Partial<Record<keyof EventDraft, string>>>({})
  const draft = { ...eventDraftOf(settings), ...edited }
  const changes = changedEvent(settings, draft)
  const others = seen && changes.length > 0 ? changedEvent(seen, eventDraftOf(settings)) : []
  useEffect(() => {
    if (seen && seen.updatedAt !== settings.updatedAt && others.length === 0) $eventSeen.set(settings)
  })
  const wrong = { ...wrongEvent(draft), ...refused }
  const edit = (name: keyof EventDraft) => (value: string) => {
    if (!seen || changes.length === 0) $eventSeen.set(settings)
    $eventDraft.set({ ...$eventDraft.get(), [name]: value })
    setRefused({})
  }
  const forget = () => {
    $eventDraft.set({})
    $eventSeen.set(undefined)
    setRefused({})
  }
  const [save, isSaving] = useAction(t('이벤트 설정 업데이트에 실패했습니다'), async () => {
    const before = settings
    try {
      const body = eventBody(settings, draft, (seen ?? settings).updatedAt)
      const saved = await call(() => api.event.settings.post(body))
      forget()
      await onSaved()
      savedWithUndo(
        t('이벤트 설정을 저장했습니다'),
        t('공개 페이지의 다음 이벤트에 반영되었습니다.'),
        async () => {
          await call(() => api.event.settings.post(undoBody(before, saved)))
          await onSaved()
        },
      )
    } catch (error) {
      if (isRefusal(error, 'VERSION_CONFLICT')) await onSaved()
      const field = isRefusal(error, 'INVALID_DATE') ? 'eventStartDate' : refusedField(error, ...eventFields)
      if (field) setRefused({ [field]: errorText(error, '') })
      throw error
    }
  })
  return (
    <form
      className={styles.stack}
      noValidate
      onSubmit={(event) => {
        event.preventDefault()
        if (Object.keys(wrong).length > 0) focusWrong(event.currentTarget)
        else if (changes.length === 0)
          showToast(t('이벤트 설정 업데이트에 실패했습니다'), t('최소 하나의 설정을 변경해주세요'), 'bad')
        else void save()
      }}
    >
      {seen && others.length > 0 && (
        <Conflict
          changes={others.map(({ name, label }) => ({
            label,
            from: eventDraftOf(seen)[name],
            to: eventDraftOf(settings)[name],
          }))}
          onKeep={() => $eventSeen.set(settings)}
          onTake={() => {
            const taken = new Set<string>(others.map(({ name }) => name))
            $eventDraft.set(Object.fromEntries(Object.entries(edited).filter(([name]) => !taken.has(name))))
            $eventSeen.set(settings)
          }}
        />
      )}
      <Group
        title={t('상품')}
        reason={t('공개 페이지의 “Next Event”에 나타납니다. 진행 중인 추첨과는 별개입니다.')}
      >
        <PrizeImage url={draft.prizeImageUrl} onChange={edit('prizeImageUrl')} />
        <div className={rowStyles.pair}>
          <TextField
            label={t('상품 가치')}
            value={draft.prizeValue}
            onChange={edit('prizeValue')}
            error={wrong.prizeValue}
            placeholder="$3,000"
            hint={t('$가 없으면 앞에 붙여 보여줍니다.')}
            autoComplete="off"
          />
          <DateField
            label={t('이벤트 시작 (UTC)')}
            value={draft.eventStartDate}
            onChange={edit('eventStartDate')}
            error={wrong.eventStartDate}
            emptyHint={t('비워 두면 보여주지 않습니다.')}
          />
        </div>
        <TextArea
          label={t('상품 설명')}
          rows={5}
          value={draft.prizeDescription}
          onChange={edit('prizeDescription')}
          error={wrong.prizeDescription}
          hint={t('{count} / 5,000자', { count: draft.prizeDescription.length.toLocaleString('en-US') })}
        />
        <p className={rowStyles.row}>
          <Badge tone={settings.isActive ? 'ok' : 'held'}>
            {settings.isActive ? t('공개 중') : t('준비 중')}
          </Badge>
          <span className="hint">
            {settings.updatedAt
              ? t('마지막 변경 {updatedAt}', { updatedAt: inWords(settings.updatedAt) })
              : t('아직 저장한 내용이 없습니다.')}
            {!settings.isActive && ` ${t('저장하면 공개로 바뀝니다.')}`}
          </span>
        </p>
      </Group>
      <SaveBar
        changes={changes.map(({ label }) => label)}
        isWrong={Object.keys(wrong).length > 0}
        isBusy={isSaving}
        label={t('이벤트 저장')}
        isAlwaysOn
        onReset={forget}
      />
    </form>
  )
}
