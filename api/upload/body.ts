import { RaffleError } from '../../core/errors.ts'
import { readBytes } from '../http/read-bytes.ts'
import { maxImageBytes } from './image.ts'
import { denied } from './url.ts'

const arriveWithinMs = 60_000

/** The bytes of an upload, exactly as many as were signed. */
export async function readUpload(request: Request, size: number): Promise<Uint8Array> {
  if (!request.body) throw new RaffleError('NOT_AN_IMAGE', '올바른 JPG 또는 PNG 이미지가 아닙니다.')
  const tooLarge = () => new RaffleError('BODY_TOO_LARGE', '이미지는 5MB 이하여야 합니다.')
  const bytes = await readBytes(request, { maxBytes: maxImageBytes, withinMs: arriveWithinMs, tooLarge })
  if (bytes.length !== size) throw denied('서명된 파일 크기와 다릅니다.')
  return bytes
}
