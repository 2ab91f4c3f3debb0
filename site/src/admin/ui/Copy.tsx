import checkIcon from 'lucide-static/icons/check.svg?raw'
import copyIcon from 'lucide-static/icons/copy.svg?raw'
import { useEffect, useState } from 'react'
import { Icon } from '../../shell/Icon.tsx'
import { t } from '../language/t.ts'
import styles from './Copy.module.css'

/** Says "복사됨" for two seconds. */
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
    <button type="button" className={styles.copy} aria-label={label} onClick={copy}>
      <Icon svg={isCopied ? checkIcon : copyIcon} className="small" />
      <span aria-live="polite">{isCopied ? t('복사됨') : t('복사')}</span>
    </button>
  )
}
