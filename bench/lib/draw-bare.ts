import { createHash } from 'node:crypto'
import postgres from 'postgres'
import { memoryOf } from './pinned.ts'

/** The floor: a cursor over the lines, joined by thousands, and SHA-256: `bun draw-bare.ts databaseUrl`. */
const [databaseUrl = ''] = process.argv.slice(2)
const sql = postgres(databaseUrl, { max: 1, onnotice: () => undefined })
await sql`select 1`
const began = performance.now()
const hash = createHash('sha256')
hash.update('ticketNumber,ticketCount,transactionHash,payer,value,blockNumber,transactionIndex\n')
const pages = sql<{ text: string }[]>`
  select string_agg(line, '' order by n) as text from (
    select ticket_number as n, (row_number() over (order by ticket_number) - 1) / 1000 as page,
      concat_ws(',', ticket_number, ticket_count, transaction_hash, payer, units, block_number, transaction_index) || E'\n' as line
    from payments where event_number = 1 and ticket_number is not null) as lines
  group by page order by page`.cursor(20)
for await (const rows of pages) for (const { text } of rows) hash.update(text)
const sha256 = `0x${hash.digest('hex')}`
console.log(
  JSON.stringify({ sha256, seconds: (performance.now() - began) / 1000, peak: memoryOf(process.pid).peak }),
)
await sql.end()
