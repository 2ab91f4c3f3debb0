import { chmodSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { isNull, sql } from 'drizzle-orm'
import { parseEnv } from '../core/server/env.ts'
import { getDraft, saveContentDraft, saveDraft } from '../db/event/draft.ts'
import { emptyDraft } from '../db/event/next.ts'
import { openNextEvent } from '../db/event/update.ts'
import type { Db } from '../db/index.ts'
import { events } from '../db/schema/index.ts'
import { aContent } from '../e2e/lab/content.ts'
import { type Stack, startStack } from '../e2e/lab/stack.ts'
import { startPostgres } from '../infra/local/postgres.ts'
import { judged, median, printTable } from './lib/figures.ts'

const goalMs = 5_000
const terms = parseEnv({})

/**
 * From the commit that opens the next event to its page as the API fills it: `bun run bench next-page [openings]`. The floor is one GET
 * of the page that is served already.
 */
export async function bench([count = '10']: string[]): Promise<void> {
  const dataDir = mkdtempSync(join(tmpdir(), 'blockdraw-bench-'))
  chmodSync(dataDir, 0o755) // as root, Postgres runs as another user
  const server = await startPostgres({ dataDir })
  const database = { url: server.url, close: async () => undefined }
  const stack = await startStack({ database })
  try {
    const bare: number[] = []
    const took: Record<string, number[]> = { '/': [], '/ko/': [], '/e/{n}/': [] }
    for (let opening = 0; opening < Number(count); opening++) {
      bare.push(await timed(() => numberAt(stack, '/')))
      const number = opening + 2
      const opened = await openEvent(stack.db, number)
      for (const way of Object.keys(took))
        took[way]?.push((await served(stack, way.replace('{n}', `${number}`), number)) - opened)
    }
    console.log(`${count} openings, the last with ${Number(count) + 1} events; from the commit to the page`)
    printTable([
      { way: 'a page that is there', ...figures(bare), goal: '' },
      ...Object.entries(took).map(([way, times]) => ({
        ...{ way, ...figures(times), goal: judged(Math.max(...times) <= goalMs, '<= 5 s') },
      })),
    ])
  } finally {
    await stack.stop()
    await server.stop()
    rmSync(dataDir, { recursive: true, force: true })
  }
}

/** The running event is over without a ticket, and the next one has another content. Returns when that was committed. */
async function openEvent(db: Db, number: number): Promise<number> {
  const content = aContent({ title: { en: `Prize ${number}`, ko: `경품 ${number}` } })
  await saveContentDraft(db, content, { revision: (await getDraft(db)).contentRevision })
  const drawDate = new Date(Date.now() + 30 * 86_400_000)
  await saveDraft(db, { ...emptyDraft, drawDate }, { terms, revision: (await getDraft(db)).revision })
  const { revision } = await getDraft(db)
  await db.transaction(async (tx) => {
    // What has no ledger yet may be anything; the triggers guard what buyers rely on.
    await tx.execute(sql`set local session_replication_role = replica`)
    await tx
      .update(events)
      .set({
        ...{ saleStart: ago(20), saleEnd: ago(10), drawDate: ago(1) },
        ...{ frozenAt: ago(1), ledgerSha256: `0x${'00'.repeat(32)}`, ledgerLines: 0 },
      })
      .where(isNull(events.archivedAt))
    await tx.execute(sql`set local session_replication_role = origin`)
    await openNextEvent(tx as Db, { terms, pinnedWallet: undefined, draftRevision: revision })
  })
  return performance.now()
}

const ago = (seconds: number) => new Date(Date.now() - seconds * 1000)

async function numberAt({ url }: Stack, path: string): Promise<number> {
  const page = await (await fetch(url + path, { headers: { 'cache-control': 'no-cache' } })).text()
  return Number(/<meta name="event-number" content="(\d+)"/.exec(page)?.[1])
}

/** When the page told of the event; throws where it never does. */
async function served(stack: Stack, path: string, number: number): Promise<number> {
  const deadline = performance.now() + 60_000
  while ((await numberAt(stack, path)) !== number) {
    if (performance.now() > deadline) throw new Error(`${path} of event ${number} was not served.`)
    await Bun.sleep(20)
  }
  return performance.now()
}

async function timed(act: () => Promise<unknown>): Promise<number> {
  const began = performance.now()
  await act()
  return performance.now() - began
}

const figures = (took: readonly number[]) => ({
  'median ms': Math.round(median(took)),
  'max ms': Math.round(Math.max(...took)),
})
