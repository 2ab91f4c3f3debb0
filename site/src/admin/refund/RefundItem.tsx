import chevronIcon from 'lucide-static/icons/chevron-down.svg?raw'
import { shorten } from '../../../../core/format.ts'
import { Icon } from '../../shell/Icon.tsx'
import { Badge } from '../frame/Badge.tsx'
import { HashText } from '../frame/HashText.tsx'
import { usdtColumn } from '../frame/numbers.ts'
import { RefundFactsOf } from './RefundFacts.tsx'
import styles from './RefundItem.module.css'
import { stateOf } from './texts.ts'
import type { DeskRow } from './types.ts'

type Props = { row: DeskRow; isAsked: boolean; isOpen: boolean; onToggle: () => void }

/** One payer: recipient, amount and state; when open, the payments behind it and the possible actions. */
export function RefundItem({ row, isAsked, isOpen, onToggle }: Props) {
  const { tone, icon, word } = stateOf(row, isAsked)
  return (
    <li data-row={row.id} data-state={row.state} className={isAsked ? styles.asked : undefined}>
      <div className={styles.item}>
        <button type="button" className={styles.open} aria-expanded={isOpen} onClick={onToggle}>
          <Icon svg={chevronIcon} className="small" />
          <span className="figure" title={row.to}>
            {shorten(row.to, 6, 4)}
          </span>
          {row.to !== row.payer && <span className={styles.moved}>주소 변경</span>}
        </button>
        <span className={`figure ${styles.amount}`}>{usdtColumn(row.amount)}</span>
        <span className={styles.state}>
          <Badge tone={tone} icon={icon}>
            {word}
          </Badge>
        </span>
        <span className={styles.hash}>
          {row.transactionHash ? (
            <HashText hash={row.transactionHash} />
          ) : (
            <span className="quiet">없음</span>
          )}
        </span>
      </div>
      {isOpen && <RefundFactsOf row={row} isAsked={isAsked} />}
    </li>
  )
}
