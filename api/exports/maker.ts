import { Writable } from 'node:stream'
import { connect } from '../../db/index.ts'
import { type SheetName, writeSheet } from './sheets.ts'

/** `maker.ts SHEET EVENT LANGUAGE MIN_UNITS API_PID`: a process of its own, as the garbage of exceljs, 90 MB a file,
 * would block the event loop. */
const [sheet, eventNumber = '0', language, minUnits = '0', api] = process.argv.slice(2)

// Nobody reads what is left when the api was killed, and what writes to nobody may never end by itself.
setInterval(() => process.ppid !== Number(api) && process.exit(1), 1_000).unref()

const out = Bun.stdout.writer()
const sink = new Writable({
  write(chunk: Uint8Array, _, done) {
    out.write(chunk)
    Promise.resolve(out.flush()).then(() => done(), done)
  },
  final(done) {
    Promise.resolve(out.end()).then(() => done(), done)
  },
})
const { db, close } = connect(process.env.DATABASE_URL ?? '', { max: 1, name: 'blockdraw export' })
await writeSheet(sink, db, {
  sheet: sheet as SheetName,
  eventNumber: Number(eventNumber),
  language: language === 'en' ? 'en' : 'ko',
  minUnits: BigInt(minUnits),
})
await close()
