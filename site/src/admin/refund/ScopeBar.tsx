import type { RefundKind } from '../../../../core/refund/rules.ts'
import { DownloadButton } from '../frame/DownloadRow.tsx'
import choiceStyles from './choice.module.css'
import { openScope } from './desk-store.ts'
import styles from './ScopeBar.module.css'
import type { DeskScope } from './types.ts'

type Props = { scope: DeskScope; events: readonly number[]; isLocked: boolean }

const kinds: readonly [RefundKind, string][] = [
  ['event', '이벤트 전액'],
  ['leftover', '티켓 없는 결제'],
]

/** Chooses what is refunded: all of an event, or payments without a ticket. */
export function ScopeBar({ scope, events, isLocked }: Props) {
  return (
    <div className={styles.bar}>
      <fieldset className={choiceStyles.choice} aria-label="환불 종류">
        {kinds.map(([kind, text]) => (
          <button
            key={kind}
            type="button"
            aria-pressed={scope.kind === kind}
            disabled={isLocked && scope.kind !== kind}
            onClick={() => openScope({ ...scope, kind })}
          >
            {text}
          </button>
        ))}
      </fieldset>
      <label className="inline-label">
        이벤트
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
      <DownloadButton
        method="POST"
        path="/api/admin/export/refund"
        body={{ eventNumber: scope.eventNumber }}
        fallbackName="refund.xlsx"
        failure="환불 대상 내보내기에 실패했습니다"
        label="대상 목록 받기"
        name="환불 대상 목록 받기"
      />
    </div>
  )
}
