import { Type as t } from '@sinclair/typebox'
import { RaffleError } from '../../core/errors.ts'
import { answer } from '../http/answers.ts'
import { exact, read, refusal } from '../http/schema.ts'
import { maxImageBytes } from './image.ts'
import { type ImageType, imageTypes } from './url.ts'

export const tooLarge = () => new RaffleError('BODY_TOO_LARGE', '이미지는 5MB 이하여야 합니다.')

const contentType = read(
  t.String(refusal('INVALID_VALUE', '{name}: image/jpeg 또는 image/png여야 합니다.')),
  (value) => {
    if (Object.hasOwn(imageTypes, value)) return value as ImageType
    throw new RaffleError('UNSUPPORTED_MEDIA_TYPE', 'JPG 또는 PNG 이미지만 업로드할 수 있습니다.')
  },
)
const size = read(
  t.Integer({
    minimum: 1,
    maximum: Number.MAX_SAFE_INTEGER,
    ...refusal('INVALID_VALUE', '{name}: 파일 크기(바이트)여야 합니다.'),
  }),
  (value) => {
    if (value <= maxImageBytes) return value
    throw tooLarge()
  },
)
export const uploadBody = exact({ contentType, size })
export const uploadAnswer = answer({ uploadURL: t.String({ description: 'Where to PUT the image, once.' }) })

export const imageInPath = t.Object({ key: t.String({ description: 'Name of the image.' }) })
/** Values that the signature of an upload covers. */
export const signedQuery = t.Object({
  type: t.Optional(t.String()),
  size: t.Optional(t.String()),
  expires: t.Optional(t.String()),
  signature: t.Optional(t.String()),
})
export const imageAnswer = answer({ url: t.String() })
