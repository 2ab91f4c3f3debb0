import { RaffleError } from '../../core/errors.ts'
import { type Caps, wrongCaps } from '../../core/event/caps.ts'
import { locked } from '../../core/event/event-locks.ts'
import type { Event } from './events.ts'

/** What a form sets; null takes a cap away, undefined leaves it alone. */
export type CapsPatch = { [Name in keyof Caps]?: Caps[Name] | undefined }

/** Throws INVALID_VALUE for caps within which nobody could reach the minimum, or a wallet's above that of all. */
export function expectCaps(caps: Caps & { minTickets: number }, fieldOfMinimum?: string): void {
  const wrong = wrongCaps(caps)
  if (!wrong) return
  const field = wrong.field === 'maxTickets' ? (fieldOfMinimum ?? wrong.field) : wrong.field
  throw new RaffleError('INVALID_VALUE', `${field}: ${wrong.text}`, {}, { field })
}

/**
 * The caps that the open event is to have beside this minimum. They may change until the first ticket, as all that decides about
 * payments. Throws EVENT_LOCKED, INVALID_VALUE.
 */
export function checkCaps(
  event: Event,
  patch: CapsPatch & { minTickets?: number | undefined },
  { isLocked, isEnded }: { isLocked: boolean; isEnded: boolean },
): CapsPatch {
  const { maxTickets = event.maxTickets, maxPerWallet = event.maxPerWallet } = patch
  const changed = (
    [
      ['maxTickets', maxTickets],
      ['maxPerWallet', maxPerWallet],
    ] as const
  ).filter(([name, value]) => value !== event[name])
  const [first] = changed
  if (first && isLocked) throw locked(first[0], '최대 티켓 수는 첫 티켓이 판매된 때부터 잠깁니다.')
  if (first && isEnded) throw locked(first[0], '최대 티켓 수는 판매 종료 시각부터 잠깁니다.')
  const minTickets = patch.minTickets ?? event.minTickets
  const isMinimum = patch.maxTickets === undefined && patch.minTickets !== undefined
  expectCaps({ maxTickets, maxPerWallet, minTickets }, isMinimum ? 'minTicketsForDraw' : undefined)
  return Object.fromEntries(changed)
}
