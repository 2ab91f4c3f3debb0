import alertIcon from 'lucide-static/icons/circle-alert.svg?raw'
import type { PublicSolvency } from '../../../core/live/public.ts'
import { usdtOf } from '../../../core/money.ts'
import { Icon } from '../shell/Icon.tsx'
import { island, useLive } from '../shell/island.tsx'
import { fill, t } from '../texts/index.ts'

export const SolvencyLine = island(function SolvencyLine() {
  const { solvency } = useLive()
  const isShort = solvency?.state === 'short'
  return (
    <p className={isShort ? 'note bad' : 'hint'} data-cover={solvency?.state ?? 'loading'}>
      {isShort && <Icon svg={alertIcon} />}
      <span>{solvency ? sentenceOf(solvency) : t.cover.loading}</span>
    </p>
  )
})

function sentenceOf({ state, held, required, block }: PublicSolvency): string {
  // A state of a later release says nothing here.
  const text = state === 'covered' || state === 'short' ? t.cover[state] : undefined
  if (!text || !held || !required || !block) return t.cover.unknown
  return fill(text, { held: usdtOf(held), required: usdtOf(required), block: block.number })
}
