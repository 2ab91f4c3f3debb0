/**
 * A backup is gzipped text: a line that says what it is, then for each table a line with its name and columns,
 * its rows as COPY writes them, and `\.`; at last a line that says that nothing is missing.
 */
export type Head = {
  format: 'blockdraw backup'
  version: 1
  madeAt: string
  /** So many migrations had been run: the rows fit the tables as they were then. */
  migrations: number
  /** Hash of the first of them: those of the development versions were others. */
  begunWith: string
}
export type TableHead = { table: string; columns: string[] }
export type Tail = { end: true; tables: number }

export const endOfRows = '\\.'

/**
 * Not kept: what logs somebody in again that was thrown out since, what only the running workers know, and
 * what the migrations say themselves.
 */
export const leftOut: readonly string[] = ['sessions', 'login_failures', 'reports', 'schema_major']

export const quoted = (name: string): string => `"${name.replaceAll('"', '""')}"`
