import { and, count, countDistinct, eq, isNotNull } from 'drizzle-orm'
import type { Db } from '../../db/index.ts'
import { events, payments } from '../../db/schema/index.ts'
import type { Wanted } from './make.ts'
import type { SheetName } from './sheets.ts'

/** The parts of a workbook that are there without a row. */
const frameBytes = 6_500
/** Compressed, and much the same for every row: hashes and addresses are what cannot be made smaller. */
const rowBytes: Record<SheetName, number> = { tickets: 92, event: 182, refund: 90, history: 190 }

/** How large a file that is still being made will be, about: so that whoever waits knows how long. */
export async function expectedBytes(db: Db, { sheet, eventNumber }: Wanted): Promise<number> {
  return frameBytes + (await countRows(db, sheet, eventNumber)) * rowBytes[sheet]
}

async function countRows(db: Db, sheet: SheetName, eventNumber: number): Promise<number> {
  if (sheet === 'history') return (await db.select({ rows: count() }).from(events))[0]?.rows ?? 0
  const isOfEvent = eq(payments.eventNumber, eventNumber)
  const [row] = await db
    .select({ rows: sheet === 'refund' ? countDistinct(payments.payer) : count() })
    .from(payments)
    .where(sheet === 'tickets' ? and(isOfEvent, isNotNull(payments.ticketNumber)) : isOfEvent)
  return row?.rows ?? 0
}
