import { TextField } from '../frame/Field.tsx'
import rowStyles from '../frame/Rows.module.css'
import { t } from '../language/t.ts'
import { type CapTexts, capLabels } from './caps-form.ts'

type Props = {
  value: CapTexts
  onChange: (part: Partial<CapTexts>) => void
  wrong: Partial<Record<keyof CapTexts, string>>
  locked?: string | undefined
}

const hints: Record<keyof CapTexts, string> = {
  maxTickets: t('비워 두면 제한이 없습니다. 넘는 결제는 티켓 없이 전액 환불 대상이 됩니다.'),
  maxPerWallet: t('비워 두면 제한이 없습니다. 한 사람이 여러 지갑을 쓰는 것은 막지 못합니다.'),
}

/** The most tickets of the event, and of one wallet in it. */
export function CapFields({ value, onChange, wrong, locked }: Props) {
  return (
    <div className={rowStyles.pair}>
      {(['maxTickets', 'maxPerWallet'] as const).map((name) => (
        <TextField
          key={name}
          label={capLabels[name]}
          value={value[name]}
          onChange={(text) => onChange({ [name]: text })}
          error={wrong[name]}
          locked={locked}
          hint={hints[name]}
          placeholder={t('제한 없음')}
          inputMode="numeric"
          autoComplete="off"
          isMono
          suffix={t('장')}
        />
      ))}
    </div>
  )
}
