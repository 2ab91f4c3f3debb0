import { getHttpRpcClient } from 'viem/utils'
import { RpcFailure } from './failure.ts'
import type { Send } from './rpc.ts'

/** JSON-RPC over HTTP. */
export function openHttp(url: string): Send {
  const client = getHttpRpcClient(url)
  return async (body, { maxBytes, timeoutMs }) => {
    const signal = AbortSignal.timeout(timeoutMs)
    try {
      return await client.request({
        body: body as never,
        fetchOptions: { signal },
        onResponse: judgeStatus,
        maxResponseBodySize: maxBytes,
        timeout: 0,
      })
    } catch (error) {
      throw signal.aborted ? new RpcFailure('timeout') : toFailure(error)
    }
  }
}

/**
 * These statuses count more than the body: viem would return a JSON-RPC error in it as the answer to the
 * request. With other statuses, such as 400, the JSON-RPC error is the answer.
 */
function judgeStatus({ status, headers, body }: Response): void {
  if (![401, 403, 413, 429].includes(status) && status < 500) return
  body?.cancel().catch(() => undefined)
  throw ofStatus(status, headers)
}

function ofStatus(status: number, headers?: Headers): RpcFailure {
  if (status === 413) return new RpcFailure('too-large', 413)
  const retryAfterMs = toMs(headers?.get('retry-after'))
  return new RpcFailure(status === 429 ? 'busy' : 'http', status, '', retryAfterMs)
}

/** viem's messages hold the URL, which may hold a key: only the kind of failure is passed on. */
function toFailure(error: unknown): RpcFailure {
  const { name, status, headers, cause } = error as {
    name?: string
    status?: number
    headers?: Headers
    cause?: unknown
  }
  if (cause instanceof RpcFailure) return cause
  if (name === 'ResponseBodyTooLargeError') return new RpcFailure('too-large')
  if (status !== undefined) return ofStatus(status, headers)
  return new RpcFailure(cause instanceof SyntaxError ? 'body' : 'network')
}

/** Retry-After: seconds, or a date. */
function toMs(text: string | null | undefined): number | undefined {
  if (!text) return undefined
  const ms = /^\d+$/.test(text) ? Number(text) * 1000 : Date.parse(text) - Date.now()
  return ms > 0 ? ms : undefined
}
