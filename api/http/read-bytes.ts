import { RaffleError } from '../../core/errors.ts'
import { withDeadline } from '../../core/server/time.ts'

type Limits = { maxBytes: number; withinMs: number; tooLarge: () => RaffleError }

/**
 * The body of a request, regardless of its headers: counted while it arrives, so that at most `maxBytes` are
 * kept. Throws `tooLarge`, and BODY_TIMEOUT if the body is not complete after `withinMs`; the rest is then
 * not read.
 */
export async function readBytes(
  request: Request,
  { maxBytes, withinMs, tooLarge }: Limits,
): Promise<Uint8Array> {
  const reader = request.body?.getReader()
  if (!reader) return new Uint8Array()
  const collect = async () => {
    const chunks: Uint8Array[] = []
    for (let size = 0; ; ) {
      const { done, value } = await reader.read()
      if (done) return Buffer.concat(chunks)
      size += value.byteLength
      if (size > maxBytes) throw tooLarge()
      chunks.push(value)
    }
  }
  try {
    return await withDeadline(withinMs, collect(), () => {
      throw new RaffleError('BODY_TIMEOUT', 'The body did not arrive in time.')
    })
  } catch (error) {
    void reader.cancel().catch(() => undefined)
    throw error
  }
}
