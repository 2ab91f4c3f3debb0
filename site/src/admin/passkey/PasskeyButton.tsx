import keyIcon from 'lucide-static/icons/fingerprint-pattern.svg?raw'
import type { MouseEvent } from 'react'
import { t } from '../language/t.ts'
import { Button } from '../ui/action.tsx'

type Props = {
  isBusy: boolean
  onClick: (event: MouseEvent<HTMLButtonElement>) => void
  className?: string | undefined
}

export function PasskeyButton({ isBusy, onClick, className }: Props) {
  return (
    <Button tone="edged" icon={keyIcon} isBusy={isBusy} onClick={onClick} className={className}>
      {t('패스키로 확인')}
    </Button>
  )
}
