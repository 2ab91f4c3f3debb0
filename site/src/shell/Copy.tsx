import checkIcon from 'lucide-static/icons/check.svg?raw'
import copyIcon from 'lucide-static/icons/copy.svg?raw'
import type { ReactNode } from 'react'
import { t } from '../texts/index.ts'
import { Icon } from './Icon.tsx'
import { useCopy } from './island.tsx'

export function CopyButton({ text, className }: { text: string; className?: string }) {
  const { isCopied, copy } = useCopy(text)
  return (
    <button type="button" className={className} onClick={copy} data-copied={isCopied ? '' : undefined}>
      <Icon svg={isCopied ? checkIcon : copyIcon} className="small" />
      <span aria-live="polite">{isCopied ? t.copied : t.copy}</span>
    </button>
  )
}

export const CopyRow = ({ name, text, children }: { name: string; text: string; children?: ReactNode }) => (
  <>
    <p className="field-label">{name}</p>
    <div className="address address-row">
      {children ?? <span translate="no">{text}</span>}
      <CopyButton text={text} />
    </div>
  </>
)
