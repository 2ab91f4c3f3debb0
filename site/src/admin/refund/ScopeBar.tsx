import type { RefundKind } from '../../../../core/refund/rules.ts'
import { DownloadButton } from '../frame/DownloadRow.tsx'
import rowStyles from '../frame/Rows.module.css'
import { t } from '../language/t.ts'
import choiceStyles from './choice.module.css'
import { openScope } from './desk-store.ts'
import styles from './ScopeBar.module.css'
import { kindTexts } from './texts.ts'
import type { DeskScope } from './types.ts'

type Props = { scope: DeskScope; events: readonly number[]; isLocked: boolean }

const kinds: readonly RefundKind[] = ['event', 'leftover']
const files = [
  { name: 'refund', label: t('대상 목록') },
  { name: 'books', label: t('장부') },
] as const

/** Chooses what is refunded: all of an event, or payments without a ticket. */
export function ScopeBar({ scope, events, isLocked }: Props) {
  return (
    <div className={styles.bar}>
      <fieldset className={choiceStyles.choice} aria-label={t('환불 종류')}>
        {kinds.map((kind) => (
          <button
            key={kind}
            type="button"
            aria-pressed={scope.kind === kind}
            disabled={isLocked && scope.kind !== kind}
            onClick={() => openScope({ ...scope, kind })}
          >
            {kindTexts[kind]}
          </button>
        ))}
      </fieldset>
      <label className={rowStyles.label}>
        {t('이벤트')}
        <select
          className="input"
          value={scope.eventNumber}
          disabled={isLocked}
          onChange={(event) => openScope({ ...scope, eventNumber: Number(event.target.value) })}
        >
          {events.map((number) => (
            <option key={number} value={number}>
              {number}
            </option>
          ))}
        </select>
      </label>
      <span className={styles.files}>
        {files.map(({ name, label }) => (
          <DownloadButton
            key={name}
            method="POST"
            path={`/api/admin/export/${name}`}
            body={{ eventNumber: scope.eventNumber }}
            fallbackName={`${name}.xlsx`}
            failure={t('환불 {label} 내보내기에 실패했습니다', { label })}
            label={t('{label} 받기', { label })}
            name={t('환불 {label} 받기', { label })}
          />
        ))}
      </span>
    </div>
  )
}
