import { readFile, rename, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { brotliCompress, constants, gzip } from 'node:zlib'

const text = /\.(html|css|js|svg|txt|json|xml|webmanifest)$/
/** In bytes. A smaller file fits into one packet uncompressed. */
const least = 600

/**
 * `quick` is for a machine that somebody waits for: a twentieth of the time, a tenth more bytes; `soon` for pages that are to be
 * served at once: 3 % more.
 */
export type Level = 'best' | 'soon' | 'quick'
const levels = {
  best: { brotli: 11, gzip: 9 },
  soon: { brotli: 9, gzip: 9 },
  quick: { brotli: 4, gzip: 4 },
}

/** Writes `name.br` and `name.gz` beside every text file, at the best level: the server need not compress. */
export async function compressFiles(
  root: string,
  names: readonly string[],
  level: Level = 'best',
): Promise<void> {
  await Promise.all(names.filter((name) => text.test(name)).map((name) => compress(join(root, name), level)))
}

async function compress(file: string, level: Level): Promise<void> {
  const bytes = await readFile(file)
  if (bytes.length < least) return
  const params = {
    [constants.BROTLI_PARAM_QUALITY]: levels[level].brotli,
    [constants.BROTLI_PARAM_SIZE_HINT]: bytes.length,
  }
  const [small, common] = await Promise.all([
    promisify(brotliCompress)(bytes, { params }),
    promisify(gzip)(bytes, { level: levels[level].gzip }),
  ])
  await Promise.all([replace(`${file}.br`, small), replace(`${file}.gz`, common)])
}

/** In one step, as it may be read meanwhile, or be the same file in another publication. */
async function replace(file: string, bytes: Uint8Array): Promise<void> {
  await writeFile(`${file}.half`, bytes)
  await rename(`${file}.half`, file)
}
