import { createHash, createHmac, randomBytes } from 'node:crypto'

const hmac = (key: string | Buffer, text: string) => createHmac('sha256', key).update(text).digest()
const sha256 = (bytes: string | Uint8Array) => createHash('sha256').update(bytes).digest('hex')

/** AWS Signature Version 4 of a request by its documentation, without a library. */
async function isSigned(request: Request, secret: string): Promise<boolean> {
  const url = new URL(request.url)
  const given =
    /^AWS4-HMAC-SHA256 Credential=([^,]+), ?SignedHeaders=([^,]+), ?Signature=([0-9a-f]{64})$/.exec(
      request.headers.get('authorization') ?? '',
    )
  const [, credential = '', signedHeaders = '', signature] = given ?? []
  const [, day = '', region = '', service = '', end = ''] = credential.split('/')
  const payload = request.headers.get('x-amz-content-sha256') ?? ''
  if (payload !== 'UNSIGNED-PAYLOAD' && payload !== sha256(await request.clone().bytes())) return false
  const query = [...url.searchParams].map((pair) => pair.map(encodeURIComponent).join('=')).sort()
  const headers = signedHeaders.split(';').map((name) => `${name}:${request.headers.get(name)?.trim()}\n`)
  const canonical = [request.method, url.pathname, query.join('&'), headers.join(''), signedHeaders, payload]
  const scope = [day, region, service, end].join('/')
  const time = request.headers.get('x-amz-date') ?? ''
  const toSign = ['AWS4-HMAC-SHA256', time, scope, sha256(canonical.join('\n'))].join('\n')
  const key = [day, region, service, end].reduce<string | Buffer>(hmac, `AWS4${secret}`)
  return signedHeaders.split(';').includes('host') && hmac(key, toSign).toString('hex') === signature
}

type Kept = { bytes: Uint8Array<ArrayBuffer>; type: string | null }

/** A bucket as S3 has it, in parts too, for correctly signed requests alone; `trouble.fail` answers in its place. */
export function startBucket(name: string, secret = 'secret/+=') {
  const kept = new Map<string, Kept>()
  const uploads = new Map<string, Map<number, Uint8Array>>()
  const trouble: {
    fail?: ((request: Request) => Response | Promise<Response | undefined> | undefined) | undefined
  } = {}
  const refuse = (status: number, code: string) =>
    xml(`<Error><Code>${code}</Code><Message>${code}</Message></Error>`, status)
  const server = Bun.serve({
    port: 0,
    hostname: '127.0.0.1',
    async fetch(request) {
      const failed = await trouble.fail?.(request)
      if (failed) return failed
      if (!(await isSigned(request, secret))) return refuse(403, 'SignatureDoesNotMatch')
      const { pathname, searchParams } = new URL(request.url)
      if (pathname.split('/')[1] !== name) return refuse(404, 'NoSuchBucket')
      const upload = searchParams.get('uploadId')
      if (request.method === 'POST') return xml(await inParts(request, pathname, upload))
      if (request.method === 'PUT') {
        const bytes = await request.bytes()
        if (upload) uploads.get(upload)?.set(Number(searchParams.get('partNumber')), bytes)
        else kept.set(pathname, { bytes, type: request.headers.get('content-type') })
        return new Response(null, { headers: { etag: '"x"' } })
      }
      const found = kept.get(pathname)
      if (request.method === 'DELETE') {
        kept.delete(pathname)
        uploads.delete(upload ?? '')
        return new Response(null, { status: 204 })
      }
      if (!found) return refuse(404, 'NoSuchKey')
      const headers = { 'content-type': found.type ?? '', etag: '"x"' }
      return new Response(found.bytes, { headers })
    },
  })

  async function inParts(request: Request, pathname: string, upload: string | null): Promise<string> {
    if (!upload) {
      const id = randomBytes(8).toString('hex')
      uploads.set(id, new Map())
      return `<InitiateMultipartUploadResult><UploadId>${id}</UploadId></InitiateMultipartUploadResult>`
    }
    const parts = [...(uploads.get(upload) ?? [])].sort(([a], [b]) => a - b).map(([, bytes]) => bytes)
    kept.set(pathname, { bytes: Buffer.concat(parts), type: request.headers.get('content-type') })
    uploads.delete(upload)
    return '<CompleteMultipartUploadResult><ETag>"x"</ETag></CompleteMultipartUploadResult>'
  }

  return {
    kept,
    trouble,
    refuse,
    url: (path = name, word = secret) =>
      `s3://id:${encodeURIComponent(word)}@localhost:${server.port}/${path}?region=eu-1&insecure=true`,
    stop: () => server.stop(true),
  }
}

const xml = (body: string, status = 200): Response =>
  new Response(`<?xml version="1.0" encoding="UTF-8"?>${body}`, {
    status,
    headers: { 'content-type': 'application/xml' },
  })
