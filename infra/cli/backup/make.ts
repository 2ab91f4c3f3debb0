import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { setTimeout as sleep } from 'node:timers/promises'
import { createGzip } from 'node:zlib'
import { dump } from './dump.ts'
import type { Head } from './format.ts'
import { type Keep, outdated } from './keep.ts'
import { backupsAmong, sealedName } from './names.ts'
import type { Bucket, Directory, Place } from './places.ts'
import { sealed } from './seal.ts'
import { Tally } from './tally.ts'

type Source = { databaseUrl: string; recipients: readonly string[] }

/** One encrypted backup in `directory`. Killed at any moment it leaves a whole file or none. */
export async function makeBackup(directory: Directory, { databaseUrl, recipients }: Source) {
  await secondOfItsOwn(directory)
  const tally = new Tally()
  const begun = Promise.withResolvers<Head>()
  const zipped = createGzip()
  const text = Readable.from(dump(databaseUrl, begun.resolve, tally), { objectMode: false })
  const reading = pipeline(text, zipped)
  // The write below fails with it.
  reading.catch((error) => {
    begun.reject(error)
    zipped.destroy(error)
  })
  const { madeAt } = await begun.promise
  const name = sealedName(new Date(madeAt))
  const bytes = await directory.write(name, await sealed(zipped, recipients))
  await reading
  return { name, at: madeAt, bytes, rows: tally.rows, tally }
}

/** Names tell seconds: a second backup within one would take the place of the first. */
async function secondOfItsOwn(directory: Directory): Promise<void> {
  const [newest] = backupsAmong(await directory.list())
  const restMs = newest ? newest.madeAt.getTime() + 1_000 - Date.now() : 0
  // A name of the future was written by a clock that ran wrong.
  if (restMs > 0 && restMs <= 1_000) await sleep(restMs)
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
