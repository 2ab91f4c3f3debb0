import { setPriority } from 'node:os'
import { extname, join } from 'node:path'
import { Type as t } from '@sinclair/typebox'
import { Elysia } from 'elysia'
import { type Language, languages } from '../../core/admin/language.ts'
import { RaffleError } from '../../core/errors.ts'
import { stopwatch } from '../../core/server/time.ts'
import { getEvent, mustHaveEvent } from '../../db/event/events.ts'
import type { AdminGuard } from '../auth/guard.ts'
import type { Deps } from '../deps.ts'
import { route } from '../http/route.ts'
import { exact } from '../http/schema.ts'
import { eventNumber, oneOf, whole } from '../http/values.ts'
import type { Wanted } from './sheets.ts'

const workbook = {
  type: 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet',
  about: 'The workbook.',
}

/** Stands beside this file, as source and in the bundle. */
const maker = join(import.meta.dirname, `maker${extname(import.meta.filename)}`)
/** A million rows take half a minute. */
const longestMs = 120_000
/** Whoever still reads an older file is cut off, so that slow readers fill no memory. */
const keptFiles = 3

/** Of headers, words and the file's name; the public ticket list has both languages in it, and only its name differs. */
const inLanguage = t.Object({ lang: oneOf(languages) })
/** Only payers who are owed something in this event; of all events if none is given. */
const eventBody = exact({ eventNumber: t.Optional(whole(1, 2 ** 31 - 1)) })

export const exportRoutes = (deps: Deps) => {
  const download = exportDownloads(deps)
  return new Elysia().get(
    ...route('/api/tickets/export/excel', {
      about: 'All tickets of the current event as a workbook',
      query: inLanguage,
      file: workbook,
      refusals: ['EXPORT_BUSY'],
      run: async ({ query: { lang } }) => {
        const { number: eventNumber } = await mustHaveEvent(deps.db)
        const name = fileName(`tickets-event-${eventNumber}`, '티켓목록', lang)
        return download(name, { sheet: 'tickets', eventNumber, language: 'ko' })
      },
    }),
  )
}

/** Workbooks for administrators: draw history, refunds, all payments of an event. They have a turn of their own. */
export const adminExportRoutes = (deps: Deps, guard: AdminGuard) => {
  const download = exportDownloads(deps)
  const file = { query: inLanguage, file: workbook, refusals: ['NOT_FOUND', 'EXPORT_BUSY'] as const }
  // They only read.
  const reading = { own: true, fresh: false, atomic: false } as const
  const expectEvent = async (number: number) => {
    if (number > 0 && !(await getEvent(deps.db, number)))
      throw new RaffleError('NOT_FOUND', { reason: 'event' })
  }
  return new Elysia({ prefix: '/api/admin/export' })
    .post(
      ...guard.action('/history', {
        action: 'export.history',
        about: 'Draw history as a workbook',
        ...file,
        ...reading,
        run: ({ query: { lang: language = 'ko' } }) =>
          download(fileName('draw-history', '추첨기록', language), {
            ...{ sheet: 'history', eventNumber: 0, language },
          }),
      }),
    )
    .post(
      ...guard.action('/refund', {
        action: 'export.refund',
        about: 'Refunds as a workbook, a line a payer',
        body: eventBody,
        ...file,
        ...reading,
        run: async ({ body: { eventNumber = 0 }, query: { lang: language = 'ko' }, record }) => {
          await expectEvent(eventNumber)
          record({ after: { eventNumber: eventNumber || null } })
          const stem = eventNumber > 0 ? `refund-event-${eventNumber}` : 'refund'
          return download(fileName(stem, '환불대상', language), { sheet: 'refund', eventNumber, language })
        },
      }),
    )
    .get(
      ...guard.read('/excel/event/:id', {
        about: 'All payments of an event as a workbook',
        params: t.Object({ id: eventNumber }),
        ...file,
        run: async ({ params: { id: eventNumber }, query: { lang: language = 'ko' } }) => {
          await expectEvent(eventNumber)
          return download(fileName(`event-${eventNumber}`, '이벤트', language), {
            ...{ sheet: 'event', eventNumber, language },
          })
        },
      }),
    )
}

/** Ends in Korean unless English is asked for. */
const fileName = (stem: string, korean: string, language: Language = 'ko'): string =>
  language === 'en' ? `${stem}.xlsx` : `${stem}-${korean}.xlsx`

/** A file while and after it is made; its bytes are one copy, however many read it. */
type Making = {
  key: string
  chunks: Uint8Array[]
  state: 'running' | 'made' | 'broken'
  more: PromiseWithResolvers<void>
}

/** Downloads that a process of its own makes, one at a time: whoever wants the same reads along. Where making
 * fails the download breaks off. Throws EXPORT_BUSY. */
function exportDownloads({ admin, log }: Deps) {
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
