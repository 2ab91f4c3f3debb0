import type { Readable, Writable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { createGzip } from 'node:zlib'
import { sealed } from './seal.ts'

/** Compresses a dump, and encrypts it where there are recipients. */
export async function writeBackup(
  text: Readable,
  recipients: readonly string[],
  target: Writable,
): Promise<void> {
  if (recipients.length === 0) return pipeline(text, createGzip(), target)
  const zipped = createGzip()
  const zipping = pipeline(text, zipped)
  // The writing below fails with it.
  zipping.catch((error) => zipped.destroy(error))
  await pipeline(await sealed(zipped, recipients), target)
  await zipping
}
