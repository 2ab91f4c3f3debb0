/**
 * A backup is gzipped text: a header line, then for each table a line with its name and columns, its rows as
 * COPY writes them, and `\.`; a last line marks the backup as complete.
 */
export type Head = {
  format: 'blockdraw backup'
  version: 1
  madeAt: string
  /** Number of migrations run before the backup: the rows fit the tables of that time. */
  migrations: number
  /** Hash of the first of them: development versions began with another one. */
  begunWith: string
}
export type TableHead = { table: string; columns: string[] }
export type Tail = { end: true; tables: number }

export const endOfRows = '\\.'

/**
 * Tables left out: sessions, words and what a device is asked to sign, as a restored one could have been ended since, state of
 * running workers only, and rows that the migrations write themselves.
 */
export const leftOut: readonly string[] = ['sessions', 'passkey_challenges', 'reports', 'schema_major']

export const quoted = (name: string): string => `"${name.replaceAll('"', '""')}"`
