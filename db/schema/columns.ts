/** Column types of our units: times, token amounts, block heights, lower-case addresses and hashes. */
import { sql } from 'drizzle-orm'
import {
  type AnyPgColumn,
  bigint,
  bigserial,
  check,
  customType,
  integer,
  numeric,
  text,
  timestamp,
} from 'drizzle-orm/pg-core'
import type { Address, Hash } from 'viem'

export const moment = (name: string) => timestamp(name, { withTimezone: true, mode: 'date' })
export const units = (name: string) => numeric(name, { precision: 78, scale: 0, mode: 'bigint' })
export const height = (name: string) => bigint(name, { mode: 'bigint' })
export const address = (name: string) => text(name).$type<Address>()
export const hash = (name: string) => text(name).$type<Hash>()
export const bytea = customType<{ data: Uint8Array; driverData: Uint8Array }>({ dataType: () => 'bytea' })

export const serialKey = () => bigserial('id', { mode: 'number' }).primaryKey()
/** The key of a table of one row, which `onlyOne` keeps from getting a second. */
export const oneRowKey = () => integer('id').primaryKey().default(1)
export const onlyOne = (table: string, id: AnyPgColumn) => check(`${table}_one`, sql`${id} = 1`)

/** Where payments and transfers stand on the chain. */
export const chainPlace = () => ({
  blockNumber: height('block_number').notNull(),
  blockHash: hash('block_hash').notNull(),
  blockTime: moment('block_time').notNull(),
  transactionIndex: integer('transaction_index').notNull(),
  firstLogIndex: integer('first_log_index').notNull(),
})
