import type { Hex } from 'viem'
import type { PublicState } from '../../../../core/live/public.ts'
import { hasWinner } from '../../live/stage.ts'
import { t } from '../language/t.ts'
import type { AdminConfig, AnchorState } from '../session/session.ts'
import { count, inWords, toField } from '../ui/format.ts'

export type Condition = {
  name: string
  found: string
  state: 'passed' | 'waiting' | 'failed'
  isAdvice?: boolean
}

type Anchors = Pick<AnchorState, 'terms' | 'list'>
type Beacon = Pick<PublicState['drawStatus'], 'beacon' | 'beaconDueAt'>

export function drawConditions(
  event: AdminConfig,
  { drawStatus, winner, stats }: Partial<Pick<PublicState, 'drawStatus' | 'winner' | 'stats'>>,
  anchors: Anchors | undefined,
  now: number,
): Condition[] {
  const { drawDate, saleEndDate, frozenAt, ledgerSha256, minTicketsForDraw, isHalted, isRefundMode } = event
  const sold = stats?.ticketsSold ?? event.ticketsSold
  const isPast = (iso: string | null) => iso !== null && Date.parse(iso) <= now
  const isShort = sold < minTicketsForDraw
  const anchorHash = anchors?.list?.transactionHash
  return [
    {
      name: t('환불 모드 아님'),
      found: isRefundMode ? t('이 이벤트는 환불 중입니다.') : t('정상입니다.'),
      state: isRefundMode ? 'failed' : 'passed',
    },
    {
      name: t('최소 티켓 수'),
      found: t('{sold}장 판매, 최소 {minTicketsForDraw}장', {
        sold: count(sold),
        minTicketsForDraw: count(minTicketsForDraw),
      }),
      state: !isShort && sold > 0 ? 'passed' : isPast(saleEndDate) ? 'failed' : 'waiting',
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
      name: t('명단을 체인에 기록'),
      found: anchorHash
        ? t('거래 {anchorHash}…', { anchorHash: anchorHash.slice(0, 14) })
        : isPast(drawDate)
          ? t('추첨 시각 전에 고정되지 않았습니다. 추첨은 할 수 있습니다.')
          : t('선택 사항입니다. 추첨 시각 전에 체인에 남기면 누구나 확인할 수 있습니다.'),
      state: anchorHash ? 'passed' : 'waiting',
      isAdvice: true,
    },
    {
      name: t('추첨 시각'),
      found: drawDate ? `${toField(drawDate)} UTC` : t('설정되지 않았습니다.'),
      state: isPast(drawDate) ? 'passed' : 'waiting',
    },
    ...(event.entropy === 'blocks'
      ? []
      : [
          {
            name: t('drand 회차'),
            found: beaconText(drawStatus ?? { beacon: null, beaconDueAt: null }),
            state: drawStatus?.beacon === 'found' ? ('passed' as const) : ('waiting' as const),
          },
        ]),
    {
      name: t('판매 중지 없음'),
      found: isHalted
        ? t(
            '명단을 체인에서 다시 만들고 있습니다. 다 읽으면 판매가 저절로 다시 열리고, 추첨은 기다리지 않습니다.',
          )
        : t('정상입니다.'),
      state: isHalted ? 'failed' : 'passed',
      isAdvice: true,
    },
    {
      name: t('발표된 당첨자 없음'),
      found: hasWinner(winner)
        ? t('당첨자가 발표되어 있습니다.')
        : drawStatus?.isDrawing
          ? t('지금 추첨 중입니다.')
          : t('없습니다.'),
      state: hasWinner(winner) || drawStatus?.isDrawing ? 'failed' : 'passed',
    },
    {
      name: t('서버 확인'),
      found: drawStatus?.canDraw ? t('추첨할 수 있습니다.') : t('아직 추첨할 수 없습니다.'),
      state: drawStatus?.canDraw ? 'passed' : 'waiting',
    },
  ]
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

export const canDraw = (conditions: readonly Condition[]): boolean =>
  conditions.every(({ state, isAdvice }) => isAdvice || state === 'passed')

/** What the draw waits for first; what cannot come any more before all others. */
export const nextCondition = (conditions: readonly Condition[]): Condition | undefined => {
  const open = conditions.filter(({ state, isAdvice }) => !isAdvice && state !== 'passed')
  return open.find(({ state }) => state === 'failed') ?? open[0]
}
