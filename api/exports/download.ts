import { setPriority } from 'node:os'
import { extname, join } from 'node:path'
import { RaffleError } from '../../core/errors.ts'
import { stopwatch } from '../../core/server/time.ts'
import type { Deps } from '../deps.ts'
import type { Wanted } from './sheets.ts'

export const workbook = {
  type: 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet',
  about: 'The workbook.',
}

/** Stands beside this file, as source and in the bundle. */
const maker = join(import.meta.dirname, `maker${extname(import.meta.filename)}`)
/** A million rows take half a minute. */
const longestMs = 120_000
/** Whoever still reads an older file is cut off, so that slow readers fill no memory. */
const keptFiles = 3

/** A file while and after it is made; its bytes are one copy, however many read it. */
type Making = {
  key: string
  chunks: Uint8Array[]
  state: 'running' | 'made' | 'broken'
  more: PromiseWithResolvers<void>
}

/** Downloads that a process of its own makes, one at a time: whoever wants the same reads along. Where making
 * fails the download breaks off. Throws EXPORT_BUSY. */
export function exportDownloads({ admin, log }: Pick<Deps, 'admin' | 'log'>) {
  const makings: Making[] = []

  function make({ sheet, eventNumber, language }: Omit<Wanted, 'minUnits'>, key: string): Making {
    const making: Making = { key, chunks: [], state: 'running', more: Promise.withResolvers() }
    const durationMs = stopwatch()
    const given = [sheet, `${eventNumber}`, language, `${admin.refunds.minUnits}`, `${process.pid}`]
    const child = Bun.spawn([process.execPath, maker, ...given], {
      // It gets no other variable of our environment.
      env: { DATABASE_URL: admin.databaseUrl, PATH: process.env.PATH, TMPDIR: process.env.TMPDIR },
      stdout: 'pipe',
      stderr: 'pipe',
      timeout: longestMs,
    })
    beModest(child.pid)
    const complaint = new Response(child.stderr).text()
    void (async () => {
      for await (const chunk of child.stdout) {
        making.chunks.push(chunk)
        tell(making)
      }
      const isMade = (await child.exited) === 0
      const about = { sheet, eventNumber, durationMs: durationMs() }
      if (isMade) log.info(about, 'export made')
      else log.warn({ ...about, complaint: (await complaint).slice(0, 2_000) }, 'export failed')
      tell(making, isMade ? 'made' : 'broken')
    })()
    makings.push(making)
    for (const old of makings.splice(0, makings.length - keptFiles)) {
      tell(old, 'broken')
      old.chunks.length = 0
    }
    return making
  }

  return (name: string, wanted: Omit<Wanted, 'minUnits'>): Response => {
    const key = JSON.stringify(wanted)
    const running = makings.find(({ state }) => state === 'running')
    if (running && running.key !== key)
      throw new RaffleError('EXPORT_BUSY', { data: { retryAfterSeconds: 2 } })
    return new Response(bytesOf(running ?? make(wanted, key)), {
      headers: {
        'content-type': workbook.type,
        'content-disposition': disposition(name),
        'cache-control': 'no-store',
        'x-content-type-options': 'nosniff',
      },
    })
  }
}

function tell(making: Making, state = making.state): void {
  making.state = state
  making.more.resolve()
  making.more = Promise.withResolvers()
}

/** As fast as they are read. */
function bytesOf(making: Making): ReadableStream<Uint8Array> {
  let at = 0
  return new ReadableStream<Uint8Array>(
    {
      async pull(controller) {
        while (at >= making.chunks.length && making.state === 'running') await making.more.promise
        const chunk = making.chunks[at++]
        if (making.state === 'broken') controller.error(new Error('The export broke off.'))
        else if (chunk) controller.enqueue(chunk)
        else controller.close()
      },
    },
    { highWaterMark: 0 },
  )
}

/** Lowers its priority: visitors come first when the processor is busy. */
function beModest(pid: number): void {
  try {
    setPriority(pid, 5)
  } catch {
    // The process may have ended already.
  }
}

/** A Korean name for current browsers and an ASCII one for the others (RFC 6266, RFC 5987). @internal */
export function disposition(fileName: string): string {
  const encoded = encodeURIComponent(fileName).replaceAll(
    /['()*]/g,
    (c) => `%${c.charCodeAt(0).toString(16)}`,
  )
  const plain = fileName.replaceAll(/[^\x20-\x7e]+|["\\]/g, '').replace(/^[-_ ]+/, '')
  return `attachment; filename="${plain}"; filename*=UTF-8''${encoded}`
}
