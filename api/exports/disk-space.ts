import { access, constants, mkdir, statfs } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { resolve } from 'node:path'
import type { Logger } from 'pino'
import { RaffleError } from '../../core/errors.ts'

/** Left free beside an export, as the disk may be that of others: in bytes. */
const reserve = 64 * 1024 * 1024
/** Sizes are estimated, and the lists grow while a file is made. */
const margin = 1.2

/** `exports` below DATA_DIR; where that cannot be written, the directory of all temporary files. */
export async function exportsDir(dataDir: string, log: Pick<Logger, 'warn'>): Promise<string> {
  const dir = resolve(dataDir, 'exports')
  try {
    await mkdir(dir, { recursive: true })
    await access(dir, constants.W_OK)
    return dir
  } catch (err) {
    log.warn({ err }, 'exports are made with the temporary files')
    return tmpdir()
  }
}

/** Throws EXPORT_NO_ROOM where a file of this size would fill the disk of `place`. */
export async function expectDiskSpace(bytes: number, place = tmpdir()): Promise<void> {
  const { bavail, bsize, blocks } = await statfs(place)
  const free = bavail * bsize
  if (bytes * margin + Math.min(reserve, (blocks * bsize) / 10) <= free) return
  throw new RaffleError(
    'EXPORT_NO_ROOM',
    '서버 디스크의 여유 공간이 부족해 파일을 만들 수 없습니다. 공간을 늘린 뒤 다시 시도해주세요.',
    { bytes },
  )
}
