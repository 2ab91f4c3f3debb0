import { Row } from '../../shell/Layout.tsx'
import { t } from '../language/t.ts'
import { Button } from './Button.tsx'
import styles from './form.module.css'
import listStyles from './list.module.css'
import { Note } from './Note.tsx'

type Props = {
  /** Who saved them, and when, where that is known. */
  who?: string | undefined
  changes: readonly { label: string; from: string; to: string }[]
  onTake: () => void
  onKeep: () => void
}

/** Another administrator saved the fields being edited: shows the new values before they are overwritten. */
export function Conflict({ who, changes, onTake, onKeep }: Props) {
  return (
    <Note tone="bad" role="alert">
      <p>
        <b>{t('다른 관리자가 방금 설정을 바꿨습니다.')}</b> {t('입력한 값은 아직 저장되지 않았습니다.')}{' '}
        {who && <span>{t('저장한 사람: {who}.', { who })}</span>}
      </p>
      <ul className={`${listStyles.plain} ${styles.list}`}>
        {changes.map(({ label, from, to }) => (
          <li key={label}>
            <span>{label}</span> <s className="figure break">{from || t('없음')}</s>{' '}
            <span aria-hidden="true">→</span> <b className="figure break">{to || t('없음')}</b>
          </li>
        ))}
      </ul>
      <Row>
        <Button tone="edged" size="small" onClick={onTake}>
          {t('새 값 사용')}
        </Button>
        <Button tone="plain" size="small" onClick={onKeep}>
          {t('내 입력 유지')}
        </Button>
      </Row>
    </Note>
  )
}
