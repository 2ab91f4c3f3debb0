import { close, open, read as readAt, write as writeAt } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Writable } from 'node:stream'
import { promisify } from 'node:util'

const pieceBytes = 65_536
/** A reader that has not finished by then has left without closing. */
const longestLifeMs = 30 * 60_000

const [openFile, readFile, writeFile] = [promisify(open), promisify(readAt), promisify(writeAt)]

export type TempFile = {
  /** Where the file is written; it accepts bytes at the speed of the disk, however slow the readers are. */
  sink: Writable
  /** Resolves with the first bytes, rejects when there will be none. */
  started: Promise<void>
  /** The whole file from the start, at the reader's own pace, also while it is being written. */
  read: () => ReadableStream<Uint8Array>
  /** In bytes, once the file is complete. */
  size: () => number | undefined
  /** No new readers will come; the space is freed when the last reader has left. */
  release: () => void
}

/**
 * A file that many can read while it is written, so that no reader holds up the writer or fills memory. It
 * has no name, so the disk space is freed when this process ends.
 */
export async function tempFile(place = tmpdir()): Promise<TempFile> {
  const fd = await openNameless(place)
  const started = Promise.withResolvers<void>()
  // Readers that wait get the rejection; without any it must not count as unhandled.
  started.promise.catch(() => undefined)
  let size = 0
  let state: 'growing' | 'complete' | Error = 'growing'
  let holders = 1
  let grown = Promise.withResolvers<void>()

  const notify = () => {
    const waiting = grown
    grown = Promise.withResolvers()
    waiting.resolve()
  }
  let isOpen = true
  const end = () => {
    if (isOpen) close(fd, () => undefined)
    isOpen = false
  }
  const life = setTimeout(() => {
    state = new Error('the file was kept for too long')
    notify()
    end()
  }, longestLifeMs)
  life.unref()
  const leave = () => {
    if (--holders > 0) return
    clearTimeout(life)
    end()
  }
  const sink = new Writable({
    highWaterMark: 262_144,
    write(chunk: Uint8Array, _, done) {
      writeAll(fd, chunk, size).then(() => {
        size += chunk.length
        started.resolve()
        notify()
        done()
      }, done)
    },
    final(done) {
      state = 'complete'
      started.resolve()
      notify()
      done()
    },
    destroy(error, done) {
      if (error) {
        state = error
        started.reject(error)
        notify()
      }
      done(error)
    },
  })
  sink.on('error', () => undefined)

  function read(): ReadableStream<Uint8Array> {
    let at = 0
    let isHeld = true
    holders++
    const stop = () => {
      if (isHeld) leave()
      isHeld = false
    }
    return new ReadableStream(
      {
        async pull(controller) {
          while (at >= size && state === 'growing') await grown.promise
          if (at < size && isOpen) {
            const buffer = new Uint8Array(Math.min(pieceBytes, size - at))
            const { bytesRead } = await readFile(fd, buffer, 0, buffer.length, at)
            at += bytesRead
            return controller.enqueue(buffer.subarray(0, bytesRead))
          }
          stop()
          if (state instanceof Error) controller.error(state)
          else controller.close()
        },
        cancel: stop,
      },
      { highWaterMark: 0 },
    )
  }

  let isReleased = false
  return {
    sink,
    started: started.promise,
    read,
    size: () => (state === 'complete' ? size : undefined),
    release: () => {
      if (!isReleased) leave()
      isReleased = true
    },
  }
}

async function openNameless(place: string): Promise<number> {
  const dir = await mkdtemp(join(place, 'blockdraw-export-'))
  try {
    return await openFile(join(dir, 'file'), 'w+', 0o600)
  } finally {
    await rm(dir, { recursive: true })
  }
}

async function writeAll(fd: number, chunk: Uint8Array, position: number): Promise<void> {
  for (let done = 0; done < chunk.length; ) {
    const { bytesWritten } = await writeFile(fd, chunk, done, chunk.length - done, position + done)
    done += bytesWritten
  }
}
