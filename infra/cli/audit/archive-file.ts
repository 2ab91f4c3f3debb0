import { createHash, type Hash } from 'node:crypto'
import {
  closeSync,
  createReadStream,
  existsSync,
  fsyncSync,
  openSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
  writeSync,
} from 'node:fs'
import { basename, dirname } from 'node:path'
import { linesOf } from '../../../core/server/lines.ts'
import { type AuditLine, type ChainVerdict, followChain, type Link } from '../../../db/admin/audit-chain.ts'
import { CliRefusal } from '../refusal.ts'

/**
 * An archive of the audit list is JSON lines: what it goes on from, then the rows with their hashes, each written so
 * that the text behind `"row":` is what was hashed.
 */
type Head = { format: 'blockdraw audit archive'; version: 1; previous: Link }

/** Writes beside `file`; `finish` puts it there, safe on the disk, and answers its SHA-256. */
export function archiveWriter(file: string, previous: Link) {
  const half = `${file}.${process.pid}.part`
  // Readable only by its owner, as the database is.
  const target = openSync(half, 'wx', 0o600)
  const sum = createHash('sha256')
  let pending = ''
  const write = (text: string) => {
    pending += text
    if (pending.length > 1 << 20) flush()
  }
  function flush(): void {
    const bytes = Buffer.from(pending)
    for (let at = 0; at < bytes.length; ) at += writeSync(target, bytes, at)
    sum.update(bytes)
    pending = ''
  }
  const head: Head = { format: 'blockdraw audit archive', version: 1, previous }
  write(`${JSON.stringify(head)}\n`)

  return {
    add: ({ hash, line }: AuditLine): void => write(`{"hash":"${hash}","row":${line}}\n`),
    /** Throws CliRefusal when another file of this name is there; the same one is left as it is. */
    finish(): string {
      flush()
      fsyncSync(target)
      const sha256 = sum.digest('hex')
      if (existsSync(file)) {
        if (sha256OfFile(file) !== sha256)
          throw new CliRefusal(`${file} is there already and holds something else.`)
      } else renameSync(half, file)
      // For `sha256sum -c`.
      writeFileSync(`${file}.sha256`, `${sha256}  ${basename(file)}\n`, { mode: 0o600, flush: true })
      syncDirectory(dirname(file))
      return sha256
    },
    close(): void {
      closeSync(target)
      rmSync(half, { force: true })
    },
  }
}

/** The chain in an archive, followed from what it goes on from, and the SHA-256 of the file. */
export async function readArchive(
  file: string,
  see?: (row: AuditLine) => void,
): Promise<ChainVerdict & { sha256: string }> {
  const sum = createHash('sha256')
  const lines = linesOf(summed(createReadStream(file), sum))
  const head = headOf((await lines.next()).value)
  if (!head) throw new CliRefusal(`${file} is no archive of the audit list.`)
  const verdict = await followChain(head.previous, rowsOf(lines), see)
  for (let rest = await lines.next(); !rest.done; ) rest = await lines.next()
  return { ...verdict, sha256: sum.digest('hex') }
}

async function* summed(bytes: AsyncIterable<Uint8Array>, sum: Hash): AsyncGenerator<Uint8Array> {
  for await (const part of bytes) {
    sum.update(part)
    yield part
  }
}

async function* rowsOf(lines: AsyncIterator<string>): AsyncGenerator<AuditLine[]> {
  for (let next = await lines.next(); !next.done; next = await lines.next()) {
    const [, hash = '', line = ''] = /^\{"hash":"([0-9a-f]{64})","row":(.*)\}$/.exec(next.value) ?? []
    yield [{ id: Number(parsed(line)?.id), hash, line }]
  }
}

function headOf(text: string | undefined): Head | undefined {
  const head = parsed(text ?? '') as Head | undefined
  return head?.format === 'blockdraw audit archive' && head.version === 1 ? head : undefined
}

function parsed(text: string): { id?: number } | undefined {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

const sha256OfFile = (file: string): string => createHash('sha256').update(readFileSync(file)).digest('hex')

/** A name is safe on the disk when its directory is. */
function syncDirectory(path: string): void {
  const directory = openSync(path, 'r')
  fsyncSync(directory)
  closeSync(directory)
}
