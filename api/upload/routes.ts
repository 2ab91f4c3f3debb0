import { randomBytes } from 'node:crypto'
import { Elysia } from 'elysia'
import { addressKey } from '../../core/address-list.ts'
import { narrower } from '../../core/content/event-content.ts'
import { RaffleError } from '../../core/errors.ts'
import { addUpload, countUploads, spendUpload } from '../../db/admin/settings.ts'
import type { AdminGuard } from '../auth/guard.ts'
import type { Deps } from '../deps.ts'
import { readBytes } from '../http/body.ts'
import { notModified, route } from '../http/route.ts'
import { bytes } from '../http/values.ts'
import { cleanImage, maxImageBytes } from './image.ts'
import {
  denied,
  type ImageType,
  imageInPath,
  imageTypes,
  keysFor,
  signedQuery,
  tooLarge,
  typeOfKey,
  uploadBody,
  uploadPath,
  uploadSigner,
} from './schema.ts'
import { openStorage } from './storage.ts'

const validSeconds = 300
const perDay = 100
const arriveWithinMs = 60_000

/** Headers of an image: browsers treat it only as a picture, also when it is opened directly. */
const servedHeaders = {
  'cache-control': 'public, max-age=31536000, immutable',
  'content-security-policy': "default-src 'none'; sandbox",
  'x-content-type-options': 'nosniff',
  'cross-origin-resource-policy': 'cross-origin',
  'content-disposition': 'inline',
}

/** Prize images: a signed URL for one PUT; the image is served at the same path afterwards. */
export const uploadRoutes = ({ admin }: Deps, guard: AdminGuard) => {
  const signer = uploadSigner(admin)
  const storage = openStorage(admin.storageUrl)

  return new Elysia()
    .post(
      ...guard.action('/api/admin/upload/image', {
        action: 'upload.sign',
        about: 'Signs an address for one image',
        body: uploadBody,
        fresh: false, // No page shows it before a call that names it.
        run: async ({ db, body, admin: own, address, request, record }) => {
          const clientAddress = addressKey(address)
          if ((await countUploads(db, clientAddress)) >= perDay)
            throw new RaffleError('RATE_LIMITED', { reason: 'uploads', data: { retryAfterSeconds: 3_600 } })
          const key = `${randomBytes(16).toString('hex')}.${imageTypes[body.contentType]}`
          const expires = Math.floor(Date.now() / 1000) + validSeconds
          await addUpload(db, { key, adminId: own.id, clientAddress })
          record({ after: { key, ...body } })
          const query = signer.sign({ ...body, key, expires })
          return { uploadURL: `${ownOrigin(request, admin.publicApiUrl)}${uploadPath}${key}?${query}` }
        },
      }),
    )
    .put(
      ...guard.entry(`${uploadPath}:key`, {
        action: 'upload',
        about: 'Takes the image that was signed for',
        params: imageInPath,
        query: signedQuery,
        body: bytes,
        refusals: ['UPLOAD_DENIED', 'UPLOAD_USED', 'LENGTH_REQUIRED', 'NOT_AN_IMAGE', 'TOO_MANY_PIXELS'],
        run: async ({ db, params, query, request, record }) => {
          const upload = signer.verify(params.key, query)
          expectAsSigned(request.headers, upload)
          const spent = await spendUpload(db, upload.key)
          if (!spent) throw new RaffleError('UPLOAD_USED')
          record({ actor: spent.username })
          const { whole, narrower: made } = await cleanImage(
            await readUpload(request, upload.size),
            upload.contentType,
          )
          // Before the picture itself: whoever finds that finds all.
          for (const [width, image] of made)
            await storage.save(narrower(upload.key, width) as string, image, 'image/webp')
          await storage.save(upload.key, whole, upload.contentType)
          record({ after: { key: upload.key, bytes: whole.length } })
          return { url: request.url.split('?', 1)[0] as string }
        },
      }),
    )
    .get(
      ...route(`${uploadPath}:key`, {
        about: 'A published image',
        params: imageInPath,
        file: {
          type: 'image/*',
          about: 'JPEG or PNG, and narrower ones in WebP (`KEY-480.webp`, `KEY-1200.webp`).',
        },
        also: notModified,
        refusals: ['NOT_FOUND'],
        run: async ({ params: { key }, request }) => {
          const names = keysFor(key)
          const headers = { ...servedHeaders, etag: `"${key}"` }
          // A key is never written twice, so a cached copy is always current.
          if (names.length > 0 && request.headers.get('if-none-match') === headers.etag)
            return new Response(null, { status: 304, headers })
          for (const name of names) {
            const image = await storage.open(name)
            if (image)
              return new Response(image, { headers: { ...headers, 'content-type': typeOfKey(name) } })
          }
          throw new RaffleError('NOT_FOUND', { reason: 'image' })
        },
      }),
    )
}

/** Our public origin: as configured, else as the caller reached us. */
function ownOrigin(request: Request, publicApiUrl: string | undefined): string {
  if (publicApiUrl) return publicApiUrl.replace(/\/$/, '')
  const own = new URL(request.url)
  const origin = request.headers.get('origin')
  // The caller's page knows whether it uses https; this server behind its proxy does not.
  return origin && URL.canParse(origin) && new URL(origin).host === own.host ? origin : own.origin
}

function expectAsSigned(headers: Headers, upload: { contentType: ImageType; size: number }): void {
  const length = headers.get('content-length')
  if (length === null || !/^\d{1,15}$/.test(length)) throw new RaffleError('LENGTH_REQUIRED')
  if (Number(length) > maxImageBytes) throw tooLarge()
  if (headers.get('content-type')?.split(';', 1)[0]?.trim().toLowerCase() !== upload.contentType)
    throw denied('type')
  if (Number(length) !== upload.size) throw denied('size')
}

/** The bytes of an upload; refuses any other length than the signed one. */
async function readUpload(request: Request, size: number): Promise<Uint8Array> {
  if (!request.body) throw new RaffleError('NOT_AN_IMAGE')
  const bytes = await readBytes(request, { maxBytes: maxImageBytes, withinMs: arriveWithinMs, tooLarge })
  if (bytes.length !== size) throw denied('size')
  return bytes
}
