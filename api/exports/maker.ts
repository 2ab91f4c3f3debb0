import { Writable } from 'node:stream'
import { connect } from '../../db/index.ts'
import { isSheetName, writeSheet } from './sheets.ts'

/**
 * Writes one workbook to its standard output and exits: `maker.ts SHEET EVENT`. It is a separate process, as
 * exceljs leaves 90 MB of garbage per file and each collection would block the event loop for all visitors.
 */
const [name = '', eventNumber = '0'] = process.argv.slice(2)
if (!isSheetName(name)) throw new Error(`There is no sheet "${name}".`)

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
await writeSheet(sink, name, db, Number(eventNumber))
await close()
