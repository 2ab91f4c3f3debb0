import { centsOf } from '../../../../core/money.ts'

/** What was held beyond what was owed, from this moment on; whole units as text, may be below 0. */
export type CoverPoint = { at: string; cover: string }

/** A step line in a square of 1,000 by 1,000, 0 at its upper left. */
export type Curve = {
  line: string
  /** The newest step alone, up to the right edge. */
  newest: string
  /** Height of the line below which money is missing. */
  zero: number
  lowest: { x: number; y: number; at: string; cover: string }
}

const size = 1_000
/** Room above the highest and below the lowest point. */
const margin = 60

/** Points oldest first; `until` is where the line ends, in milliseconds. Undefined without a point. */
export function curveOf(points: readonly CoverPoint[], until: number): Curve | undefined {
  const [first] = points
  if (!first) return undefined
  const times = points.map(({ at }) => Date.parse(at))
  const values = points.map(({ cover }) => Number(centsOf(BigInt(cover))))
  const from = times[0] as number
  const span = Math.max(until, times.at(-1) as number) - from || 1
  const [top, bottom] = [Math.max(0, ...values), Math.min(0, ...values)]
  const height = top - bottom || 1
  const x = (time: number) => Math.round(((time - from) / span) * size)
  const y = (value: number) => Math.round(margin + ((top - value) / height) * (size - 2 * margin))
  const steps = points.map((_, index) => ({ x: x(times[index] as number), y: y(values[index] as number) }))
  const [start, ...rest] = steps as [{ x: number; y: number }, ...typeof steps]
  const last = steps.at(-1) as typeof start
  const before = steps.at(-2) ?? last
  const lowestAt = lowestIndex(points)
  return {
    line: `M${start.x} ${start.y}${rest.map((step) => `H${step.x}V${step.y}`).join('')}H${size}`,
    newest: `M${last.x} ${before.y}V${last.y}H${size}`,
    zero: y(0),
    lowest: { ...(steps[lowestAt] as typeof start), ...(points[lowestAt] as CoverPoint) },
  }
}

/** The first of the smallest, to the unit: hundredths may be alike. */
const lowestIndex = (points: readonly CoverPoint[]): number =>
  points.reduce(
    (found, { cover }, index) => (BigInt(cover) < BigInt(points[found]?.cover ?? '0') ? index : found),
    0,
  )
