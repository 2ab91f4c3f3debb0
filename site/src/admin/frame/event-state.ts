import type { PublicState } from '../../../../core/public.ts'
import { hasWinner } from '../../live/history.ts'

/** Where the running event stands, as one badge says it. */
export function eventState(
  { config, drawStatus, winner }: Partial<PublicState>,
  now: number,
): { tone: 'ok' | 'wait' | 'bad'; text: string } | undefined {
  if (!config) return undefined
  const name = `이벤트 ${config.eventNumber}`
  const isPast = (iso: string | null) => iso !== null && Date.parse(iso) <= now
  if (config.isRefundMode) return { tone: 'bad', text: `${name} 환불 진행 중` }
  if (drawStatus?.isDrawing) return { tone: 'wait', text: `${name} 추첨 중` }
  if (hasWinner(winner)) return { tone: 'ok', text: `${name} 당첨자 발표됨` }
  if (isPast(config.drawDate)) return { tone: 'wait', text: `${name} 추첨 대기` }
  if (isPast(config.saleEndDate)) return { tone: 'wait', text: `${name} 판매 종료` }
  if (config.salesPaused) return { tone: 'bad', text: `${name} 판매 일시 중지` }
  return { tone: 'ok', text: `${name} 진행 중` }
}
