import { useState } from 'react'
import { showToast } from '../../shell/toast.ts'
import { api } from '../frame/api.ts'
import { Button } from '../frame/Button.tsx'
import { Dialog, DialogActions } from '../frame/Dialog.tsx'
import { errorText } from '../frame/error-text.ts'
import { Field, TextField } from '../frame/Field.tsx'
import { focusWrong } from '../frame/focus-wrong.ts'
import { Note } from '../frame/Note.tsx'
import rowStyles from '../frame/Rows.module.css'
import { Switch } from '../frame/Switch.tsx'
import { call, isRefusal, refusedField } from '../frame/session.ts'
import type { Channel } from '../frame/types.ts'
import { useAction } from '../frame/use-action.ts'
import { t } from '../language/t.ts'
import { ChannelFields } from './ChannelFields.tsx'
import { bodyOf, type ChannelDraft, draftOf, shownAt, type Wrong, wrongFields } from './channel-form.ts'
import { EventChoice } from './EventChoice.tsx'
import styles from './Notify.module.css'
import { channelKindTexts } from './texts.ts'

type Props = { channel: Channel | undefined; onClose: () => void; onSaved: () => Promise<void> }

/** A new channel, or one that is changed; its secret is never shown. */
export function ChannelDialog({ channel, onClose, onSaved }: Props) {
  const [draft, setDraft] = useState(() => draftOf(channel))
  const [wrong, setWrong] = useState<Wrong>({})
  const edit = (part: Partial<ChannelDraft>) => {
    setDraft({ ...draft, ...part })
    setWrong(Object.fromEntries(Object.entries(wrong).filter(([name]) => !(name in part))))
  }
  const [save, isBusy] = useAction(t('알림 채널을 저장하지 못했습니다'), async () => {
    try {
      const { kind, ...rest } = bodyOf(draft)
      await call(() =>
        channel
          ? api.channels({ id: channel.id }).put({ ...rest, revision: channel.revision })
          : api.channels.post({ kind, ...rest }),
      )
    } catch (error) {
      const field = refusedField(error, ...Object.keys(shownAt))
      const name = field && shownAt[field]
      if (name) setWrong({ [name]: errorText(error, '') })
      if (isRefusal(error, 'VERSION_CONFLICT', 'NOT_FOUND')) await onSaved()
      throw error
    }
    showToast(t('알림 채널을 저장했습니다'), t('시험 전송으로 확인해보세요.'), 'good')
    await onSaved()
    onClose()
  })
  return (
    <Dialog title={channel ? t('알림 채널 변경') : t('알림 채널 추가')} onClose={onClose}>
      <form
        noValidate
        onSubmit={(event) => {
          event.preventDefault()
          const missing = wrongFields(draft, channel)
          setWrong(missing)
          if (Object.keys(missing).length > 0) focusWrong(event.currentTarget)
          else void save()
        }}
      >
        <div className={`${rowStyles.stack} ${styles.form}`}>
          <div className={rowStyles.pair}>
            <Field label={t('종류')}>
              {(ids) => (
                <select
                  {...ids}
                  className={`input ${styles.select}`}
                  value={draft.kind}
                  disabled={channel !== undefined}
                  onChange={({ target }) => {
                    setWrong({})
                    setDraft({ ...draft, kind: target.value as Channel['kind'], secret: '' })
                  }}
                >
                  {Object.entries(channelKindTexts).map(([kind, text]) => (
                    <option key={kind} value={kind}>
                      {text}
                    </option>
                  ))}
                </select>
              )}
            </Field>
            <Field label={t('알림 언어')}>
              {(ids) => (
                <select
                  {...ids}
                  className={`input ${styles.select}`}
                  value={draft.language}
                  onChange={({ target }) => edit({ language: target.value as Channel['language'] })}
                >
                  <option value="ko">{t('한국어')}</option>
                  <option value="en">English</option>
                </select>
              )}
            </Field>
          </div>
          <TextField
            label={t('이름')}
            value={draft.name}
            onChange={(name) => edit({ name })}
            error={wrong.name}
            placeholder={t('운영팀')}
            autoComplete="off"
            maxLength={60}
          />
          <ChannelFields draft={draft} wrong={wrong} channel={channel} onChange={edit} />
          <EventChoice value={draft.events} onChange={(events) => edit({ events })} />
          {draft.events.length === 0 && <Note>{t('고른 알림이 없어 시험 전송만 받습니다.')}</Note>}
          <Switch
            label={draft.enabled ? t('사용 중') : t('꺼짐: 기다리는 알림은 켤 때 보냅니다')}
            isOn={draft.enabled}
            onChange={(enabled) => edit({ enabled })}
          />
        </div>
        <DialogActions>
          <Button tone="edged" onClick={onClose}>
            {t('취소')}
          </Button>
          <Button type="submit" isBusy={isBusy}>
            {t('저장')}
          </Button>
        </DialogActions>
      </form>
    </Dialog>
  )
}
