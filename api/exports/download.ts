import { setPriority } from 'node:os'
import { extname, join } from 'node:path'
import { RaffleError } from '../../core/errors.ts'
import { stopwatch } from '../../core/server/time.ts'
import type { Deps } from '../deps.ts'
import { workbook } from './schema.ts'
import type { Wanted } from './sheets.ts'

/** Stands beside this file, as source and in the bundle. */
const maker = join(import.meta.dirname, `maker${extname(import.meta.filename)}`)
/** A million rows take half a minute, at the pace of whoever reads them longer; by then he has gone. */
const longestMs = 900_000

/**
 * Downloads that a process of its own makes while they are read, one at a time: its output is the answer, so that a slow reader
 * slows it down and fills nothing. Where it fails, the download breaks off. Throws EXPORT_BUSY.
 */
export function exportDownloads({ admin, log }: Pick<Deps, 'admin' | 'log'>) {
  let isRunning = false

  return (name: string, wanted: Omit<Wanted, 'minUnits'>): Response => {
    if (isRunning)
      throw new RaffleError('EXPORT_BUSY', '다른 다운로드를 준비하고 있습니다. 잠시 후 다시 시도해주세요.', {
        retryAfterSeconds: 2,
      })
    isRunning = true
    const { sheet, eventNumber, language } = wanted
    const durationMs = stopwatch()
    const given = [sheet, `${eventNumber}`, language, `${admin.refunds.minUnits}`]
    const child = Bun.spawn([process.execPath, maker, ...given], {
      // It gets no other variable of our environment.
      env: { DATABASE_URL: admin.databaseUrl, PATH: process.env.PATH, TMPDIR: process.env.TMPDIR },
      stdout: 'pipe',
      stderr: 'pipe',
      timeout: longestMs,
    })
    beModest(child.pid)
    const complaint = new Response(child.stderr).text()
    void child.exited.then(async (code) => {
      isRunning = false
      const about = { sheet, eventNumber, durationMs: durationMs() }
      if (code === 0) log.info(about, 'export made')
      else log.warn({ ...about, complaint: (await complaint).slice(0, 2_000) }, 'export failed')
    })
    const made = child.stdout.getReader()
    const body = new ReadableStream<Uint8Array>(
      {
        async pull(controller) {
          const { done, value } = await made.read()
          if (!done) controller.enqueue(value)
          else if ((await child.exited) === 0) controller.close()
          else controller.error(new Error('The export broke off.'))
        },
        cancel: () => child.kill(),
      },
      { highWaterMark: 0 },
    )
    return new Response(body, {
      headers: {
        'content-type': workbook.type,
        'content-disposition': disposition(name),
        'cache-control': 'no-store',
        'x-content-type-options': 'nosniff',
      },
    })
  }
}

/** Lowers its priority: visitors come first when the processor is busy. */
function beModest(pid: number): void {
  try {
    setPriority(pid, 5)
  } catch {
    // The process may have ended already.
  }
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
  const plain = fileName.replaceAll(/[^\x20-\x7e]+|["\\]/g, '').replace(/^[-_ ]+/, '')
  return `attachment; filename="${plain}"; filename*=UTF-8''${encoded}`
}
