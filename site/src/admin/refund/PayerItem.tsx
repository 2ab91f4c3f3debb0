import chevronIcon from 'lucide-static/icons/chevron-down.svg?raw'
import { shorten } from '../../../../core/format.ts'
import { centsOf } from '../../../../core/money.ts'
import { groupOf, groupOfAll } from '../../../../core/refund/progress.ts'
import { Icon } from '../../shell/Icon.tsx'
import { Badge } from '../frame/Badge.tsx'
import { usdtColumn } from '../frame/numbers.ts'
import { t } from '../language/t.ts'
import { PayerFacts } from './PayerFacts.tsx'
import styles from './PayerItem.module.css'
import { stateOf } from './texts.ts'
import type { ListedPayer } from './types.ts'

type Props = {
  payer: ListedPayer
  eventNumber: number
  asked: ReadonlySet<number>
  isOpen: boolean
  onToggle: () => void
}

/** One payer: owed, paid, in flight and left, in one line; when open, every transaction behind it. */
export function PayerItem({ payer, eventNumber, asked, isOpen, onToggle }: Props) {
  const group = groupOfAll(payer.rows.map(groupOf))
  const row = payer.rows.find((one) => groupOf(one) === group)
  if (!row) return null
  const isAsked = payer.rows.some(({ id }) => asked.has(id))
  const { tone, icon, word } = stateOf(row, asked.has(row.id))
  const moved = payer.rows.find(({ to }) => to !== payer.payer)
  const left = BigInt(payer.left) + BigInt(payer.held)
  return (
    <li data-row={row.id} data-state={row.state} className={isAsked ? styles.asked : undefined}>
      <div className={styles.item}>
        <button type="button" className={styles.open} aria-expanded={isOpen} onClick={onToggle}>
          <Icon svg={chevronIcon} className="small" />
          <span className="figure" title={payer.payer}>
            {shorten(payer.payer, 6, 4)}
          </span>
          {moved && (
            <span className={styles.moved} title={moved.to}>
              {t('주소 변경')}
            </span>
          )}
        </button>
        <Sum name={t('환불액')} units={BigInt(payer.owed)} />
        <Sum name={t('완료')} units={BigInt(payer.paid)} />
        <Sum name={t('진행 중')} units={BigInt(payer.inFlight)} />
        <Sum name={t('남음')} units={left} />
        <span className={styles.state}>
          <Badge tone={tone} icon={icon}>
            {word}
          </Badge>
        </span>
      </div>
      {isOpen && <PayerFacts payer={payer.payer} eventNumber={eventNumber} asked={asked} />}
    </li>
  )
}

const Sum = ({ name, units }: { name: string; units: bigint }) => (
  <span className={units === 0n ? `${styles.sum} ${styles.none}` : styles.sum}>
    <span className={styles.name}>{name} </span>
    <span className="figure">{usdtColumn(Number(centsOf(units)))}</span>
  </span>
)
