import checkIcon from 'lucide-static/icons/check.svg?raw'
import copyIcon from 'lucide-static/icons/copy.svg?raw'
import externalIcon from 'lucide-static/icons/external-link.svg?raw'
import { type ReactNode, useEffect, useState } from 'react'
import { shorten } from '../../../../core/money.ts'
import { site } from '../../content/site.ts'
import { Icon } from '../../shell/Icon.tsx'
import { t } from '../language/t.ts'
import { groupsOfFour } from './format.ts'
import styles from './list.module.css'

type Props = { value: string; label: string; withCopy?: boolean }

/** Large, in groups of four with the first and last emphasised, for comparing character by character. */
export function Address({ value, label, withCopy = true }: Props) {
  const groups = groupsOfFour(value)
  return (
    <div className={`address row whole spread ${styles.address}`}>
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
  const [isCopied, setCopied] = useState(false)
  useEffect(() => {
    if (!isCopied) return
    const timer = setTimeout(() => setCopied(false), 2_000)
    return () => clearTimeout(timer)
  }, [isCopied])
  const copy = () =>
    navigator.clipboard.writeText(text).then(
      () => setCopied(true),
      () => undefined, // The browser forbids it; the text can still be selected by hand.
    )
  return (
    <button type="button" className={`row whole ${styles.copy}`} aria-label={label} onClick={copy}>
      <Icon svg={isCopied ? checkIcon : copyIcon} className="small" />
      <span aria-live="polite">{isCopied ? t('복사됨') : t('복사')}</span>
    </button>
  )
}

/** A link to a transaction on the block explorer; the whole hash is in its title. */
export const HashText = ({ hash, head = 10 }: { hash: string; head?: number }) => (
  <a
    className="hash"
    translate="no"
    href={`${site.explorerUrl}/tx/${hash}`}
    target="_blank"
    rel="noreferrer"
    title={hash}
  >
    <span>{shorten(hash, head, 0)}</span>
    <Icon svg={externalIcon} className="small" />
  </a>
)

export const Wallet = ({ address }: { address: string }) => (
  <span className="figure" translate="no" title={address}>
    {shorten(address, 6, 4)}
  </span>
)
