import { answerLimit, readText } from '../../../core/verify/download.ts'
import type { Rpc } from '../../../core/verify/steps.ts'

const timeoutMs = 15_000
const attempts = 3
const pause = (ms: number) => new Promise<void>((resolve) => setTimeout(resolve, ms))

/** One call to an endpoint, retried on a lost connection or a rate limit; no message holds its URL. */
export function httpRpc(url: string, limit = answerLimit, sleep = pause): Rpc {
  return async (method, params) => {
    for (let attempt = 1; ; attempt++) {
      try {
        return await callOnce(url, limit, method, params)
      } catch (error) {
        const isRefusal = error instanceof Refusal
        if (isRefusal || attempt === attempts)
          throw isRefusal ? error : new Error(`${method} was not answered.`)
        await sleep(200 * attempt)
      }
    }
  }
}

class Refusal extends Error {}

async function callOnce(
  url: string,
  limit: number,
  method: string,
  params: readonly unknown[],
): Promise<unknown> {
  const response = await fetch(url, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ jsonrpc: '2.0', id: 1, method, params }),
    signal: AbortSignal.timeout(timeoutMs),
  })
  const { result, error } = JSON.parse(await readText(response, limit)) as {
    result?: unknown
    error?: { message?: string }
  }
  if (error) throw new Refusal(`${method}: ${String(error.message).slice(0, 200)}`)
  return result
}
