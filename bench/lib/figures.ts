/** The median; of an even count the lower of the two middle values. */
export function median(values: readonly number[]): number {
  const sorted = [...values].sort((a, b) => a - b)
  return sorted[Math.floor((sorted.length - 1) / 2)] ?? Number.NaN
}

export function percentile(values: readonly number[], share: number): number {
  const sorted = [...values].sort((a, b) => a - b)
  return sorted[Math.min(sorted.length - 1, Math.ceil(sorted.length * share) - 1)] ?? Number.NaN
}

/** "1.02 (0.97..1.08)": the median with the range behind it. */
export const spread = (values: readonly number[], digits = 2): string =>
  `${median(values).toFixed(digits)} (${Math.min(...values).toFixed(digits)}..${Math.max(...values).toFixed(digits)})`

/** The same in whole numbers. */
export const wholeSpread = (values: readonly number[]): string => spread(values, 0)

/** Columns of a table for waits in milliseconds. */
export const timesOf = (times: readonly number[]) => ({
  'p50 ms': percentile(times, 0.5).toFixed(1),
  'p99 ms': percentile(times, 0.99).toFixed(1),
  'max ms': Math.max(...times).toFixed(1),
})

/** A goal and whether it was reached, for the last column of a table. */
export const judged = (ok: boolean, goal: string): string => `${ok ? 'ok ' : 'NO '} ${goal}`

/** Prints rows as a table of plain text. */
export function printTable(rows: readonly Record<string, string | number>[]): void {
  const columns = [...new Set(rows.flatMap((row) => Object.keys(row)))]
  const cells = [columns, ...rows.map((row) => columns.map((column) => String(row[column] ?? '')))]
  const widths = columns.map((_, index) => Math.max(...cells.map((line) => (line[index] ?? '').length)))
  for (const [index, line] of cells.entries()) {
    console.log(
      line
        .map((cell, column) => cell.padEnd(widths[column] ?? 0))
        .join('  ')
        .trimEnd(),
    )
    if (index === 0) console.log(widths.map((width) => '-'.repeat(width)).join('  '))
  }
}
