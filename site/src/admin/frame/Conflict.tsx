import { Button } from './Button.tsx'
import styles from './Conflict.module.css'
import { Note } from './Note.tsx'

type Props = {
  changes: readonly { label: string; from: string; to: string }[]
  onTake: () => void
  onKeep: () => void
}

/** Another administrator saved the fields being edited: shows the new values before they are overwritten. */
export function Conflict({ changes, onTake, onKeep }: Props) {
  return (
    <Note tone="bad" role="alert">
      <p>
        <b>다른 관리자가 방금 설정을 바꿨습니다.</b> 입력한 값은 아직 저장되지 않았습니다.
      </p>
      <ul className={`plain-list ${styles.list}`}>
        {changes.map(({ label, from, to }) => (
          <li key={label}>
            <span>{label}</span> <s className="figure break">{from || '없음'}</s>{' '}
            <span aria-hidden="true">→</span> <b className="figure break">{to || '없음'}</b>
          </li>
        ))}
      </ul>
      <div className="button-row">
        <Button tone="edged" size="small" onClick={onTake}>
          새 값 사용
        </Button>
        <Button tone="plain" size="small" onClick={onKeep}>
          내 입력 유지
        </Button>
      </div>
    </Note>
  )
}
