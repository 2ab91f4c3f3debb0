import { RaffleError } from '../../core/errors.ts'
import { maxImageBytes } from './image.ts'
import { denied } from './url.ts'

const deadlineMs = 60_000

/** The bytes of an upload, exactly as many as were signed, whatever its headers say about it. */
export async function readUpload(request: Request, size: number): Promise<Uint8Array> {
  const reader = request.body?.getReader()
  if (!reader) throw new RaffleError('NOT_AN_IMAGE', '올바른 JPG 또는 PNG 이미지가 아닙니다.')
  let timer: Timer | undefined
  const deadline = new Promise<never>((_, reject) => {
    const late = () => reject(new RaffleError('BODY_TIMEOUT', 'The body did not arrive in time.'))
    timer = setTimeout(late, deadlineMs)
  })
  const chunks: Uint8Array[] = []
  let received = 0
  try {
    for (;;) {
      const { done, value } = await Promise.race([reader.read(), deadline])
      if (done) break
      received += value.byteLength
      if (received > maxImageBytes) throw new RaffleError('BODY_TOO_LARGE', '이미지는 5MB 이하여야 합니다.')
      // What is too long is counted to its end but not kept: the answer tells a lie from an image over 5 MB.
      if (received <= size) chunks.push(value)
    }
  } catch (error) {
    void reader.cancel().catch(() => undefined)
    throw error
  } finally {
    clearTimeout(timer)
  }
  if (received !== size) throw denied('서명된 파일 크기와 다릅니다.')
  return Buffer.concat(chunks)
}
