import { DateField } from '../frame/DateField.tsx'
import { spanText } from '../frame/dates.ts'
import { Field, TextField } from '../frame/Field.tsx'
import { count } from '../frame/numbers.ts'
import type { NextTerms } from '../frame/types.ts'
import { EntropyChoice } from './EntropyChoice.tsx'
import { winnersHint } from './fields.ts'
import styles from './NextTerms.module.css'
import type { NextDraft } from './next-form.ts'

type Props = {
  terms: NextTerms
  draft: NextDraft
  wrong: Partial<Record<keyof NextDraft, string>>
  onEdit: (part: Partial<NextDraft>) => void
}

/** The terms that a draft can choose; an empty field says what counts without it. */
export function NextFields({ terms: { current, next }, draft, wrong, onEdit }: Props) {
  return (
    <>
      <div className="field-pair">
        <DateField
          label="추첨 일시 (UTC)"
          value={draft.drawDate}
          onChange={(drawDate) => onEdit({ drawDate })}
          error={wrong.drawDate}
          emptyHint={`판매는 추첨 ${spanText(next.saleLeadSeconds)} 전에 끝납니다.`}
        />
        <TextField
          label="최소 참여 인원"
          value={draft.minTicketsForDraw}
          onChange={(minTicketsForDraw) => onEdit({ minTicketsForDraw })}
          error={wrong.minTicketsForDraw}
          hint={`비워 두면 지금 이벤트처럼 ${count(current.minTicketsForDraw)}장입니다.`}
          inputMode="numeric"
          autoComplete="off"
          isMono
          suffix="장"
        />
      </div>
      <div className="field-pair">
        <Field label="추첨 시작" hint="관리자가 직접 시작해도 당첨 번호는 달라지지 않습니다.">
          {(ids) => (
            <div className={styles.select}>
              <select
                {...ids}
                className="input"
                value={draft.autoDraw}
                onChange={(event) => onEdit({ autoDraw: event.target.value as NextDraft['autoDraw'] })}
              >
                <option value="">서버 설정대로</option>
                <option value="on">추첨 시각에 자동으로</option>
                <option value="off">관리자가 직접</option>
              </select>
            </div>
          )}
        </Field>
        <TextField
          label="경품 수령 기한"
          value={draft.claimDays}
          onChange={(claimDays) => onEdit({ claimDays })}
          error={wrong.claimDays}
          hint="7일에서 90일. 비워 두면 서버 설정을 따릅니다."
          inputMode="numeric"
          autoComplete="off"
          isMono
          suffix="일"
        />
      </div>
      <div className="field-pair">
        <TextField
          label="당첨자 수"
          value={draft.winners}
          onChange={(winners) => onEdit({ winners })}
          error={wrong.winners}
          hint={`${winnersHint} 비워 두면 1명입니다.`}
          inputMode="numeric"
          autoComplete="off"
          isMono
          suffix="명"
        />
      </div>
      <EntropyChoice
        value={draft.entropy}
        onChange={(entropy) => onEdit({ entropy })}
        error={wrong.entropy}
        unset="블록 해시 5개로 추첨합니다."
      />
    </>
  )
}
