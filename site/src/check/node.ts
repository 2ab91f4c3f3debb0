import { answerLimit, readText } from '../../../core/verify/download.ts'
import type { Rpc } from '../../../core/verify/steps.ts'

const timeoutMs = 15_000
const attempts = 3

class Refusal extends Error {}

/** What is wrong with an address before anything is sent there, by the name of its sentence; undefined where nothing is. */
export function addressProblem(
  text: string,
  isSecurePage: boolean,
): 'wholeAddress' | 'onlyHttps' | 'encrypted' | undefined {
  let url: URL
  try {
    url = new URL(text)
  } catch {
    return 'wholeAddress'
  }
  if (url.protocol !== 'https:' && url.protocol !== 'http:') return 'onlyHttps'
  const isLocal = ['localhost', '127.0.0.1', '[::1]'].includes(url.hostname)
  if (isSecurePage && url.protocol === 'http:' && !isLocal) return 'encrypted'
  return undefined
}

/** Calls to the chosen node, retried. Once it never answered, later calls fail at once: no check waits for it. */
export function openNode(url: string): Rpc {
  let hasAnswered = false
  let isSilent = false
  return async (method, params) => {
    for (let attempt = 1; ; attempt++) {
      if (isSilent) throw new Error('The node does not answer.')
      try {
        const result = await callOnce(url, method, params)
        hasAnswered = true
        return result
      } catch (error) {
        if (error instanceof Refusal) throw error
        if (attempt === attempts) {
          isSilent = !hasAnswered
          throw new Error(`${method} was not answered.`)
        }
        await new Promise((resolve) => setTimeout(resolve, 250 * attempt))
      }
    }
  }
}

/** No message holds the address, which may be a key. */
async function callOnce(url: string, method: string, params: readonly unknown[]) {
  const response = await fetch(url, {
    method: 'POST',
    credentials: 'omit',
    referrerPolicy: 'no-referrer',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ jsonrpc: '2.0', id: 1, method, params }),
    signal: AbortSignal.timeout(timeoutMs),
  })
  const { result, error } = JSON.parse(await readText(response, answerLimit)) as {
    result?: unknown
    error?: { message?: string }
  }
  if (error) throw new Refusal(`${method}: ${String(error.message).slice(0, 200)}`)
  if (result === undefined) throw new Error(`${method} was answered with ${response.status}.`)
  return result
}
