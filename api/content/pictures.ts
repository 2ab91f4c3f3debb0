import type { EventContent, Picture } from '../../core/content/event-content.ts'
import type { ContentForm, NamedPicture } from '../../core/content/read-content.ts'
import { RaffleError } from '../../core/errors.ts'
import { measure } from '../upload/image.ts'
import type { Storage } from '../upload/storage.ts'

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
