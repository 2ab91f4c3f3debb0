import externalIcon from 'lucide-static/icons/external-link.svg?raw'
import { shorten } from '../../../core/money.ts'
import { site } from '../content/site.ts'
import styles from './shell.module.css'
import { Icon } from './Icon.tsx'

/** A transaction on the block explorer; 12 characters of its hash on a phone, 16 from 640 px on. */
export function HashLink({ hash }: { hash: string }) {
  return (
    <a
      className="hash"
      href={`${site.explorerUrl}/tx/${hash}`}
      target="_blank"
      rel="noreferrer"
      title={hash}
      translate="no"
    >
      <span className={styles.short}>{shorten(hash, 12, 0)}</span>
      <span className={styles.long}>{shorten(hash, 16, 0)}</span>
      <Icon svg={externalIcon} className="small" />
    </a>
  )
}
