import type { RefundState } from '../../../core/refund/rules.ts'
import { t } from '../texts/index.ts'

/** Badge and sentence for a buyer. The amount beside them is the whole refund to the address. */
export function refundStanding(state: RefundState): readonly [tone: string, word: string, text: string] {
  const told = state === 'failed' ? 'planned' : state
  const { title, text } = t.refunds[told]
  return [tones[told], title, text]
}

const tones = { planned: '', offered: 'wait', sent: 'wait', settled: 'ok' } as const
