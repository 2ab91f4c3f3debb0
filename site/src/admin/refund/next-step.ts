import { centsOf } from '../../../../core/money.ts'
import {
  addProgress,
  groupOf,
  noProgress,
  type Progress,
  progressOf,
} from '../../../../core/refund/progress.ts'
import { count, usdtColumn } from '../frame/numbers.ts'
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
  const ready = left.filter(({ reason }) => reason === null || reason === 'replaced')
  if (left.length + underWay.length + held.length === 0)
    return '모두 환불했고 체인에서 확정되었습니다. 더 할 일이 없습니다.'
  if (isPaused) return '환불이 일시 중지되어, 다시 켤 때까지 아무것도 보내지 않습니다.'
  if (!isWatching) return '체인 기록을 다시 확인하는 대로 이어집니다. 그때까지 아무것도 보내지 않습니다.'
  if (asked > 0) return `지갑에서 ${count(asked)}건을 승인하세요.`
  if (underWay.length > 0)
    return ready.length > 0
      ? `보낸 ${sum(underWay)}가 체인에서 확정되면 남은 ${sum(ready)}를 승인하세요.`
      : `보낸 ${sum(underWay)}가 체인에서 확정되기를 기다립니다.`
  if (ahead > 0) return `장부와 다른 ${count(ahead)}건을 먼저 확인하세요. 까닭을 알기 전에는 보내지 않습니다.`
  if (unchecked > 0) return `주소 ${count(unchecked)}개를 체인에서 확인하면 승인할 수 있습니다.`
  if (ready.length > 0) return `남은 ${sum(ready)}를 지갑에서 승인하세요.`
  if (covered > 0)
    return `이미 돈이 나간 ${count(covered)}건을 ‘환불인지 모르는 전송’에서 구분하세요. 그래야 끝납니다.`
  return `보류한 ${sum(held)}만 남았습니다. 하나씩 열어 보낼지 정하세요.`
}

function sum(rows: readonly DeskRow[]): string {
  const { inFlight, held, left } = progressOfRows(rows)
  return `${count(rows.length)}건, ${usdtColumn(Number(centsOf(inFlight + held + left)))} USDT`
}
