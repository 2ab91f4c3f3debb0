import { and, count, countDistinct, eq, isNotNull } from 'drizzle-orm'
import type { Logger } from 'pino'
import { RaffleError } from '../../core/errors.ts'
import { stopwatch } from '../../core/server/time.ts'
import type { Db } from '../../db/index.ts'
import { events, owedPayments, payments } from '../../db/schema/index.ts'
import { expectDiskSpace } from './disk-space.ts'
import { type MakeFile, makeFile } from './make.ts'
import { workbook } from './schema.ts'
import type { SheetName, Wanted } from './sheets.ts'
import { type TempFile, tempFile } from './temp-file.ts'

/** Size of a workbook without rows. */
const frameBytes = 6_500
/** Compressed size of a row, nearly constant: hashes and addresses hardly compress. An event of the history has four drawn tickets. */
const rowBytes: Record<SheetName, number> = { tickets: 92, event: 182, refund: 90, history: 700 }

type Options = {
  db: Db
  databaseUrl: string
  make?: MakeFile | undefined
  /** Directory for the files. */
  place?: string | undefined
  /** How long a file is served again for the same key; with 0 each request makes a new one. */
  keepMs: number
  log: Pick<Logger, 'info' | 'warn'>
}
type Made = { key: string; at: number; file: Promise<TempFile>; isRunning: boolean }

/**
 * Makes one file at a time. Requests for the file in progress read along; others are refused with EXPORT_BUSY
 * until it is done. Public and administrators' files have queues of their own, so neither waits for the other. A file is
 * shared by its key while it is read, kept for a while, and freed with its last reader.
 */
export function exportQueue({ db, databaseUrl, make = makeFile, place, keepMs, log }: Options) {
  let made: Made | undefined

  function begin(key: string, wanted: Wanted): Made {
    const before = made
    const mine: Made = { key, at: Date.now(), file: fileFor(wanted), isRunning: true }
    made = mine
    before?.file.then(
      (file) => file.release(),
      () => undefined,
    )
    void write(mine, wanted)
    return mine
  }
  /** Throws EXPORT_NO_ROOM before anything is made: a file that is cut would look whole to some programs. */
  async function fileFor(wanted: Wanted): Promise<TempFile> {
    await expectDiskSpace(await expectedBytes(db, wanted), place)
    return tempFile(place)
  }
  async function write(mine: Made, wanted: Wanted): Promise<void> {
    const { sheet, eventNumber } = wanted
    let isGood = false
    const durationMs = stopwatch()
    try {
      await make((await mine.file).sink, wanted, databaseUrl)
      isGood = true
      log.info({ sheet, eventNumber, durationMs: durationMs() }, 'export made')
    } catch (err) {
      log.warn({ sheet, eventNumber, err, durationMs: durationMs() }, 'export failed')
    }
    mine.isRunning = false
    const leftMs = isGood ? mine.at + keepMs - Date.now() : 0
    if (leftMs > 0) setTimeout(forget, leftMs, mine).unref()
    else forget(mine)
  }
  function forget(mine: Made): void {
    if (made === mine) made = undefined
    mine.file.then(
      (file) => file.release(),
      () => undefined,
    )
  }
  const isWanted = ({ key, at, isRunning }: Made, wanted: string) =>
    key === wanted && (keepMs > 0 ? isRunning || Date.now() - at < keepMs : false)

  /** The file as an answer, which is sent while the file is still being made. */
  return async (key: string, fileName: string, wanted: Wanted): Promise<Response> => {
    const known = made && isWanted(made, key) ? made : undefined
    if (!known && made?.isRunning)
      throw new RaffleError('EXPORT_BUSY', '다른 다운로드를 준비하고 있습니다. 잠시 후 다시 시도해주세요.', {
        retryAfterSeconds: 2,
      })
    const file = await (known ?? begin(key, wanted)).file
    // Read before the wait: a reader keeps the file alive.
    const body = file.read()
    const expected = expectedBytes(db, wanted)
    try {
      await Promise.all([file.started, expected])
    } catch (error) {
      await body.cancel()
      throw error
    }
    const size = file.size()
    const length: [string, string] =
      size === undefined ? ['x-expected-bytes', `${await expected}`] : ['content-length', `${size}`]
    return new Response(body, {
      headers: {
        'content-type': workbook.type,
        'content-disposition': disposition(fileName),
        'cache-control': 'no-store',
        'x-content-type-options': 'nosniff',
        [length[0]]: length[1],
      },
    })
  }
}

/** Estimated size of a file that is still being made, for a progress display. */
async function expectedBytes(db: Db, wanted: Wanted): Promise<number> {
  return frameBytes + (await countRows(db, wanted)) * rowBytes[wanted.sheet]
}

async function countRows(db: Db, { sheet, eventNumber }: Wanted): Promise<number> {
  if (sheet === 'history') return (await db.select({ rows: count() }).from(events))[0]?.rows ?? 0
  if (sheet === 'refund') {
    const ofEvent = eventNumber > 0 ? eq(owedPayments.eventNumber, eventNumber) : undefined
    const [row] = await db
      .select({ rows: countDistinct(owedPayments.payer) })
      .from(owedPayments)
      .where(ofEvent)
    return row?.rows ?? 0
  }
  const isOfEvent = eq(payments.eventNumber, eventNumber)
  const [row] = await db
    .select({ rows: count() })
    .from(payments)
    .where(sheet === 'tickets' ? and(isOfEvent, isNotNull(payments.ticketNumber)) : isOfEvent)
  return row?.rows ?? 0
}

/**
 * A Korean name for current browsers and an ASCII one for the others (RFC 6266, RFC 5987).
 * @internal
 */
export function disposition(fileName: string): string {
  const encoded = encodeURIComponent(fileName).replaceAll(
    /['()*]/g,
    (c) => `%${c.charCodeAt(0).toString(16)}`,
  )
  const plain = fileName
    .replaceAll(/[^\x20-\x7e]+/g, '')
    .replaceAll(/["\\]/g, '')
    .replace(/^[-_ ]+/, '')
  return `attachment; filename="${plain}"; filename*=UTF-8''${encoded}`
}
