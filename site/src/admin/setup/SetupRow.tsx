import checkIcon from 'lucide-static/icons/check.svg?raw'
import { useState } from 'react'
import { Icon } from '../../shell/Icon.tsx'
import { t } from '../language/t.ts'
import { Badge } from '../ui/Badge.tsx'
import { Button } from '../ui/Button.tsx'
import { goToStep } from './places.ts'
import type { SetupItem } from './put-away.ts'
import styles from './SetupList.module.css'
import { setupWords } from './texts.ts'

/** One step: what it is for while it is open, and the button that leads to where it is done. */
export function SetupRow({ step, state }: SetupItem) {
  const { title, why, button } = setupWords[step]
  const [isTold, setTold] = useState(false)
  return (
    <li data-step={step} data-state={state}>
      <span className="disc" aria-hidden="true">
        {state === 'done' && <Icon svg={checkIcon} />}
      </span>
      <div>
        <h3>{title}</h3>
        {state === 'open' && <p>{why}</p>}
        {state === 'open' && isTold && <BackupHowTo />}
      </div>
      {state === 'done' ? (
        <Badge tone="ok">{t('완료')}</Badge>
      ) : state === 'spare' ? (
        <span className={styles.spare}>{t('이 컴퓨터에서는 필요 없음')}</span>
      ) : step === 'backup' ? (
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
