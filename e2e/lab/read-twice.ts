import { sql } from 'drizzle-orm'
import pino from 'pino'
import { beforeEach } from 'vitest'
import { payments } from '../../db/schema/index.ts'
import { connectChain } from '../../worker/chain/index.ts'
import type { Deps } from '../../worker/deps.ts'
import { scan } from '../../worker/payment/scan.ts'
import { openDrawWorld, saleEndAt } from './draw-story.ts'
import { forEachTest } from './opened.ts'
import { type RpcProxy, startRpcProxy } from './rpc-proxy.ts'
import { patient } from './test-time.ts'

/** For every test of the file: a sale on a real chain behind two endpoints, and the alarms of the workers that read it. */
export function readTwiceStory() {
  const world = forEachTest(() => openDrawWorld({ history: false }))
  const a = forEachTest(() => startRpcProxy(world.url))
  const b = forEachTest(() => startRpcProxy(world.url))
  const alarms: string[] = []
  beforeEach(() => {
    alarms.length = 0
  })

  /** A worker that has just started, on these endpoints. */
  function workerOn(...proxies: Pick<RpcProxy, 'url'>[]): Deps {
    const urls = proxies.map(({ url }) => url)
    const write = (line: string) => {
      const { level, msg } = JSON.parse(line) as { level: number; msg: string }
      if (level === 60) alarms.push(msg)
    }
    return { ...world.deps, chain: connectChain(urls, 56, patient), log: pino({}, { write }) }
  }

  const recorded = async (): Promise<string[]> =>
    (await world.db.select().from(payments).orderBy(payments.ticketNumber)).map(
      ({ transactionHash }) => transactionHash,
    )

  const publicChanges = async (): Promise<(string | null)[]> =>
    (await world.db.execute<{ to: string | null }>(sql`select "to" from changes order by id`)).map(
      ({ to }) => to,
    )

  /** A bug, or a lie that nobody noticed: a payment is on no list. */
  async function lose(hash: string): Promise<void> {
    await world.db.execute(sql`update events set tickets_sold = tickets_sold
    - (select ticket_count from payments where transaction_hash = ${hash})`)
    await world.db.execute(sql`delete from payments where transaction_hash = ${hash}`)
  }

  /** Blocks past the sale end are final and folded. */
  async function passSaleEnd(deps: Deps, second = saleEndAt): Promise<void> {
    await world.mineAt(second)
    await world.mine(3)
    await scan(deps)
  }

  return { world, a, b, alarms, workerOn, recorded, publicChanges, lose, passSaleEnd }
}
