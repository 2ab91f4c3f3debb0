import { wrongCaps } from '../../../../core/event/caps.ts'
import { mostTickets } from '../../../../core/money.ts'
import { t } from '../language/t.ts'
import { onlyWrong, wrongNumber } from './fields.ts'

/** The caps as typed; an empty field is none. */
export type CapTexts = { maxTickets: string; maxPerWallet: string }

export const capLabels: Record<keyof CapTexts, string> = {
  maxTickets: t('최대 티켓 수'),
  maxPerWallet: t('지갑당 최대 티켓 수'),
}

export const capTextsOf = (caps: { maxTickets: number | null; maxPerWallet: number | null }): CapTexts => ({
  maxTickets: caps.maxTickets?.toString() ?? '',
  maxPerWallet: caps.maxPerWallet?.toString() ?? '',
})

/** Null for an empty field. */
export const capIn = (text: string): number | null => (text.trim() ? Number(text) : null)

/** One sentence per wrong field; the minimum is `NaN` while it is wrong itself. */
export function wrongCapTexts(
  { maxTickets, maxPerWallet }: CapTexts,
  minTickets: number,
): Partial<Record<keyof CapTexts, string>> {
  const wrongForm = onlyWrong({
    maxTickets: maxTickets.trim() ? wrongNumber(maxTickets, 1, mostTickets) : undefined,
    maxPerWallet: maxPerWallet.trim() ? wrongNumber(maxPerWallet, 1, mostTickets) : undefined,
  })
  if (Object.keys(wrongForm).length > 0) return wrongForm
  const wrong = wrongCaps({
    ...{ maxTickets: capIn(maxTickets), maxPerWallet: capIn(maxPerWallet) },
    minTickets: Number.isNaN(minTickets) ? 1 : minTickets,
  })
  return wrong ? { [wrong.field]: wrong.text } : {}
}
