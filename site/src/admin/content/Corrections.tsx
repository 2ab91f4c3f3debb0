import { useStore } from '@nanostores/react'
import { type ReactNode, useEffect, useState } from 'react'
import type { Language } from '../../../../core/admin/language.ts'
import { contentLimits as most } from '../../../../core/content/limits.ts'
import { showToast } from '../../shell/toast.ts'
import { Loaded } from '../frame/AsyncView.tsx'
import { AdminError, api } from '../frame/api.ts'
import { Button } from '../frame/Button.tsx'
import { $event } from '../frame/config.ts'
import { confirm } from '../frame/confirm.ts'
import { inWords } from '../frame/dates.ts'
import { errorText } from '../frame/error-text.ts'
import { TextArea } from '../frame/Field.tsx'
import { Group } from '../frame/Group.tsx'
import { count } from '../frame/numbers.ts'
import rowStyles from '../frame/Rows.module.css'
import { call } from '../frame/session.ts'
import { useAction } from '../frame/use-action.ts'
import { useResource } from '../frame/use-resource.ts'
import { language } from '../language/language.ts'
import { t } from '../language/t.ts'
import { ContentEditor } from './ContentEditor.tsx'
import styles from './Corrections.module.css'
import { loadContent } from './content-source.ts'
import { $edit, $isOpenWanted } from './content-store.ts'
import { Versions } from './Versions.tsx'

/** Below the reader's own language. */
const other: Language = language === 'en' ? 'ko' : 'en'

/** The open event's content: free until its first ticket, from then on only added to. */
export function OpenContent() {
  const event = useStore($event)
  const open = useResource(() => loadContent('open'), { key: `${event?.eventNumber} ${event?.lockedAt}` })
  return (
    <Loaded from={open} rows={4}>
      {(content) =>
        content.isLocked ? (
          <Corrections {...content} reload={open.reload} />
        ) : (
          <Opened {...content}>
            <ContentEditor
              which="open"
              title={t('이벤트 {eventNumber}의 내용', { eventNumber: content.eventNumber })}
              reason={t(
                '첫 티켓이 판매되기 전까지 바꿀 수 있고 바로 공개됩니다. 그 뒤에는 정정만 덧붙일 수 있습니다.',
              )}
              onSaved={() => void open.reload()}
            />
          </Opened>
        )
      }
    </Loaded>
  )
}

/** Most of the time nobody changes it: it opens when somebody does, or has. */
function Opened({ eventNumber, versions, children }: Content & { children: ReactNode }) {
  const edit = useStore($edit('open'))
  const [isOpen, setOpen] = useState(edit?.eventNumber === eventNumber)
  const isWanted = useStore($isOpenWanted)
  useEffect(() => {
    if (!isWanted) return
    setOpen(true)
    $isOpenWanted.set(false)
  }, [isWanted])
  return isOpen ? (
    children
  ) : (
    <Group
      title={t('이벤트 {eventNumber}의 내용', { eventNumber })}
      reason={t(
        '첫 티켓이 판매되기 전까지 바꿀 수 있고 바로 공개됩니다. 그 뒤에는 정정만 덧붙일 수 있습니다.',
      )}
    >
      <div className={rowStyles.row}>
        <Button writes tone="edged" onClick={() => setOpen(true)}>
          {t('이벤트 {eventNumber}의 내용 바꾸기', { eventNumber })}
        </Button>
      </div>
      <Versions versions={versions} />
    </Group>
  )
}

type Content = Awaited<ReturnType<typeof loadContent>>
const none = { en: '', ko: '' }

function Corrections({
  eventNumber,
  corrections,
  versions,
  reload,
}: Content & { reload: () => Promise<void> }) {
  const [text, setText] = useState(none)
  const [wrong, setWrong] = useState<{ en?: string; ko?: string }>({})
  const isFull = corrections.length >= most.corrections
  const [publish, isBusy] = useAction(t('정정을 덧붙이지 못했습니다'), async () => {
    if (!(await confirmed(text))) return
    try {
      await call(() => api.raffle.corrections.post({ eventNumber, text }))
    } catch (error) {
      const [, language] = /^text\.(en|ko)$/.exec((error instanceof AdminError && error.field) || '') ?? []
      if (language) setWrong({ [language]: errorText(error, '') })
      throw error
    }
    setText(none)
    await reload()
    showToast(t('정정을 공개했습니다'), t('이벤트 페이지에 날짜와 함께 남습니다.'), 'good')
  })
  const field = (language: 'en' | 'ko', name: string) => (
    <TextArea
      label={t('정정 · {name}', { name })}
      lang={language}
      dir="auto"
      rows={4}
      value={text[language]}
      error={wrong[language]}
      onChange={(value) => {
        setText({ ...text, [language]: value })
        setWrong({})
      }}
      hint={
        <span className="figure">
          {count([...text[language].trim()].length)} / {count(most.correction)}
        </span>
      }
    />
  )
  return (
    <Group
      title={t('이벤트 {eventNumber}의 정정', { eventNumber })}
      reason={t(
        '티켓이 판매된 뒤에는 약속한 내용을 바꿀 수 없습니다. 덧붙인 정정은 날짜와 함께 공개되며 고치거나 지울 수 없습니다.',
      )}
    >
      {corrections.length > 0 && (
        <ol className={styles.list}>
          {corrections.map(({ at, text: said }) => (
            <li key={`${at} ${said.ko}`}>
              <time dateTime={at}>{inWords(at)}</time>
              <p dir="auto" lang={language}>
                {said[language]}
              </p>
              <p className="hint" dir="auto" lang={other}>
                {said[other]}
              </p>
            </li>
          ))}
        </ol>
      )}
      {isFull ? (
        <p className="hint">{t('정정은 {corrections}개까지입니다.', { corrections: most.corrections })}</p>
      ) : (
        <form
          className={styles.form}
          aria-label={t('정정 덧붙이기')}
          noValidate
          onSubmit={(event) => {
            event.preventDefault()
            const found = wrongOf(text)
            setWrong(found)
            if (!found.en && !found.ko) void publish()
          }}
        >
          <div className={styles.pair}>
            {field('en', 'English')}
            {field('ko', t('한국어'))}
          </div>
          <Button writes type="submit" tone="danger-edged" isBusy={isBusy}>
            {t('정정 공개')}
          </Button>
        </form>
      )}
      <Versions versions={versions} />
    </Group>
  )
}

function wrongOf(text: typeof none): { en?: string; ko?: string } {
  const of = (value: string) =>
    value.trim() === ''
      ? t('값을 입력하세요. 영어와 한국어 모두 필요합니다.')
      : [...value.trim()].length > most.correction
        ? t('{correction}자 이하여야 합니다.', { correction: count(most.correction) })
        : ''
  const [en, ko] = [of(text.en), of(text.ko)]
  return { ...(en && { en }), ...(ko && { ko }) }
}

const confirmed = (text: typeof none): Promise<boolean> =>
  confirm({
    title: t('정정 공개'),
    action: t('공개'),
    tone: 'danger',
    body: (
      <>
        <p>{t('지금 시각과 함께 바로 공개됩니다. 고치거나 지울 수 없습니다.')}</p>
        <blockquote className={styles.quote}>
          {[language, other].map((one) => (
            <p key={one} dir="auto" lang={one}>
              {text[one]}
            </p>
          ))}
        </blockquote>
      </>
    ),
  })
