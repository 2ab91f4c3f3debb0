import { useState } from 'react'
import { t } from '../language/t.ts'
import { Button } from '../ui/Button.tsx'
import { goToStep } from './places.ts'
import type { SetupStep } from './put-away.ts'
import styles from './SetupList.module.css'
import { setupWords } from './texts.ts'

/** One step that is left: what it is for, and the button that leads to where it is done. */
export function SetupRow({ step }: { step: SetupStep }) {
  const { title, why, button } = setupWords[step]
  const [isTold, setTold] = useState(false)
  return (
    <li data-step={step}>
      <div>
        <h3>{title}</h3>
        <p>{why}</p>
        {isTold && <BackupHowTo />}
      </div>
      {step === 'backup' ? (
        <Button tone="edged" size="small" aria-expanded={isTold} onClick={() => setTold(!isTold)}>
          {button}
        </Button>
      ) : (
        <Button
          tone="edged"
          size="small"
          aria-label={`${title}: ${button}`}
          onClick={() => void goToStep(step)}
        >
          {button}
        </Button>
      )}
    </li>
  )
}

/** No dashboard makes a backup: it belongs on another machine. */
const BackupHowTo = () => (
  <p className={styles.how}>
    {t(
      '서버의 .env에 RESTIC_REPOSITORY와 RESTIC_PASSWORD를 정하면 백업 서비스가 매시간 만들어 보냅니다. 직접 만들려면 서버에서:',
    )}{' '}
    <code>bun run backup</code>
  </p>
)
