import { RaffleError } from '../errors.ts'

/** Why a field of the event is shut; the sentences are the dashboard's. */
export type LockReason = 'ticket' | 'saleEnd' | 'environment' | 'content'

/** The fields of the event's form that promise something to buyers; links, support address and form stay open. */
export const termFields = [
  ...(['operatorWallet', 'drawDate', 'minTicketsForDraw', 'entropy', 'winners', 'prizes'] as const),
  'content',
] as const
export type TermField = (typeof termFields)[number]
export type Locks = Partial<Record<TermField, LockReason>>

/**
 * Which fields are shut, and why. The first ticket, or the anchor of the terms, shuts all of them but for a draw date that was
 * never set; the sale end shuts that one too.
 */
export function locksOf(event: {
  isLocked: boolean
  hasEnded: boolean
  hasDate: boolean
  hasContent: boolean
  isPinned: boolean
}): Locks {
  const reason = event.isLocked ? 'ticket' : event.hasEnded ? 'saleEnd' : undefined
  if (!reason)
    return {
      ...(event.isPinned && { operatorWallet: 'environment' }),
      ...(event.hasContent && { winners: 'content', prizes: 'content' }),
    }
  const locks: Locks = Object.fromEntries(termFields.map((field) => [field, reason]))
  if (!event.hasDate && !event.hasEnded) delete locks.drawDate
  return locks
}

const texts: Record<LockReason, string> = {
  ticket: '첫 티켓이 판매되거나 약속이 블록체인에 기록된 때부터 잠깁니다.',
  saleEnd: '판매 종료 시각부터 잠깁니다.',
  environment: '서버 설정 OPERATOR_WALLET이 정합니다.',
  content: '당첨자 수와 경품은 이벤트 내용을 따릅니다.',
}

/** Throws EVENT_LOCKED, which names the field and why it is shut. */
export function expectOpen(locks: Locks, field: TermField): void {
  const reason = locks[field]
  if (reason) throw locked(field, texts[reason])
}

export const locked = (field: string, text: string): RaffleError =>
  new RaffleError('EVENT_LOCKED', text, {}, { field })
