import { useId } from 'react'
import type { Entropy } from '../../../../core/event/event.ts'
import { t } from '../language/t.ts'
import { Badge } from '../ui/Badge.tsx'
import type { Input } from '../ui/fields.tsx'
import styles from './event.module.css'

/** What draws the number, in a word and in one sentence. */
export const entropyTexts: Record<Entropy, { name: string; text: string }> = {
  'blocks+drand': {
    name: t('블록 해시와 drand'),
    text: t(
      '블록을 만든 검증자도 결과를 고를 수 없도록, 블록이 확정된 뒤에야 공개되는 drand의 난수를 섞습니다. 발표는 1~2분 늦어집니다.',
    ),
  },
  blocks: {
    name: t('블록 해시 5개'),
    text: t(
      '추첨 시각의 블록 해시만으로 바로 정해지지만, 그 블록을 만든 검증자가 결과에 영향을 줄 여지가 남습니다.',
    ),
  },
}
const recommended: Entropy = 'blocks+drand'

/** `unset`: a draft may leave it open; what counts then. */
type Props<T extends Entropy | ''> = Input<T> & { unset?: string }

/** Where the draw takes its number from, with one sentence for each choice. */
export function EntropyChoice<T extends Entropy | ''>({ value, set, error, locked, unset }: Props<T>) {
  const name = useId()
  const radio = (choice: T, title: string, text: string, isBest = false) => (
    <label key={choice}>
      <input
        type="radio"
        name={name}
        checked={value === choice}
        disabled={Boolean(locked)}
        aria-invalid={Boolean(error)}
        onChange={() => set(choice)}
      />
      <span>
        <b>{title}</b>
        {isBest && <Badge tone="ok">{t('권장')}</Badge>}
        <small>{text}</small>
      </span>
    </label>
  )
  return (
    <fieldset className={styles.choice}>
      <legend>{t('추첨 난수')}</legend>
      {unset && radio('' as T, t('정하지 않음'), unset)}
      {(Object.keys(entropyTexts) as Entropy[]).map((one) =>
        radio(one as T, entropyTexts[one].name, entropyTexts[one].text, one === recommended),
      )}
      {(error ?? locked) && <p className={error ? 'field-error' : 'hint'}>{error ?? locked}</p>}
    </fieldset>
  )
}
