import { useStore } from '@nanostores/react'
import lockIcon from 'lucide-static/icons/lock.svg?raw'
import { useEffect, useState } from 'react'
import { $now } from '../../live/clock.ts'
import { showToast } from '../../shell/toast.ts'
import { loadContent } from '../content/content-source.ts'
import { HouseRules } from '../house/HouseRules.tsx'
import { fromServer } from '../language/server-text.ts'
import { t } from '../language/t.ts'
import { api } from '../session/api.ts'
import { $event, $eventTrouble, loadEvent } from '../session/config.ts'
import { call, isRefusal, refusedField } from '../session/session.ts'
import type { AdminConfig } from '../session/types.ts'
import { useAction } from '../ui/action.tsx'
import { Conflict } from '../ui/Conflict.tsx'
import { Group } from '../ui/card.tsx'
import { DateField } from '../ui/DateField.tsx'
import { fromField, inWords, spanText, toField } from '../ui/dates.ts'
import { errorText } from '../ui/error-text.ts'
import { TextField } from '../ui/Field.tsx'
import { focusWrong } from '../ui/focus-wrong.ts'
import { Note, Retry } from '../ui/Note.tsx'
import styles from '../ui/panel.module.css'
import rowStyles from '../ui/Rows.module.css'
import { SkeletonRows, useResource } from '../ui/resource.tsx'
import { SaveBar } from '../ui/SaveBar.tsx'
import { savedWithUndo } from '../ui/undo.ts'
import { confirmSettings } from './confirm-settings.tsx'
import { $settingsDraft, $settingsSeen } from './drafts.ts'
import { EntropyChoice } from './EntropyChoice.tsx'
import { winnersHint } from './fields.ts'
import { OperatorWalletGroup } from './OperatorWalletGroup.tsx'
import { PrizeFields } from './PrizeFields.tsx'
import { StopSale } from './StopSale.tsx'
import {
  changedFields,
  changedMeanwhile,
  draftOf,
  fieldNames,
  isFormHidden,
  type SettingsBody,
  settingsBody,
  wrongFields,
} from './settings-form.ts'

export function SettingsTab() {
  const event = useStore($event)
  const trouble = useStore($eventTrouble)
  if (event)
    return (
      <div className={styles.stack}>
        <Form event={event} />
        <StopSale event={event} />
        <HouseRules />
      </div>
    )
  return trouble ? <Retry text={trouble} onRetry={() => void loadEvent()} /> : <SkeletonRows rows={6} />
}

const doneText = t('설정을 저장했습니다')
const saveSettings = (body: SettingsBody) => call(() => api.raffle.config.patch(body))

function Form({ event }: { event: AdminConfig }) {
  const now = useStore($now)
  const edited = useStore($settingsDraft)
  const seen = useStore($settingsSeen)
  const [refused, setRefused] = useState<Record<string, string>>({})
  // An event from before contents were kept has none.
  const content = useResource(() => loadContent('open'), { key: `${event.eventNumber}` })
  const draft = { ...draftOf(event), ...edited }
  const isSaleOver = event.saleEndDate !== null && Date.parse(event.saleEndDate) <= now
  const areDatesLocked = isSaleOver && !event.isOver
  const changes = changedFields(event, draft)
  const wrong = { ...wrongFields(event, draft, now), ...refused }
  const others = seen && changes.length > 0 ? changedMeanwhile(seen, event) : []
  useEffect(() => {
    // Without edits here, or changed fields there, the new version becomes the base of further edits.
    if (seen && seen.version !== event.version && others.length === 0) $settingsSeen.set(event)
  })

  const forget = () => {
    $settingsDraft.set({})
    $settingsSeen.set(undefined)
    setRefused({})
  }

  const edit = (part: Partial<typeof draft>) => {
    if (!seen || changes.length === 0) $settingsSeen.set(event)
    $settingsDraft.set({ ...edited, ...part })
    setRefused(Object.fromEntries(Object.entries(refused).filter(([name]) => !(name in part))))
  }
  const [save, isSaving] = useAction(t('설정 업데이트에 실패했습니다'), async () => {
    const agreed = await confirmSettings(event, draft, changes)
    if (!agreed) return
    try {
      const version = (seen ?? event).version
      const saved = await saveSettings({ ...settingsBody(draft, changes), version, ...agreed })
      forget()
      if (saved.archiveMessage) showToast(doneText, fromServer(saved.archiveMessage), 'good')
      else
        savedWithUndo(doneText, t('공개 페이지에 바로 반영됩니다.'), async () => {
          await saveSettings({ ...settingsBody(draftOf(event), changes), version: saved.version })
          await loadEvent()
        })
    } catch (error) {
      const field = refusedField(error, ...fieldNames.keys())
      const name = field && fieldNames.get(field)
      if (isRefusal(error, 'INVALID_WALLET')) setRefused({ wallet: errorText(error, '') })
      else if (isRefusal(error, 'INVALID_URL'))
        setRefused({ formUrl: t('https:// 로 시작하는 주소를 입력하세요.') })
      else if (name) setRefused({ [name]: errorText(error, '') })
      throw error
    } finally {
      // After a conflict this loads what the other administrator saved.
      await loadEvent()
    }
  })

  const saleEnd = fromField(draft.drawDate)
  const lead = event.saleLeadSeconds
  const saleOverText = event.saleEndDate
    ? t('판매가 끝난 {at}부터 잠겼습니다.', { at: inWords(event.saleEndDate) })
    : t('판매가 끝난 때부터 잠겼습니다.')
  /** Why a field is shut; a form of an event that is over opens the next one. */
  const lockedText = (field: keyof AdminConfig['locks']) => {
    const reason = event.isOver ? undefined : event.locks[field]
    if (reason === 'ticket') return t('첫 티켓이 판매된 때부터 잠겼습니다.')
    return reason === 'saleEnd' ? saleOverText : undefined
  }
  const promisesLocked = event.isOver
    ? t('다음 이벤트의 추첨 방식은 “다음 이벤트”에서 정합니다.')
    : lockedText('entropy')
  const winnersLocked =
    promisesLocked ??
    (content.data?.content === null
      ? undefined
      : t('“다음 이벤트”에 있는 이벤트 내용의 경품과 수량을 따릅니다.'))
  return (
    <form
      className={styles.stack}
      noValidate
      onSubmit={(submit) => {
        submit.preventDefault()
        if (Object.keys(wrong).length > 0) focusWrong(submit.currentTarget)
        else if (changes.length > 0) void save()
      }}
    >
      <Locks event={event} areDatesLocked={areDatesLocked} />
      {others.length > 0 && (
        <Conflict
          changes={others}
          onKeep={() => $settingsSeen.set(event)}
          onTake={() => {
            const taken = new Set<string>(others.map(({ name }) => name))
            $settingsDraft.set(
              Object.fromEntries(Object.entries(edited).filter(([name]) => !taken.has(name))),
            )
            $settingsSeen.set(event)
          }}
        />
      )}
      <Group
        id="draw-date"
        title={t('추첨 일정')}
        reason={t('저장하면 판매 종료 시각은 추첨 {lead} 전으로 함께 바뀝니다.', { lead: spanText(lead) })}
      >
        <div className={rowStyles.pair}>
          <DateField
            label={t('추첨 일시 (UTC)')}
            value={draft.drawDate}
            onChange={(drawDate) => edit({ drawDate })}
            error={wrong.drawDate}
            locked={lockedText('drawDate')}
            emptyHint={t('비워 두면 추첨 없이 판매만 합니다.')}
          />
          <TextField
            label={t('판매 종료 (UTC)')}
            value={
              saleEnd ? toField(new Date(saleEnd.getTime() - lead * 1000).toISOString()) : t('설정 안 됨')
            }
            readOnly
            isMono={saleEnd !== undefined}
            hint={t('자동으로 계산됩니다.')}
          />
        </div>
        <div className={rowStyles.pair}>
          <TextField
            label={t('최소 참여 인원')}
            value={draft.minTickets}
            onChange={(minTickets) => edit({ minTickets })}
            error={wrong.minTickets}
            locked={lockedText('minTicketsForDraw')}
            hint={t('추첨 시각에 이보다 적게 팔리면 전액 환불로 바뀝니다.')}
            inputMode="numeric"
            autoComplete="off"
            isMono
            suffix={t('장')}
          />
        </div>
      </Group>
      <Group
        title={t('추첨 방식과 경품')}
        reason={t('첫 티켓이 판매되기 전까지만 바꿀 수 있습니다. 구매자에게 보이고, 추첨 증명에 남습니다.')}
      >
        <EntropyChoice
          value={draft.entropy}
          onChange={(entropy) => edit({ entropy })}
          error={wrong.entropy}
          locked={promisesLocked}
        />
        <div className={rowStyles.pair}>
          <TextField
            label={t('당첨자 수')}
            value={draft.winners}
            onChange={(winners) => edit({ winners })}
            error={wrong.winners}
            locked={winnersLocked}
            hint={winnersHint}
            inputMode="numeric"
            autoComplete="off"
            isMono
            suffix={t('명')}
          />
        </div>
        <PrizeFields
          value={draft.prizes}
          winners={draft.winners}
          onChange={(prizes) => edit({ prizes })}
          error={wrong.prizes}
          locked={winnersLocked}
        />
      </Group>
      <OperatorWalletGroup
        event={event}
        value={draft.wallet}
        onChange={(wallet) => edit({ wallet })}
        error={wrong.wallet}
      />
      <Group title={t('당첨자 배송 양식')} reason={t('당첨자에게만 필요한 Google Form 주소입니다.')}>
        <TextField
          label="Google Form URL"
          type="url"
          inputMode="url"
          autoComplete="off"
          placeholder="https://forms.gle/…"
          value={draft.formUrl}
          onChange={(formUrl) => edit({ formUrl })}
          error={wrong.formUrl}
          hint={t('비워 두면 당첨자 화면에 버튼이 나타나지 않습니다. 쓸 수 있는 주소: {formHosts}', {
            formHosts: event.formHosts.join(', '),
          })}
          isMono
        />
        {isFormHidden(event) && (
          <Note tone="bad">
            {t('저장된 양식 주소의 호스트가 허용 목록(FORM_HOSTS)에 없어 당첨자 화면에 나타나지 않습니다.')}
          </Note>
        )}
      </Group>
      <SaveBar
        changes={changes.map(({ label }) => label)}
        isWrong={Object.keys(wrong).length > 0}
        isBusy={isSaving}
        label={t('설정 저장')}
        onReset={forget}
      />
    </form>
  )
}

function Locks({ event, areDatesLocked }: { event: AdminConfig; areDatesLocked: boolean }) {
  if (event.isOver)
    return (
      <Note>
        <b>{t('이벤트 {eventNumber}의 진행이 끝났습니다.', { eventNumber: event.eventNumber })}</b>{' '}
        {t('새 추첨 일시를 저장하면 기록으로 보관되고 이벤트 {eventNumber}의 판매가 시작됩니다.', {
          eventNumber: event.eventNumber + 1,
        })}
      </Note>
    )
  if (areDatesLocked)
    return (
      <Note icon={lockIcon}>
        <b>{t('판매가 끝나 추첨 일정과 지갑이 잠겼습니다.')}</b> {t('배송 양식만 바꿀 수 있습니다.')}
      </Note>
    )
  if (event.lockedAt)
    return (
      <Note icon={lockIcon}>
        <b>{t('구매자에게 약속한 조건이 모두 잠겼습니다.')}</b>{' '}
        {event.drawDate
          ? t('날짜도 옮길 수 없습니다. 추첨하지 않으려면 판매를 중단하고 모두 환불합니다.')
          : t('추첨 일시는 한 번만 정할 수 있습니다.')}
      </Note>
    )
  return (
    <Note>
      {t(
        '첫 티켓이 팔리면 지갑, 가격, 일정, 최소 수량, 추첨 방식, 경품이 모두 잠깁니다. 비어 있는 추첨 일시만 나중에 한 번 정할 수 있습니다.',
      )}
    </Note>
  )
}
