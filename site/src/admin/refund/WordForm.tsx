import { type ReactNode, useState } from 'react'
import { Button } from '../frame/Button.tsx'
import { TextField } from '../frame/Field.tsx'
import { useAction } from '../frame/use-action.ts'
import { t } from '../language/t.ts'
import styles from './OtherWallets.module.css'

type Props = {
  children: ReactNode
  action: string
  /** The word takes back another one, so it is no warning. */
  isGood?: boolean
  onTell: (note: string) => Promise<void>
}

/** An audited word of the administrator's about a wallet, with what has happened. */
export function WordForm({ children, action, isGood = false, onTell }: Props) {
  const [note, setNote] = useState('')
  const [tell, isBusy] = useAction(t('기록하지 못했습니다'), () => onTell(note.trim()))
  return (
    <form
      className={styles.word}
      onSubmit={(event) => {
        event.preventDefault()
        void tell()
      }}
    >
      <p>{children}</p>
      <TextField
        label={t('무슨 일이 있었는지')}
        hint={t('감사 기록에 그대로 남습니다.')}
        value={note}
        onChange={setNote}
        autoComplete="off"
      />
      <Button
        type="submit"
        tone={isGood ? 'edged' : 'danger'}
        size="small"
        isBusy={isBusy}
        disabled={note.trim() === ''}
      >
        {action}
      </Button>
    </form>
  )
}
