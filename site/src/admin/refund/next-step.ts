import { centsOf } from '../../../../core/money.ts'
import {
  addProgress,
  groupOf,
  noProgress,
  type Progress,
  progressOf,
} from '../../../../core/refund/progress.ts'
import { count, usdtColumn } from '../frame/numbers.ts'
import { t } from '../language/t.ts'
import type { DeskRow } from './types.ts'

type Desk = {
  rows: readonly DeskRow[]
  isPaused: boolean
  isWatching: boolean
  /** How many rows the wallet of this window shows right now. */
  asked: number
}

/** Where the money of these rows is. */
export const progressOfRows = (rows: readonly DeskRow[]): Progress =>
  rows
    .map((row) => progressOf({ ...row, units: BigInt(row.units), due: BigInt(row.dueUnits) }))
    .reduce(addProgress, noProgress)

/** What happens next in a batch, or what has to be done for it to go on: one sentence. */
export function nextStep({ rows, isPaused, isWatching, asked }: Desk): string {
  const of = (group: ReturnType<typeof groupOf>) => rows.filter((row) => groupOf(row) === group)
  const because = (reason: DeskRow['reason'], among: readonly DeskRow[]) =>
    among.filter((row) => row.reason === reason)
  const [left, underWay, held] = [of('left'), of('underWay'), of('held')]
  const ahead = because('ahead', held).length
  const unchecked = because('unchecked', left).length
  const covered = because('covered', left).length
  const waiting = because('unread', left)
  const ready = left.filter(({ reason }) => reason === null || reason === 'replaced')
  if (left.length + underWay.length + held.length === 0)
    return t('모두 환불했고 체인에서 확정되었습니다. 더 할 일이 없습니다.')
  if (isPaused) return t('환불이 일시 중지되어, 다시 켤 때까지 아무것도 보내지 않습니다.')
  if (!isWatching) return t('체인 기록을 다시 확인하는 대로 이어집니다. 그때까지 아무것도 보내지 않습니다.')
  if (asked > 0) return t('지갑에서 {asked}건을 승인하세요.', { asked: count(asked) })
  if (underWay.length > 0)
    return ready.length > 0
      ? t('보낸 {sum}가 체인에서 확정되면 남은 {sum2}를 승인하세요.', {
          sum: sum(underWay),
          sum2: sum(ready),
        })
      : t('보낸 {sum}가 체인에서 확정되기를 기다립니다.', { sum: sum(underWay) })
  if (ahead > 0)
    return t('장부와 다른 {ahead}건을 먼저 확인하세요. 까닭을 알기 전에는 보내지 않습니다.', {
      ahead: count(ahead),
    })
  if (unchecked > 0)
    return t('주소 {unchecked}개를 체인에서 확인하면 승인할 수 있습니다.', { unchecked: count(unchecked) })
  if (ready.length > 0) return t('남은 {sum}를 지갑에서 승인하세요.', { sum: sum(ready) })
  if (covered > 0)
    return t('이미 돈이 나간 {covered}건을 ‘환불인지 모르는 전송’에서 구분하세요. 그래야 끝납니다.', {
      covered: count(covered),
    })
  if (waiting.length > 0)
    return t('판매를 두 번째로 읽은 뒤에 {sum}를 보낼 수 있습니다.', { sum: sum(waiting) })
  return t('보류한 {sum}만 남았습니다. 하나씩 열어 보낼지 정하세요.', { sum: sum(held) })
}

function sum(rows: readonly DeskRow[]): string {
  const { inFlight, held, left } = progressOfRows(rows)
  return t('{count}건, {centsOf} USDT', {
    count: count(rows.length),
    centsOf: usdtColumn(Number(centsOf(inFlight + held + left))),
  })
}
