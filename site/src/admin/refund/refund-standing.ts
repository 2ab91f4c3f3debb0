import { inKorea } from '../frame/dates.ts'
import { count } from '../frame/numbers.ts'
import type { AdminConfig } from '../frame/types.ts'

/** Whether the event is refunded, and why or why not yet. `now` in milliseconds by the server's clock. */
export function refundStanding(
  event: AdminConfig,
  sold: number,
  now: number,
): { tone: 'plain' | 'bad'; title: string; text: string } {
  const { isRefundMode, drawDate, minTicketsForDraw } = event
  if (isRefundMode)
    return {
      tone: 'bad',
      title: '환불 모드입니다.',
      text: `${count(minTicketsForDraw)}장 중 ${count(sold)}장만 판매되어 결제한 주소로 전액 환불합니다.`,
    }
  if (sold >= minTicketsForDraw)
    return {
      tone: 'plain',
      title: '최소 수량을 달성했습니다.',
      text: '이 이벤트는 전액 환불 대상이 아닙니다. 티켓 없는 결제는 따로 환불할 수 있습니다.',
    }
  const isDue = drawDate !== null && Date.parse(drawDate) <= now
  return {
    tone: 'plain',
    title: '아직 환불 모드가 아닙니다.',
    text: isDue
      ? '마지막 블록이 확정되면 자동으로 시작됩니다.'
      : drawDate
        ? `${inKorea(drawDate)} (한국)까지 최소 수량에 못 미치면 자동으로 시작됩니다.`
        : '추첨 일시를 정하면, 그때까지 최소 수량에 못 미칠 경우 자동으로 시작됩니다.',
  }
}
