import checkIcon from 'lucide-static/icons/check.svg?raw'
import copyIcon from 'lucide-static/icons/copy.svg?raw'
import externalIcon from 'lucide-static/icons/external-link.svg?raw'
import type { ReactNode } from 'react'
import { shorten } from '../../../../core/money.ts'
import { Icon } from '../../shell/Icon.tsx'
import { useCopy } from '../../shell/island.tsx'
import { TxLink } from '../../shell/Parts.tsx'
import { t } from '../language/t.ts'
import { Button } from './action.tsx'
import { groupsOfFour } from './format.ts'
import styles from './list.module.css'

type Props = { value: string; label: string; withCopy?: boolean }

export function Address({ value, label, withCopy = true }: Props) {
  const groups = groupsOfFour(value)
  return (
    <div className="address row spread">
      <span className={`row ${styles.groups}`} title={value} translate="no">
        {groups.map((group, index) => {
          const isEnd = index === 0 || index === groups.length - 1
          // biome-ignore lint/suspicious/noArrayIndexKey: groups of one address, in a fixed order
          return isEnd ? <b key={index}>{group}</b> : <span key={index}>{group}</span>
        })}
      </span>
      {withCopy && <CopyButton text={value} label={label} />}
    </div>
  )
}

export const Copied = ({ text, label, children }: { text: string; label: string; children?: ReactNode }) => (
  <div className="address address-row">
    {children ?? <span>{text}</span>}
    <CopyButton text={text} label={label} />
  </div>
)

export function CopyButton({ text, label }: { text: string; label: string }) {
  const { isCopied, copy } = useCopy(text)
  return (
    <Button
      tone="plain"
      size="compact"
      icon={isCopied ? checkIcon : copyIcon}
      aria-label={label}
      onClick={copy}
    >
      <span aria-live="polite">{isCopied ? t('복사됨') : t('복사')}</span>
    </Button>
  )
}

export const HashText = ({ hash, head = 10 }: { hash: string; head?: number }) => (
  <TxLink hash={hash} title={hash}>
    <span>{shorten(hash, head, 0)}</span>
    <Icon svg={externalIcon} className="small" />
  </TxLink>
)

export { Short as Wallet } from '../../shell/Parts.tsx'
