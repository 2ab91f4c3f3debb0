import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { brotliCompress, constants, gzip } from 'node:zlib'

const text = /\.(html|css|js|svg|txt|json|xml|webmanifest)$/
/** In bytes. A smaller file fits into one packet uncompressed. */
const least = 600

/** Writes `name.br` and `name.gz` beside every text file, at the best level: the server need not compress. */
export async function compressFiles(root: string, names: readonly string[]): Promise<void> {
  await Promise.all(names.filter((name) => text.test(name)).map((name) => compress(join(root, name))))
}

async function compress(file: string): Promise<void> {
  const bytes = await readFile(file)
  if (bytes.length < least) return
  const params = {
    [constants.BROTLI_PARAM_QUALITY]: constants.BROTLI_MAX_QUALITY,
    [constants.BROTLI_PARAM_SIZE_HINT]: bytes.length,
  }
  const [small, common] = await Promise.all([
    promisify(brotliCompress)(bytes, { params }),
    promisify(gzip)(bytes, { level: constants.Z_BEST_COMPRESSION }),
  ])
  await Promise.all([writeFile(`${file}.br`, small), writeFile(`${file}.gz`, common)])
}
