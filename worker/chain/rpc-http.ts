import { type Clock, within } from '../../core/server/time.ts'
import { RpcFailure } from './failure.ts'
import type { Send } from './rpc-send.ts'

/** JSON-RPC over HTTP. */
export function openHttp(url: string, clock?: Clock): Send {
  const { address, headers } = withoutLogin(url)
  const send: Send = async (body, { maxBytes, timeoutMs }) => {
    const text = JSON.stringify(Array.isArray(body) ? body.map(toRequest) : toRequest(body))
    return within(timeoutMs, (signal) => ask(text, maxBytes, signal), clock)
  }
  async function ask(text: string, maxBytes: number, signal: AbortSignal): Promise<unknown> {
    try {
      const response = await fetch(address, { method: 'POST', headers, body: text, signal })
      judgeStatus(response)
      const answer = await readJson(response, maxBytes)
      if (!response.ok && !isRpcError(answer)) throw ofStatus(response.status, response.headers)
      return answer
    } catch (error) {
      if (error instanceof RpcFailure) throw error
      // The runtime's messages hold the URL, which may hold a key: only the kind of failure is passed on.
      if (signal.aborted) throw new RpcFailure('timeout')
      throw new RpcFailure(error instanceof SyntaxError ? 'body' : 'network')
    }
  }
  return send
}

const toRequest = (call: object) => ({ jsonrpc: '2.0', ...call })

/** A login in the URL is sent as a header: `fetch` takes none there. */
function withoutLogin(url: string): { address: string; headers: Record<string, string> } {
  const parsed = new URL(url)
  const headers = { 'content-type': 'application/json' }
  if (!parsed.username) return { address: parsed.href, headers }
  const login = `${decodeURIComponent(parsed.username)}:${decodeURIComponent(parsed.password)}`
  parsed.username = ''
  parsed.password = ''
  return { address: parsed.href, headers: { ...headers, authorization: `Basic ${btoa(login)}` } }
}

/**
 * These statuses count more than the body, whose JSON-RPC error would otherwise be the answer to the request. With other
 * statuses, such as 400, it is the answer.
 */
function judgeStatus({ status, headers, body }: Response): void {
  if (![401, 403, 413, 429].includes(status) && status < 500) return
  body?.cancel().catch(() => undefined)
  throw ofStatus(status, headers)
}

function ofStatus(status: number, headers: Headers): RpcFailure {
  if (status === 413) return new RpcFailure('too-large', 413)
  const retryAfterMs = toMs(headers.get('retry-after'))
  return new RpcFailure(status === 429 ? 'busy' : 'http', status, '', retryAfterMs)
}

function isRpcError(answer: unknown): boolean {
  const { error } = (answer ?? {}) as { error?: { code?: unknown; message?: unknown } | null }
  return typeof error?.code === 'number' && typeof error.message === 'string'
}

/** What is no JSON is the page of a proxy where the status says so, and else a broken answer. */
async function readJson(response: Response, maxBytes: number): Promise<unknown> {
  const text = await readText(response, maxBytes)
  try {
    return JSON.parse(text)
  } catch (error) {
    const isJson = response.headers.get('content-type')?.startsWith('application/json')
    if (response.ok || isJson) throw error
    return undefined
  }
}

/** A length that is told bounds what comes, unless it is sent packed or in pieces: those are counted as they come. */
async function readText(response: Response, maxBytes: number): Promise<string> {
  const { headers, body } = response
  const told = headers.get('content-length')
  if (Number(told ?? 0) > maxBytes) {
    body?.cancel().catch(() => undefined)
    throw new RpcFailure('too-large')
  }
  if (told && !headers.has('content-encoding') && !headers.has('transfer-encoding')) return response.text()
  const chunks: Uint8Array[] = []
  let size = 0
  for await (const chunk of body ?? []) {
    size += chunk.byteLength
    if (size > maxBytes) throw new RpcFailure('too-large')
    chunks.push(chunk)
  }
  return Buffer.concat(chunks).toString()
}

/** Retry-After: seconds, or a date. */
function toMs(text: string | null): number | undefined {
  if (!text) return undefined
  const ms = /^\d+$/.test(text) ? Number(text) * 1000 : Date.parse(text) - Date.now()
  return ms > 0 ? ms : undefined
}
