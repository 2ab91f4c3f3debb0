import { createHash } from 'node:crypto'
import type { EventContent, Picture } from '../../core/content/event-content.ts'
import type { ContentForm, NamedPicture } from '../../core/content/read-content.ts'
import { RaffleError } from '../../core/errors.ts'
import type { Storage } from '../upload/storage.ts'

/** A key is never written twice, so what was measured once stays so. */
const known = new Map<string, Measured>()
const mostKnown = 1_000

type Measured = Pick<Picture, 'sha256' | 'width' | 'height'>

/**
 * A content with what its stored images say of themselves. Throws INVALID_VALUE for a key that is not stored, and for a
 * hash or a size that was sent and differs. One image at a time: each may have 5 MiB.
 */
export async function withPictures(form: ContentForm, storage: Storage): Promise<EventContent> {
  const prizes: EventContent['prizes'][number][] = []
  for (const [index, prize] of form.prizes.entries()) {
    const pictures: Picture[] = []
    for (const [place, named] of prize.pictures.entries())
      pictures.push(await measured(named, storage, `content.prizes.${index}.pictures.${place}`))
    prizes.push({ ...prize, pictures })
  }
  return { ...form, prizes }
}

async function measured(named: NamedPicture, storage: Storage, name: string): Promise<Picture> {
  const { key, alt } = named
  const told = await measure(key, storage)
  if (!told) throw new RaffleError('INVALID_VALUE', { reason: 'unfinished', field: `${name}.key` })
  for (const field of ['sha256', 'width', 'height'] as const)
    if (named[field] !== undefined && named[field] !== told[field])
      throw new RaffleError('INVALID_VALUE', { reason: 'otherImage', field: `${name}.${field}` })
  return { key, ...told, alt }
}

/** What a stored image says of itself; undefined for a key that is not stored. */
export async function measure(key: string, storage: Storage): Promise<Measured | undefined> {
  const before = known.get(key)
  if (before) return before
  const image = await storage.open(key)
  if (!image) return undefined
  const bytes = new Uint8Array(await image.arrayBuffer())
  const { width, height } = await new Bun.Image(bytes).metadata()
  const told: Measured = { sha256: `0x${createHash('sha256').update(bytes).digest('hex')}`, width, height }
  known.set(key, told)
  if (known.size > mostKnown) known.delete(known.keys().next().value as string)
  return told
}
