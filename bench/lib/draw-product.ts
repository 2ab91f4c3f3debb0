import { keccak256, toHex } from 'viem'
import { recordDraw } from '../../db/draw/draws.ts'
import { connect } from '../../db/index.ts'
import { freezeLedger } from '../../db/payment/ledger.ts'
import { memoryOf } from './pinned.ts'

/** The worker's freeze, fingerprint and draw: `bun draw-product.ts databaseUrl firstBlock`. */
const [databaseUrl = '', firstBlock = '0'] = process.argv.slice(2)
const { db, close } = connect(databaseUrl, { name: 'blockdraw bench' })
await db.execute('select 1')
const began = performance.now()
const frozen = await freezeLedger(db)
const frozenAfter = (performance.now() - began) / 1000
const blocks = Array.from({ length: 5 }, (_, i) => ({
  number: BigInt(firstBlock) + BigInt(i),
  hash: keccak256(toHex(`block ${i}`)),
  timestamp: i,
}))
const drawn = await recordDraw(db, { eventNumber: 1, blocks, workerRequests: [] })
const seconds = (performance.now() - began) / 1000
if (!drawn) throw new Error('nothing was drawn')
console.log(
  JSON.stringify({ sha256: frozen?.sha256, frozenAfter, seconds, peak: memoryOf(process.pid).peak }),
)
await close()
process.exit(0)
