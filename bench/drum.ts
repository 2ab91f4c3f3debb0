import { chmodSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Browser } from 'playwright-core'
import { openBrowser } from '../e2e/lab/browser.ts'
import { startStack } from '../e2e/lab/stack.ts'
import { fakeState } from '../e2e/long/screens/screen-states.ts'
import { startPostgres } from '../infra/local/postgres.ts'
import { judged, percentile, printTable } from './lib/figures.ts'

type Look = { name: string; width: number; height: number; deviceScaleFactor: number; slowdown: number }
type Frames = { intervals: number[]; work: number[] }

const looks: readonly Look[] = [
  { name: 'desktop', width: 1440, height: 900, deviceScaleFactor: 1, slowdown: 1 },
  { name: 'phone', width: 390, height: 844, deviceScaleFactor: 3, slowdown: 1 },
  { name: 'phone, processor 4 x slower', width: 390, height: 844, deviceScaleFactor: 3, slowdown: 4 },
]

/**
 * Frames of the turning drum, beside those of an empty page in the same browser, which paints one every
 * 16.7 ms: `bun run bench drum [seconds]`. The processor paints everything, without a graphics card.
 */
export async function bench([seconds = '6']: string[]): Promise<void> {
  const dataDir = mkdtempSync(join(tmpdir(), 'blockdraw-bench-'))
  chmodSync(dataDir, 0o755) // as root, Postgres runs as another user
  const postgres = await startPostgres({ dataDir, durable: false })
  const stack = await startStack({ database: { url: postgres.url, close: async () => undefined } })
  const browser = await openBrowser()
  try {
    const rows = []
    for (const look of looks) {
      const empty = await watch(browser, look, Number(seconds), 'about:blank')
      const drum = await watch(browser, look, Number(seconds), `${stack.url}/#winner`, stack)
      const median = percentile(drum.intervals, 0.5)
      const late = drum.intervals.filter((ms) => ms > 25).length / drum.intervals.length
      rows.push({
        page: look.name,
        'empty page: frame ms': percentile(empty.intervals, 0.5).toFixed(1),
        'drum: frame ms': median.toFixed(1),
        'p99 ms': percentile(drum.intervals, 0.99).toFixed(1),
        'late frames': `${(late * 100).toFixed(1)} %`,
        'own work ms': percentile(drum.work, 0.5).toFixed(1),
        'p99 work ms': percentile(drum.work, 0.99).toFixed(1),
        goal: judged(median < 17.5 && late <= 0.05, '60 a second, <= 5 % late'),
      })
    }
    printTable(rows)
  } finally {
    await browser.close()
    await stack.stop()
    await postgres.stop()
    rmSync(dataDir, { recursive: true, force: true })
  }
}

async function watch(
  browser: Browser,
  look: Look,
  seconds: number,
  url: string,
  stack?: { url: string },
): Promise<Frames> {
  const { width, height, deviceScaleFactor, slowdown } = look
  const context = await browser.newContext({ viewport: { width, height }, deviceScaleFactor })
  const hourAgo = new Date(Date.now() - 3_600_000).toISOString()
  const config = { drawDate: hourAgo, saleEndDate: hourAgo }
  if (stack) await fakeState(context, stack, { config, drawStatus: { isDrawing: true } })
  await context.addInitScript(() => {
    const frames: Frames = { intervals: [], work: [] }
    const ask = window.requestAnimationFrame.bind(window)
    window.requestAnimationFrame = (act) =>
      ask((now) => {
        const began = performance.now()
        act(now)
        frames.work.push(performance.now() - began)
      })
    Object.assign(window, { frames, ask })
  })
  const page = await context.newPage()
  await page.goto(url)
  if (stack) await page.locator('#draw canvas').first().waitFor()
  const session = await context.newCDPSession(page)
  await session.send('Emulation.setCPUThrottlingRate', { rate: slowdown })
  await page.waitForTimeout(1_000)
  const frames = await page.evaluate(async (ms) => {
    const { frames, ask } = window as unknown as { frames: Frames; ask: typeof requestAnimationFrame }
    frames.work.length = 0
    const until = performance.now() + ms
    for (let last = performance.now(); last < until; ) {
      const now = await new Promise<number>((resolve) => ask(resolve))
      frames.intervals.push(now - last)
      last = now
    }
    frames.intervals.shift()
    return frames
  }, seconds * 1000)
  await context.close()
  return { intervals: frames.intervals, work: frames.work.length ? frames.work : [0] }
}
