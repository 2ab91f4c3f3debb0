import pino from 'pino'
import { connect } from '../../db/index.ts'
import { connectChain } from '../../worker/chain/index.ts'
import { scan } from '../../worker/payment/scan.ts'

/** The scan as the worker runs it, from nothing to the last final block: `… rpcUrls databaseUrl`. */
const [urls = '', databaseUrl = ''] = process.argv.slice(2)
const { db, close } = connect(databaseUrl, { name: 'blockdraw bench' })
await scan({ db, chain: connectChain(urls.split(','), 56), log: pino({ level: 'silent' }) })
const [row] = await db.execute<{ count: number }>('select count(*)::int as count from payments')
console.log(JSON.stringify({ payments: row?.count }))
await close()
process.exit(0)
