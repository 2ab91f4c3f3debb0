import { createHash } from 'node:crypto'
import { type Picture, pictureWidths } from '../../core/content/event-content.ts'
import { RaffleError } from '../../core/errors.ts'
import { limit } from '../../core/server/concurrency.ts'
import type { ImageType } from './schema.ts'
import type { Storage } from './storage.ts'

export const maxImageBytes = 5_242_880
const maxPixels = 40_000_000
/** In pixels, of either side. */
const mostWebp = 16_383

const oneAtATime = limit(1, { maxWaiting: 9, refuse: () => new RaffleError('BUSY', { reason: 'uploads' }) })

/** A cleaned picture, and narrower ones of it by their width. */
type Cleaned = { whole: Uint8Array; narrower: Map<number, Uint8Array> }

/** Decoded and encoded again, so only pixels are served; one at a time, as 40 megapixels take 160 MB. Throws
 * NOT_AN_IMAGE, UNSUPPORTED_MEDIA_TYPE, TOO_MANY_PIXELS, BODY_TOO_LARGE, BUSY. */
export const cleanImage = (bytes: Uint8Array, type: ImageType): Promise<Cleaned> =>
  oneAtATime(async () => {
    const whole = await clean(bytes, type)
    return { whole, narrower: await narrowed(whole) }
  })

/** Threads of Bun do the work. What is already as narrow, or too long for WebP, is served as it is. */
async function narrowed(whole: Uint8Array): Promise<Map<number, Uint8Array>> {
  const { width, height } = await new Bun.Image(whole).metadata()
  const made = new Map<number, Uint8Array>()
  for (const most of pictureWidths) {
    const high = Math.max(1, Math.round((height * most) / width))
    if (most >= width || high > mostWebp) continue
    const picture = new Bun.Image(whole, { maxPixels }).resize(most, high)
    made.set(most, await picture.webp({ quality: 80 }).bytes())
  }
  return made
}

async function clean(bytes: Uint8Array, type: ImageType): Promise<Uint8Array> {
  const found = typeOfBytes(bytes)
  if (found !== type || !isWhole(bytes, type)) {
    const isOther = found !== undefined && found !== type
    throw isOther
      ? new RaffleError('UNSUPPORTED_MEDIA_TYPE', { reason: 'content', values: { type } })
      : new RaffleError('NOT_AN_IMAGE')
  }
  // Of a JPEG the decoder reads it.
  const upright = type === 'image/png' ? turns[orientationOf(bytes)] : undefined
  for (const encode of type === 'image/png' ? asPng : asJpeg) {
    const image = new Bun.Image(bytes, { maxPixels })
    const made = await encode(upright?.(image) ?? image)
      .bytes()
      .catch(refuse)
    if (made.length <= maxImageBytes) return made
  }
  throw new RaffleError('BODY_TOO_LARGE', { reason: 'encoded' })
}

type Encode = (image: Bun.Image) => Bun.Image

/** What makes a picture of this EXIF orientation upright; it is turned before it is mirrored. */
const turns: Record<number, Encode> = {
  2: (image) => image.flop(),
  3: (image) => image.rotate(180),
  4: (image) => image.flip(),
  5: (image) => image.rotate(90).flop(),
  6: (image) => image.rotate(90),
  7: (image) => image.rotate(90).flip(),
  8: (image) => image.rotate(270),
}

/** By the chunk `eXIf` of a PNG, which the decoder does not read; 1 is upright, and what holds without one. */
function orientationOf(bytes: Uint8Array): number {
  const file = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  for (let at = 8; at + 8 <= file.length; at += file.readUInt32BE(at) + 12)
    if (file.toString('latin1', at + 4, at + 8) === 'eXIf')
      return orientationIn(file.subarray(at + 8, at + 8 + file.readUInt32BE(at)))
  return 1
}

/** Tag 0x0112 in the first directory of a TIFF header. */
function orientationIn(exif: Buffer): number {
  const isLittle = exif.toString('latin1', 0, 2) === 'II'
  const number = (at: number, bytes: 2 | 4) => {
    if (at + bytes > exif.length) return 0
    return isLittle ? exif.readUIntLE(at, bytes) : exif.readUIntBE(at, bytes)
  }
  const directory = number(4, 4)
  for (let entry = 0; entry < number(directory, 2); entry++) {
    const at = directory + 2 + entry * 12
    if (at + 12 > exif.length) break
    if (number(at, 2) === 0x0112) return number(at + 8, 2)
  }
  return 1
}

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

/** A key is never written twice, so what was measured once stays so. */
const known = new Map<string, Measured>()
const mostKnown = 1_000

type Measured = Pick<Picture, 'sha256' | 'width' | 'height'>

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
