import { addressKeys } from '../../core/address-list.ts'
import type { Deps } from '../deps.ts'
import { clientAddress } from './client-address.ts'
import { type Pages, pacedDownloads } from './paced-downloads.ts'

type Asked = { request: Request; server: { requestIP(request: Request): { address: string } | null } | null }
type PublicFile = { name: string; sha256: string; pages: () => Pages }

/**
 * Files of a route that anybody may download and whose SHA-256 is public: streamed, with that as the ETag, and not
 * read again for who has it. Two at once an address.
 */
export function fingerprintedFiles({ addresses }: Pick<Deps, 'addresses'>) {
  const addressOf = clientAddress(addresses)
  const download = pacedDownloads()
  return ({ request, server }: Asked, { name, sha256, pages }: PublicFile): Response => {
    const etag = `"${sha256}"`
    const headers = {
      'content-type': 'text/csv; charset=utf-8',
      'content-disposition': `attachment; filename="${name}"`,
      'cache-control': 'public, max-age=0, s-maxage=60',
      'access-control-allow-origin': '*',
      'access-control-expose-headers': 'etag',
      'x-content-type-options': 'nosniff',
      etag,
    }
    if (request.headers.get('if-none-match')?.includes(etag))
      return new Response(null, { status: 304, headers })
    const keys = addressKeys(addressOf(request, server?.requestIP(request)?.address))
    return new Response(download(keys, pages()), { headers })
  }
}
