/** UTC days as YYYY-MM-DD, both of them in it. */
type Period = { from: string; to: string }

/** From the first of the month to today. */
export function thisMonth(now: Date): Period {
  const to = now.toISOString().slice(0, 10)
  return { from: `${to.slice(0, 8)}01`, to }
}

/** A browser gives nothing for a day that does not exist. */
export const isPeriod = ({ from, to }: Period): boolean => from !== '' && to !== '' && from <= to
