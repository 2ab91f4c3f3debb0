import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { createGzip } from 'node:zlib'
import { dump } from './dump.ts'
import { type Keep, outdated } from './keep.ts'
import { backupName } from './names.ts'
import type { Bucket, Directory, Place } from './places.ts'
import { sealed } from './seal.ts'
import { Tally } from './tally.ts'

type Source = { databaseUrl: string; recipients: readonly string[]; now?: () => Date }

/** One encrypted backup in `directory`. Killed at any moment it leaves a whole file or none. */
export async function makeBackup(directory: Directory, { databaseUrl, recipients, now }: Source) {
  const at = (now ?? (() => new Date()))()
  const tally = new Tally()
  const zipped = createGzip()
  const reading = pipeline(Readable.from(dump(databaseUrl, tally), { objectMode: false }), zipped)
  // The write below fails with it.
  reading.catch((error) => zipped.destroy(error))
  const name = backupName(at)
  const bytes = await directory.write(name, await sealed(zipped, recipients))
  await reading
  return { name, at: at.toISOString(), bytes, rows: tally.rows, tally }
}

/** Copies a backup to the bucket and looks whether all of it is there. */
export async function sendBackup(directory: Directory, bucket: Bucket, name: string): Promise<number> {
  const path = directory.path(name)
  const sent = await bucket.send(name, path)
  const { size } = Bun.file(path)
  if (sent !== size) throw new Error(`the bucket has ${sent} of ${size} bytes`)
  return sent
}

/** Deletes what has no place any more, and returns how many that were. */
export async function rotate(place: Place, keep: Keep): Promise<number> {
  const names = outdated(await place.list(), keep)
  for (const name of names) await place.remove(name)
  return names.length
}
