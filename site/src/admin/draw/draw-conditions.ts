import type { Hex } from 'viem'
import type { PublicState } from '../../../../core/live/public.ts'
import { hasWinner } from '../../live/stage.ts'
import { t } from '../language/t.ts'
import type { AdminConfig, AnchorState } from '../session/session.ts'
import { count, inWords, toField } from '../ui/format.ts'

export type Condition = { name: string; found: string; state: 'passed' | 'waiting' | 'failed' }

type Anchors = Pick<AnchorState, 'terms' | 'list'>
type Beacon = Pick<PublicState['drawStatus'], 'beacon' | 'beaconDueAt'>
type Live = Partial<Pick<PublicState, 'drawStatus' | 'winner' | 'stats'>>

export function drawConditions(event: AdminConfig, { drawStatus, stats }: Live, now: number): Condition[] {
  const { drawDate, saleEndDate, frozenAt, ledgerSha256, minTicketsForDraw } = event
  const sold = stats?.ticketsSold ?? event.ticketsSold
  const isPast = (iso: string | null) => iso !== null && Date.parse(iso) <= now
  const isSealed = event.entropy !== 'blocks' && drawStatus?.beacon !== 'found'
  return [
    {
      name: t('최소 티켓 수'),
      found: t('{sold}장 판매, 최소 {minTicketsForDraw}장', {
        sold: count(sold),
        minTicketsForDraw: count(minTicketsForDraw),
      }),
      state: sold >= minTicketsForDraw && sold > 0 ? 'passed' : isPast(saleEndDate) ? 'failed' : 'waiting',
    },
    {
      name: t('판매 종료와 명단 확정'),
      found: frozenAt
        ? t('해시 {ledgerSha256}…', { ledgerSha256: ledgerSha256?.replace(/^0x/, '').slice(0, 16) ?? '' })
        : isPast(saleEndDate)
          ? t('마지막 블록의 확정을 기다립니다.')
          : saleEndDate
            ? t('판매 종료 {saleEndDate} (한국)', { saleEndDate: inWords(saleEndDate) })
            : t('추첨 일시가 없어 판매가 끝나지 않습니다.'),
      state: frozenAt ? 'passed' : 'waiting',
    },
    {
      name: t('추첨 시각'),
      found: !drawDate
        ? t('설정되지 않았습니다.')
        : isPast(drawDate) && isSealed
          ? beaconText(drawStatus ?? { beacon: null, beaconDueAt: null })
          : `${toField(drawDate)} UTC`,
      state: isPast(drawDate) && !isSealed ? 'passed' : 'waiting',
    },
  ]
}

export function drawStanding(
  event: AdminConfig,
  live: Live,
  now: number,
): { state: 'ready' | 'waiting' | 'failed'; text: string; next?: string } {
  if (event.isRefundMode) return { state: 'failed', text: t('이 이벤트는 환불 중입니다.') }
  const open = drawConditions(event, live, now).filter(({ state }) => state !== 'passed')
  const failed = open.find(({ state }) => state === 'failed')
  if (failed) return { state: 'failed', text: failed.found }
  if (open[0]) return { state: 'waiting', text: open[0].found, next: open[0].name }
  if (hasWinner(live.winner)) return { state: 'waiting', text: t('당첨자가 발표되어 있습니다.') }
  if (live.drawStatus?.isDrawing) return { state: 'waiting', text: t('지금 추첨 중입니다.') }
  return live.drawStatus?.canDraw
    ? { state: 'ready', text: t('추첨할 수 있습니다.') }
    : { state: 'waiting', text: t('아직 추첨할 수 없습니다.') }
}

/** What can be anchored now and is not: the terms of a dated event before its sale end, the frozen list before the draw date. */
export function anchorToSend(
  { drawDate, saleEndDate }: Pick<AdminConfig, 'drawDate' | 'saleEndDate'>,
  anchors: Anchors | undefined,
  now: number,
): Hex | undefined {
  const told = anchors?.list ?? anchors?.terms
  const until = anchors?.list ? drawDate : saleEndDate
  const isOpen = until !== null && now < Date.parse(until)
  return told && isOpen && told.transactionHash === null ? told.commitment : undefined
}

export function beaconText({ beacon, beaconDueAt }: Beacon): string {
  if (beacon === 'found') return t('회차의 서명을 받아 확인했습니다.')
  if (beacon === 'awaited')
    return t('회차의 서명을 기다립니다. 7일 뒤에도 이 회차만 나오지 않으면 전액 환불로 바뀝니다.')
  return beaconDueAt
    ? t('{beaconDueAt} UTC에 공개됩니다. 그 전에는 아무도 알 수 없습니다.', {
        beaconDueAt: toField(beaconDueAt),
      })
    : t('추첨 일시를 정하면 회차가 정해집니다.')
}
