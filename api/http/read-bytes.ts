import { RaffleError } from '../../core/errors.ts'
import { withDeadline } from '../../core/server/time.ts'

type Limits = { maxBytes: number; withinMs: number; tooLarge: () => RaffleError }

/**
 * The body of a request, whatever its headers say about it: counted while it comes in, so that no more than
 * `maxBytes` are ever kept. Throws `tooLarge`, and BODY_TIMEOUT when it has not all come after `withinMs`; the
 * rest is then not taken.
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
