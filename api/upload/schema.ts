import { Type as t } from '@sinclair/typebox'
import { pictureWidths } from '../../core/content/event-content.ts'
import { type DetailsOf, RaffleError } from '../../core/errors.ts'
import { type SecretKeys, signer } from '../../core/server/secrets.ts'
import { exact, read, refusal } from '../http/schema.ts'
import { maxImageBytes } from './image.ts'

export const tooLarge = () => new RaffleError('BODY_TOO_LARGE', { reason: 'image' })

const contentType = read(t.String(refusal('INVALID_VALUE', { reason: 'imageType' })), (value) => {
  if (Object.hasOwn(imageTypes, value)) return value as ImageType
  throw new RaffleError('UNSUPPORTED_MEDIA_TYPE', { reason: 'image' })
})
const size = read(
  t.Integer({
    minimum: 1,
    maximum: Number.MAX_SAFE_INTEGER,
    ...refusal('INVALID_VALUE', { reason: 'fileSize' }),
  }),
  (value) => {
    if (value <= maxImageBytes) return value
    throw tooLarge()
  },
)
export const uploadBody = exact({ contentType, size })

export const imageInPath = t.Object({ key: t.String({ description: 'Name of the image.' }) })
export const signedQuery = t.Object({
  type: t.Optional(t.String()),
  size: t.Optional(t.String()),
  expires: t.Optional(t.String()),
  signature: t.Optional(t.String()),
})

export const uploadPath = '/api/uploads/'
export const imageTypes = { 'image/jpeg': 'jpg', 'image/png': 'png' } as const
export type ImageType = keyof typeof imageTypes

export type SignedUpload = { key: string; contentType: ImageType; size: number; expires: number }

const keyForm = /^[0-9a-f]{32}\.(jpg|png)$/
export const isImageKey = (key: string): boolean => keyForm.test(key)
export const typeOfKey = (key: string): string =>
  key.endsWith('.webp') ? 'image/webp' : key.endsWith('.png') ? 'image/png' : 'image/jpeg'

const narrowForm = new RegExp(`^([0-9a-f]{32})-(?:${pictureWidths.join('|')})\\.webp$`)
/** What is served under a name: itself, and where a narrower picture was never made, the picture that it would be of. */
export function keysFor(name: string): string[] {
  const [, hash] = narrowForm.exec(name) ?? []
  if (hash) return [name, `${hash}.jpg`, `${hash}.png`]
  return isImageKey(name) ? [name] : []
}

/** Signs key, type, length and expiry (seconds since 1970) of one upload with SECRET_KEY; one of the key before is good too. */
export function uploadSigner(keys: SecretKeys) {
  const { sign, isSigned } = signer(keys, 'uploads', (mac) => mac.toString('base64url'))
  const textOf = ({ key, contentType, size, expires }: SignedUpload): string =>
    `${key}\n${contentType}\n${size}\n${expires}`

  return {
    sign: (upload: SignedUpload): string =>
      new URLSearchParams({
        type: upload.contentType,
        size: `${upload.size}`,
        expires: `${upload.expires}`,
        signature: sign(textOf(upload)),
      }).toString(),
    /** The signed values of this key; throws UPLOAD_DENIED for a changed, cut or expired signature. */
    verify(key: string, query: Record<string, string | undefined>): SignedUpload {
      const { type, size, expires, signature = '' } = query
      const upload = { key, contentType: type as ImageType, size: Number(size), expires: Number(expires) }
      if (!isImageKey(key) || !isSigned(textOf(upload), signature)) throw denied('signature')
      if (upload.expires * 1000 < Date.now()) throw denied('expired')
      return upload
    },
  }
}

export const denied = (reason: DetailsOf<'UPLOAD_DENIED'>['reason']): RaffleError =>
  new RaffleError('UPLOAD_DENIED', { reason })

/** The key of an image of ours, given by its path, alone or with one of our origins; undefined for any other address. */
export function ownImageKey(value: string, origins: readonly string[]): string | undefined {
  const base = origins.find((origin) => value.startsWith(`${origin}${uploadPath}`)) ?? ''
  const path = value.slice(base.length)
  const key = path.startsWith(uploadPath) ? path.slice(uploadPath.length) : ''
  return isImageKey(key) ? key : undefined
}
