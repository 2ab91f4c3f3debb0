import { randomBytes } from 'node:crypto'
import { Elysia } from 'elysia'
import { RaffleError } from '../../core/errors.ts'
import { addUpload, countUploads, spendUpload } from '../../db/admin/uploads.ts'
import type { AdminGuard } from '../auth/guard.ts'
import type { Deps } from '../deps.ts'
import { addressKey } from '../http/client-address.ts'
import { type Fields, onlyFields } from '../http/fields.ts'
import { readUpload } from './body.ts'
import { cleanImage, maxImageBytes } from './image.ts'
import { openStorage } from './storage.ts'
import { denied, type ImageType, imageTypes, isImageKey, typeOfKey, uploadPath, uploadSigner } from './url.ts'

const validSeconds = 300
const perDay = 100

/** What an image is served with: it is only ever a picture, also when opened by itself. */
const servedHeaders = {
  'cache-control': 'public, max-age=31536000, immutable',
  'content-security-policy': "default-src 'none'; sandbox",
  'x-content-type-options': 'nosniff',
  'cross-origin-resource-policy': 'cross-origin',
  'content-disposition': 'inline',
}

/** Prize images: a signed address for one PUT, which is also where the image is served afterwards. */
export const uploadRoutes = ({ admin }: Pick<Deps, 'admin'>, guard: AdminGuard) => {
  const signer = uploadSigner(admin.secretKey)
  const storage = openStorage(admin.storageUrl)

  return new Elysia()
    .post(
      '/api/admin/upload/image',
      guard.action(
        'upload.sign',
        { body: uploadBody },
        async ({ db, body, admin: own, address, request, record }) => {
          const clientAddress = addressKey(address)
          if ((await countUploads(db, clientAddress)) >= perDay)
            throw new RaffleError('RATE_LIMITED', '하루 업로드 한도를 초과했습니다.', {
              retryAfterSeconds: 3_600,
            })
          const key = `${randomBytes(16).toString('hex')}.${imageTypes[body.contentType]}`
          const expires = Math.floor(Date.now() / 1000) + validSeconds
          await addUpload(db, {
            ...body,
            key,
            adminId: own.id,
            clientAddress,
            expiresAt: new Date(expires * 1000),
          })
          record({ after: { key, ...body } })
          const query = signer.sign({ ...body, key, expires })
          return { uploadURL: `${ownOrigin(request, admin.publicApiUrl)}${uploadPath}${key}?${query}` }
        },
      ),
      { parse: 'none' },
    )
    .put(
      `${uploadPath}:key`,
      guard.entry('upload', {}, async ({ db, params, query, request, record }) => {
        const upload = signer.verify(params.key ?? '', query)
        expectAsSigned(request.headers, upload)
        const spent = await spendUpload(db, upload.key)
        if (!spent) throw new RaffleError('UPLOAD_USED', '이미 사용된 업로드 주소입니다. 다시 시도해주세요.')
        record({ actor: spent.username })
        const image = await cleanImage(await readUpload(request, upload.size), upload.contentType)
        await storage.save(upload.key, image, upload.contentType)
        record({ after: { key: upload.key, bytes: image.length } })
        return { url: request.url.split('?', 1)[0] }
      }),
      { parse: 'none' },
    )
    .get(`${uploadPath}:key`, async ({ params: { key }, request }) => {
      if (!isImageKey(key)) throw new RaffleError('NOT_FOUND', 'There is no such image.')
      const headers = { ...servedHeaders, 'content-type': typeOfKey(key), etag: `"${key}"` }
      // A key is never written twice, so whoever has it has what is there.
      if (request.headers.get('if-none-match') === headers.etag)
        return new Response(null, { status: 304, headers })
      const image = await storage.open(key)
      if (!image) throw new RaffleError('NOT_FOUND', 'There is no such image.')
      return new Response(image, { headers })
    })
}

/** The address that visitors reach us by: configured, else as the caller reached us. */
function ownOrigin(request: Request, publicApiUrl: string | undefined): string {
  if (publicApiUrl) return publicApiUrl.replace(/\/$/, '')
  const own = new URL(request.url)
  const origin = request.headers.get('origin')
  // The caller's page knows whether it came by https, this server behind its proxy does not.
  return origin && URL.canParse(origin) && new URL(origin).host === own.host ? origin : own.origin
}

function expectAsSigned(headers: Headers, upload: { contentType: ImageType; size: number }): void {
  const length = headers.get('content-length')
  if (length === null || !/^\d{1,15}$/.test(length))
    throw new RaffleError('LENGTH_REQUIRED', '파일 크기(Content-Length)가 필요합니다.')
  if (Number(length) > maxImageBytes) throw tooLarge()
  if (headers.get('content-type')?.split(';', 1)[0]?.trim().toLowerCase() !== upload.contentType)
    throw denied('서명된 파일 형식과 다릅니다.')
  if (Number(length) !== upload.size) throw denied('서명된 파일 크기와 다릅니다.')
}

function uploadBody(fields: Fields): { contentType: ImageType; size: number } {
  onlyFields(fields, ['contentType', 'size'])
  const { contentType, size } = fields
  if (typeof contentType !== 'string')
    throw new RaffleError('INVALID_VALUE', 'contentType: image/jpeg 또는 image/png여야 합니다.')
  if (!Object.hasOwn(imageTypes, contentType))
    throw new RaffleError('UNSUPPORTED_MEDIA_TYPE', 'JPG 또는 PNG 이미지만 업로드할 수 있습니다.')
  if (typeof size !== 'number' || !Number.isSafeInteger(size) || size < 1)
    throw new RaffleError('INVALID_VALUE', 'size: 파일 크기(바이트)여야 합니다.')
  if (size > maxImageBytes) throw tooLarge()
  return { contentType: contentType as ImageType, size }
}

const tooLarge = () => new RaffleError('BODY_TOO_LARGE', '이미지는 5MB 이하여야 합니다.')
