import { useState } from 'react'
import { signsOf } from '../../../../core/content/read-content.ts'
import { type LegalKind, mostLegalSigns } from '../../../../core/house/rules.ts'
import { showToast } from '../../shell/toast.ts'
import { t } from '../language/t.ts'
import { api } from '../session/api.ts'
import { call } from '../session/session.ts'
import { useAction } from '../ui/action.tsx'
import { Button } from '../ui/Button.tsx'
import { confirm } from '../ui/Dialog.tsx'
import { inWords } from '../ui/dates.ts'
import { TextArea } from '../ui/Field.tsx'
import rowStyles from '../ui/Rows.module.css'
import { useLeaveWarning } from '../ui/use-leave-warning.ts'
import styles from './HouseRules.module.css'
import type { HouseRules } from './rules-form.ts'

type Props = { kind: LegalKind; rules: HouseRules; onSaved: () => Promise<void> }
type Text = { en: string; ko: string }

const titles: Record<LegalKind, string> = { terms: t('이용약관'), privacy: t('개인정보 처리방침') }
const nothing: Text = { en: '', ko: '' }

/** One text in both languages; what is typed stays when the other form is saved. */
export function LegalTextForm({ kind, rules, onSaved }: Props) {
  const saved = rules[kind]
  const [edited, setEdited] = useState<Text>()
  const draft = edited ?? saved ?? nothing
  const title = titles[kind]
  const isChanged = edited !== undefined && (edited.en !== saved?.en || edited.ko !== saved?.ko)
  const isComplete = [draft.en, draft.ko].every(
    (text) => text.trim() !== '' && signsOf(text) <= mostLegalSigns,
  )
  useLeaveWarning(isChanged)
  const put = async (text: Text | null) => {
    try {
      await call(() => api['house-rules'].texts.put({ kind, text, version: rules.version }))
      setEdited(undefined)
    } finally {
      await onSaved()
    }
  }
  const [publish, isPublishing] = useAction(t('{title}을 게시하지 못했습니다', { title }), async () => {
    const isSure = await confirm({
      title: t('{title} 새 버전 게시', { title }),
      body: t(
        '바로 공개되고, 동의를 받는 중이면 구매자에게 다시 묻습니다. 게시한 버전은 지울 수 없으며 누구나 볼 수 있습니다.',
      ),
      action: t('게시'),
    })
    if (!isSure) return
    await put({ en: draft.en, ko: draft.ko })
    showToast(t('{title}을 게시했습니다', { title }), t('새 버전이 공개되었습니다.'), 'good')
  })
  const [takeDown, isTakingDown] = useAction(t('{title}을 내리지 못했습니다', { title }), async () => {
    const isSure = await confirm({
      title: t('{title} 내리기', { title }),
      body: t('페이지와 링크에서 사라집니다. 지난 버전은 공개 기록으로 남습니다.'),
      action: t('내리기'),
      tone: 'danger',
    })
    if (!isSure) return
    await put(null)
    showToast(t('{title}을 내렸습니다', { title }), t('지난 버전은 기록으로 남습니다.'), 'good')
  })
  const area = (name: keyof Text, language: string) => (
    <TextArea
      label={`${title} (${language})`}
      rows={10}
      value={draft[name]}
      onChange={(text) => setEdited({ en: draft.en, ko: draft.ko, [name]: text })}
      error={signsOf(draft[name]) > mostLegalSigns ? t('글이 너무 깁니다.') : undefined}
      hint={t('{signsOf} / {mostLegalSigns}자. 빈 줄로 문단을 나누고, “## ”로 시작하는 줄은 제목이 됩니다.', {
        signsOf: signsOf(draft[name]).toLocaleString('en-US'),
        mostLegalSigns: mostLegalSigns.toLocaleString('en-US'),
      })}
    />
  )
  return (
    <details className={styles.text}>
      <summary>{title}</summary>
      <div className={styles.form}>
        <p className="hint break">
          {saved
            ? t('게시 중: {sha256}, {savedAt} 저장', {
                sha256: saved.sha256,
                savedAt: inWords(saved.savedAt),
              })
            : t('게시된 글이 없습니다.')}
        </p>
        {area('ko', t('한국어'))}
        {area('en', t('영어'))}
        <div className={rowStyles.row}>
          <Button
            writes
            disabled={!isChanged || !isComplete}
            isBusy={isPublishing}
            onClick={() => void publish()}
          >
            {t('{title} 게시', { title })}
          </Button>
          {saved && (
            <Button writes tone="danger-edged" isBusy={isTakingDown} onClick={() => void takeDown()}>
              {t('내리기')}
            </Button>
          )}
        </div>
      </div>
    </details>
  )
}
