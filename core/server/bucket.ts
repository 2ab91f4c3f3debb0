import { S3Client } from 'bun'
import { withDeadline } from './time.ts'

/**
 * The bucket of `s3://key:secret@host[:port]/bucket[/folder]?region=…` (`insecure=true` for http). Without key and
 * secret the usual AWS variables apply. `folder` is empty or ends with a slash.
 */
export function openBucket({ username, password, host, pathname, searchParams }: URL) {
  const scheme = searchParams.get('insecure') === 'true' ? 'http' : 'https'
  const [bucket = '', ...folders] = pathname.split('/').filter(Boolean)
  const client = new S3Client({
    endpoint: `${scheme}://${host}`,
    bucket,
    region: searchParams.get('region') ?? 'auto',
    ...(username && {
      accessKeyId: decodeURIComponent(username),
      secretAccessKey: decodeURIComponent(password),
    }),
  })
  /** Bun's client waits for ever for a bucket that does not answer. */
  const inTime = <T>(asked: Promise<T>, ms: number): Promise<T> =>
    withDeadline(ms, asked, () => {
      throw new Error(`the bucket at ${host} does not answer`)
    })
  return { client, inTime, host, folder: folders.map((part) => `${part}/`).join('') }
}
