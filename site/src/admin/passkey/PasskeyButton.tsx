import keyIcon from 'lucide-static/icons/fingerprint-pattern.svg?raw'
import type { MouseEvent } from 'react'
import { t } from '../language/t.ts'
import { Button } from '../ui/action.tsx'

type Props = { isBusy: boolean; onClick: (event: MouseEvent<HTMLButtonElement>) => void }

export const PasskeyButton = (props: Props) => (
  <Button tone="edged" icon={keyIcon} {...props}>
    {t('패스키로 확인')}
  </Button>
)
