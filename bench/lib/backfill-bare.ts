import postgres from 'postgres'

/**
 * The floor: raw logs in ranges of 1,000 blocks, times of the blocks with payments, rows of 5,000 by unnest.
 * No ticket numbers, no check of any kind; with several endpoints, each is asked for everything and the first one's
 * answers are stored. With `thorough` it asks what the product asks one endpoint, and looks at nothing of it: the header of
 * every block, and once more the logs of each block with payments, by its hash, or near the head its receipts.
 * `bun backfill-bare.ts rpcUrls databaseUrl token operator head [thorough]`
 */
const [urls = '', databaseUrl = '', token = '', operator = '', head = '0', thorough] = process.argv.slice(2)
const nearBlocks = 2_000
const transfer = '0xddf252ad1be2c89b69c2b068fc378daa952ba7f163c4a11628f55a4df523b3ef'
const sql = postgres(databaseUrl, { max: 1, onnotice: () => undefined })
await sql`drop table if exists bare`
await sql`create table bare (id bigserial primary key, hash text, payer text, units numeric, block bigint, at timestamptz, tx int, log int)`

type Log = {
  topics: string[]
  data: string
  blockNumber: string
  blockHash: string
  transactionHash: string
  transactionIndex: string
  logIndex: string
}
type Row = [string, string, string, string, string, number, number]
const hex = (n: number) => `0x${n.toString(16)}`
const isNear = (height: string): boolean => Number(head) - Number(height) < nearBlocks
let rows: Row[] = []
let written = 0
for (let from = 0; from <= Number(head); from += 1_000) {
  const range = { fromBlock: hex(from), toBlock: hex(Math.min(Number(head), from + 999)) }
  const topics = [transfer, null, `0x${operator.slice(2).padStart(64, '0')}`]
  const logs = (
    await call([{ method: 'eth_getLogs', params: [{ address: token, topics, ...range }] }])
  )[0] as Log[]
  const paid = [...new Set(logs.map((log) => log.blockNumber))]
  const last = Math.min(Number(head), from + 999)
  const heights = thorough ? Array.from({ length: last - from + 1 }, (_, index) => hex(from + index)) : paid
  const times = new Map<string, number>()
  for (let at = 0; at < heights.length; at += 100) {
    const asked = heights.slice(at, at + 100)
    const blocks = await call(
      asked.map((height) => ({ method: 'eth_getBlockByNumber', params: [height, false] })),
    )
    for (const block of blocks as { number: string; timestamp: string }[])
      times.set(block.number, Number(block.timestamp))
  }
  if (thorough) {
    const hashes = [
      ...new Set(logs.filter(({ blockNumber }) => !isNear(blockNumber)).map((log) => log.blockHash)),
    ]
    for (let at = 0; at < hashes.length; at += 100)
      await call(
        hashes.slice(at, at + 100).map((blockHash) => ({
          method: 'eth_getLogs',
          params: [{ address: token, topics, blockHash }],
        })),
      )
    for (const height of paid.filter(isNear))
      await call([{ method: 'eth_getBlockReceipts', params: [height] }])
  }
  for (const log of logs)
    rows.push([
      log.transactionHash,
      `0x${log.topics[1]?.slice(26)}`,
      BigInt(log.data).toString(),
      BigInt(log.blockNumber).toString(),
      new Date((times.get(log.blockNumber) ?? 0) * 1000).toISOString(),
      Number(log.transactionIndex),
      Number(log.logIndex),
    ])
  while (rows.length >= 5_000) await write(rows.splice(0, 5_000))
}
await write(rows)
console.log(JSON.stringify({ payments: written }))
await sql.end()

async function write(some: Row[]): Promise<void> {
  const column = (index: number) => some.map((row) => row[index]) as string[]
  await sql`insert into bare (hash, payer, units, block, at, tx, log)
    select * from unnest(${column(0)}::text[], ${column(1)}::text[], ${column(2)}::text[]::numeric[],
      ${column(3)}::text[]::bigint[], ${column(4)}::text[]::timestamptz[], ${column(5)}::int[], ${column(6)}::int[])`
  written += some.length
  rows = some === rows ? [] : rows
}

async function call(calls: { method: string; params: unknown[] }[]): Promise<unknown[]> {
  const body = JSON.stringify(calls.map((one, id) => ({ jsonrpc: '2.0', id, ...one })))
  const [answers = []] = await Promise.all(urls.split(',').map((url) => ask(url, body)))
  return answers
}

async function ask(url: string, body: string): Promise<unknown[]> {
  const response = await fetch(url, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body,
  })
  const replies = (await response.json()) as { id: number; result: unknown }[]
  return replies.sort((a, b) => a.id - b.id).map((reply) => reply.result)
}
