import { type AnyColumn, eq, lt, type SQL } from 'drizzle-orm'

/** The condition of one field of a filter; undefined, which filters nothing, if the field is not given. */
export const ifGiven = (column: AnyColumn, value: unknown): SQL | undefined =>
  value === undefined ? undefined : eq(column, value)

/** Rows older than the row of this id, for the next page of a list with the newest first. */
export const olderThan = (id: AnyColumn, cursor: number | undefined): SQL | undefined =>
  cursor === undefined ? undefined : lt(id, cursor)
