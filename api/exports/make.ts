import { setPriority } from 'node:os'
import { extname, join } from 'node:path'
import type { Writable } from 'node:stream'
import { RaffleError } from '../../core/errors.ts'
import type { Wanted } from './sheets.ts'

/** Stands beside this file, as source and in the bundle. */
const maker = join(import.meta.dirname, `maker${extname(import.meta.filename)}`)
/** A million rows take half a minute; a process that takes longer than this hangs. */
const longestMs = 300_000

export type MakeFile = (sink: Writable, wanted: Wanted, databaseUrl: string) => Promise<void>

/** Makes a file in a separate process and writes it to `sink`, which it ends, or destroys on an error. */
export async function makeFile(
  sink: Writable,
  { sheet, eventNumber, language, minUnits }: Wanted,
  databaseUrl: string,
): Promise<void> {
  const given = [sheet, `${eventNumber}`, language, `${minUnits}`]
  const child = Bun.spawn([process.execPath, maker, ...given], {
    // It gets no other variable of our environment.
    env: { DATABASE_URL: databaseUrl, PATH: process.env.PATH, TMPDIR: process.env.TMPDIR },
    stdout: 'pipe',
    stderr: 'pipe',
    timeout: longestMs,
  })
  beModest(child.pid)
  const complaint = new Response(child.stderr).text()
  try {
    for await (const chunk of child.stdout as unknown as AsyncIterable<Uint8Array>) await put(sink, chunk)
    if ((await child.exited) !== 0)
      throw new RaffleError('DB_UNAVAILABLE', '파일을 만들지 못했습니다. 잠시 후 다시 시도해주세요.', {
        complaint: (await complaint).slice(0, 2_000),
      })
    sink.end()
  } catch (error) {
    child.kill()
    sink.destroy(error as Error)
    throw error
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

const put = (sink: Writable, chunk: Uint8Array): Promise<void> =>
  new Promise((resolve, reject) => {
    sink.write(chunk, (error) => (error ? reject(error) : resolve()))
  })
