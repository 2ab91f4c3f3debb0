export type TableTally = { rows: number; sum: bigint }

/**
 * What the rows of a dump add up to, table by table: their number, and the sum of a hash of each, so that their
 * order does not matter. It tells whether two databases hold the same, not whether somebody made them look alike.
 */
export class Tally {
  readonly tables = new Map<string, TableTally>()
  private rest: Uint8Array = new Uint8Array()

  /** The next bytes of a table, as COPY writes them: a row ends with a line break, wherever the bytes are cut. */
  add(table: string, bytes: Uint8Array): void {
    const text = this.rest.length > 0 ? Buffer.concat([this.rest, bytes]) : bytes
    const tally = this.of(table)
    let from = 0
    for (let end = text.indexOf(10); end >= 0; end = text.indexOf(10, from)) {
      tally.rows++
      tally.sum = BigInt.asUintN(64, tally.sum + BigInt(Bun.hash(text.subarray(from, end))))
      from = end + 1
    }
    this.rest = text.slice(from)
  }

  /** A table without rows is counted too. */
  of(table: string): TableTally {
    const found = this.tables.get(table) ?? { rows: 0, sum: 0n }
    this.tables.set(table, found)
    return found
  }

  get rows(): number {
    return [...this.tables.values()].reduce((all, { rows }) => all + rows, 0)
  }
}

/** The tables whose rows differ, in a sentence for each; none when both hold the same. */
export function differences(expected: Tally, found: Tally): string[] {
  const names = new Set([...expected.tables.keys(), ...found.tables.keys()])
  return [...names].sort().flatMap((table) => {
    const [a, b] = [expected.tables.get(table), found.tables.get(table)]
    if (a?.rows === b?.rows && a?.sum === b?.sum) return []
    return a?.rows === b?.rows
      ? `${table}: other values in its ${a?.rows} rows`
      : `${table}: ${b?.rows ?? 'no'} rows instead of ${a?.rows ?? 'none'}`
  })
}
