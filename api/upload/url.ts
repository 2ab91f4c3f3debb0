import { createHmac, timingSafeEqual } from 'node:crypto'
import { RaffleError } from '../../core/errors.ts'
import { deriveKey } from '../auth/secret-box.ts'

export const uploadPath = '/api/uploads/'
export const imageTypes = { 'image/jpeg': 'jpg', 'image/png': 'png' } as const
export type ImageType = keyof typeof imageTypes

export type SignedUpload = { key: string; contentType: ImageType; size: number; expires: number }

const keyForm = /^[0-9a-f]{32}\.(jpg|png)$/
export const isImageKey = (key: string): boolean => keyForm.test(key)
export const typeOfKey = (key: string): ImageType => (key.endsWith('.png') ? 'image/png' : 'image/jpeg')

/** Signs key, type, length and expiry (seconds since 1970) of one upload with SECRET_KEY. */
export function uploadSigner(secretKey: string) {
  const secret = deriveKey(secretKey, 'uploads')
  const signatureOf = ({ key, contentType, size, expires }: SignedUpload): Buffer =>
    createHmac('sha256', secret).update(`${key}\n${contentType}\n${size}\n${expires}`).digest()

  return {
    /** The query string of the URL to PUT to. */
    sign: (upload: SignedUpload): string =>
      new URLSearchParams({
        type: upload.contentType,
        size: `${upload.size}`,
        expires: `${upload.expires}`,
        signature: signatureOf(upload).toString('base64url'),
      }).toString(),
    /** The signed values of this key; throws UPLOAD_DENIED for a changed, cut or expired signature. */
    verify(key: string, query: Record<string, string | undefined>): SignedUpload {
      const { type, size, expires, signature = '' } = query
      const upload = { key, contentType: type as ImageType, size: Number(size), expires: Number(expires) }
      const given = Buffer.from(signature, 'base64url')
      const right = signatureOf(upload)
      if (!isImageKey(key) || given.length !== right.length || !timingSafeEqual(given, right))
        throw denied('업로드 주소의 서명이 올바르지 않습니다.')
      if (upload.expires * 1000 < Date.now()) throw denied('업로드 주소가 만료되었습니다. 다시 시도해주세요.')
      return upload
    },
  }
}

export const denied = (text: string): RaffleError => new RaffleError('UPLOAD_DENIED', text)

/** Whether it is an image uploaded here: its path, alone or with one of our origins. */
export function isOwnImage(value: unknown, origins: readonly string[]): value is string {
  if (typeof value !== 'string') return false
  const base = origins.find((origin) => value.startsWith(`${origin}${uploadPath}`)) ?? ''
  const path = value.slice(base.length)
  return path.startsWith(uploadPath) && isImageKey(path.slice(uploadPath.length))
}
