import { RaffleError } from '../../core/errors.ts'
import { limit } from '../../core/server/concurrency.ts'
import type { ImageType } from './schema.ts'

export const maxImageBytes = 5_242_880
const maxPixels = 40_000_000

const oneAtATime = limit(1, {
  maxWaiting: 9,
  refuse: () => new RaffleError('BUSY', { reason: 'uploads' }),
})

/**
 * The picture in `bytes`, decoded and encoded again: only the pixels are kept, so neither EXIF data nor a
 * page or script hidden in the file is ever served. One at a time, as 40 megapixels take 160 MB. Throws
 * NOT_AN_IMAGE, UNSUPPORTED_MEDIA_TYPE, TOO_MANY_PIXELS, BODY_TOO_LARGE, BUSY.
 */
export const cleanImage = (bytes: Uint8Array, type: ImageType): Promise<Uint8Array> =>
  oneAtATime(() => clean(bytes, type))

async function clean(bytes: Uint8Array, type: ImageType): Promise<Uint8Array> {
  const found = typeOfBytes(bytes)
  if (found !== type || !isWhole(bytes, type)) {
    const isOther = found !== undefined && found !== type
    throw isOther
      ? new RaffleError('UNSUPPORTED_MEDIA_TYPE', { reason: 'content', values: { type } })
      : new RaffleError('NOT_AN_IMAGE')
  }
  for (const encode of type === 'image/png' ? asPng : asJpeg) {
    const made = await encode(new Bun.Image(bytes, { maxPixels })).bytes().catch(refuse)
    if (made.length <= maxImageBytes) return made
  }
  throw new RaffleError('BODY_TOO_LARGE', { reason: 'encoded' })
}

type Encode = (image: Bun.Image) => Bun.Image
/** Tried in order, each smaller than the one before, until one fits. */
const asJpeg: readonly Encode[] = [90, 80, 65].map((quality) => (image) => image.jpeg({ quality }))
const asPng: readonly Encode[] = [6, 9].map((compressionLevel) => (image) => image.png({ compressionLevel }))

const png = Buffer.from('89504e470d0a1a0a', 'hex')
const webOther = /^(?:GIF8|RIFF....WEBP|BM|II\*\0|MM\0\*|....ftyp)/s

/** By the first bytes; undefined if it is not an image. */
function typeOfBytes(bytes: Uint8Array): string | undefined {
  const head = Buffer.from(bytes.subarray(0, 12))
  if (head.subarray(0, 8).equals(png)) return 'image/png'
  if (head[0] === 0xff && head[1] === 0xd8 && head[2] === 0xff) return 'image/jpeg'
  return webOther.test(head.toString('latin1')) ? 'image/other' : undefined
}

/** The decoder fills a missing end with grey, so a truncated file is recognised by its missing end marker. */
function isWhole(bytes: Uint8Array, type: ImageType): boolean {
  const file = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  if (type === 'image/png') return file.includes(Buffer.from('IEND\xae\x42\x60\x82', 'latin1'))
  return file.lastIndexOf(Buffer.from([0xff, 0xd9])) > file.lastIndexOf(Buffer.from([0xff, 0xda]))
}

function refuse(error: unknown): never {
  const code = (error as { code?: string }).code
  if (code === 'ERR_IMAGE_TOO_MANY_PIXELS') throw new RaffleError('TOO_MANY_PIXELS')
  if (code?.startsWith('ERR_IMAGE_')) throw new RaffleError('NOT_AN_IMAGE')
  throw error
}
