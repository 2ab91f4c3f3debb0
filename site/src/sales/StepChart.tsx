import type { PublicConfig } from '../../../core/live/public.ts'
import type { Answer } from '../shell/answers.ts'
import plot from './chart.module.css'

export type PublicSales = Answer<'get', `/api/raffle/sales/${string}`>

type Props = {
  /** Undefined while it is not known: only its lines stand there. */
  curve: ReturnType<typeof curveOf> | undefined
  minimum: string
  /** Undefined where words beside it tell the same. */
  label?: string
}

export const StepChart = ({ curve, minimum, label }: Props) => (
  <div className={`${plot.plot} ${plot.room}`} {...(label && { role: 'img', 'aria-label': label })}>
    <svg viewBox="0 0 1000 1000" preserveAspectRatio="none" aria-hidden="true">
      <path className={plot.hair} d="M0 70H1000M0 535H1000M0 1000H1000" />
      {curve && (
        <>
          <path className={plot.limit} d={`M0 ${curve.minimum}H1000`} />
          <path className={plot.line} d={curve.line} />
          <path className={plot.newest} d={curve.newest} />
        </>
      )}
    </svg>
    {curve && (
      <span className={plot.below} style={{ top: `${curve.minimum / 10}%` }}>
        {minimum}
      </span>
    )}
  </div>
)

const size = 1_000
const top = 70

/**
 * A step line in a square of 1,000 by 1,000, 0 at its upper left. `until` is where it ends, in milliseconds: the end of the
 * sale, or now where it has none.
 */
export function curveOf({ from, to, bucketSeconds, tickets, minTickets }: PublicSales, until: number) {
  const begin = Date.parse(from)
  const end = Math.max(until, Date.parse(to), begin + 1)
  const sold = tickets.at(-1) ?? 0
  const highest = Math.max(sold, minTickets)
  const x = (time: number) => Math.round(((Math.min(time, Date.parse(to)) - begin) / (end - begin)) * size)
  const y = (value: number) => Math.round(size - (value / highest) * (size - top))
  const steps = tickets.map((value, index) => ({
    x: x(begin + (index + 1) * bucketSeconds * 1_000),
    y: y(value),
  }))
  const newest = tickets.findLastIndex((value, index) => value > (tickets[index - 1] ?? 0))
  const last = steps.at(-1)
  const step = steps[newest]
  return {
    line: `M0 ${y(0)}${steps.map((one) => `H${one.x}V${one.y}`).join('')}`,
    newest: step && last ? `M${step.x} ${steps[newest - 1]?.y ?? y(0)}V${step.y}H${last.x}` : '',
    minimum: y(minTickets),
  }
}

/** The end of the span in which so many tickets were reached; undefined while they are not. */
export function reachedAt(
  { from, to, bucketSeconds, tickets }: PublicSales,
  wanted: number,
): string | undefined {
  const index = tickets.findIndex((value) => value >= wanted)
  if (index < 0) return undefined
  const end = Date.parse(from) + (index + 1) * bucketSeconds * 1_000
  return new Date(Math.min(end, Date.parse(to))).toISOString()
}

/** `before`: sold before the first span. */
export const soldRows = ({ from, to, bucketSeconds, tickets }: PublicSales, before = 0) =>
  tickets
    .map((all, index) => ({
      by: new Date(
        Math.min(Date.parse(from) + (index + 1) * bucketSeconds * 1_000, Date.parse(to)),
      ).toISOString(),
      sold: all - (tickets[index - 1] ?? before),
      all,
    }))
    .filter(({ sold }) => sold > 0)
    .toReversed()

/** No ticket comes any more: the last count was taken at the end of the sale, or the event is refunded. */
export const isOver = (
  { to }: Pick<PublicSales, 'to'>,
  event: Pick<PublicConfig, 'isRefundMode' | 'saleEndDate'> | undefined,
): boolean =>
  event !== undefined &&
  (event.isRefundMode || (event.saleEndDate !== null && Date.parse(to) >= Date.parse(event.saleEndDate)))
