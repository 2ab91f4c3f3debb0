import { type Clock, realClock, within } from '../../core/server/time.ts'
import { RpcFailure } from './failure.ts'
import type { Message, Send } from './rpc-send.ts'

type Waiting = {
  /** The ids that were sent are these and the `count` - 1 after it; the caller's begin at `own`. */
  first: number
  own: number
  count: number
  maxBytes: number
  resolve: (answer: unknown) => void
  reject: (failure: RpcFailure) => void
}

/**
 * JSON-RPC over one WebSocket, which is opened with the first message and again after a loss. Many messages are on
 * their way at once: answers are told apart by ids of this connection's own, and one without an id is that of the
 * oldest. Where nothing at all was heard since a message was sent, it is taken for dead and opened anew.
 */
export function openSocket(url: string, clock: Clock = realClock): Send {
  let socket: WebSocket | undefined
  let nextId = 1
  let heardAt = Number.NEGATIVE_INFINITY
  const waiting = new Set<Waiting>()

  function open(): WebSocket {
    const opened = new WebSocket(url)
    opened.addEventListener('message', ({ data }) => receive(String(data)))
    opened.addEventListener('close', () => drop(opened))
    opened.addEventListener('error', () => drop(opened))
    socket = opened
    return opened
  }

  function drop(lost: WebSocket): void {
    if (socket !== lost) return
    socket = undefined
    lost.close()
    const all = [...waiting]
    waiting.clear()
    for (const one of all) one.reject(new RpcFailure('network'))
  }

  function receive(text: string): void {
    heardAt = clock.now()
    const isWanted = [...waiting].some(({ maxBytes }) => text.length <= maxBytes)
    const answer = isWanted ? parse(text) : undefined
    const id = isWanted ? idOf(answer) : idAtEitherEnd(text)
    const of = [...waiting].find(
      ({ first, count }) => id === undefined || (id >= first && id < first + count),
    )
    if (!of) return
    waiting.delete(of)
    if (text.length > of.maxBytes) of.reject(new RpcFailure('too-large'))
    else if (answer === undefined) of.reject(new RpcFailure('body'))
    else of.resolve(withIds(answer, of.own - of.first))
  }

  function send(to: WebSocket, text: string): void {
    if (to.readyState === WebSocket.OPEN) to.send(text)
    else to.addEventListener('open', () => to.send(text), { once: true })
  }

  return async (body, { maxBytes, timeoutMs }) => {
    const messages: readonly Message[] = Array.isArray(body) ? body : [body as Message]
    const first = nextId
    nextId += messages.length
    const named = messages.map((message, index) => ({ jsonrpc: '2.0', ...message, id: first + index }))
    const { promise, resolve, reject } = Promise.withResolvers<unknown>()
    const one = { first, own: messages[0]?.id ?? 0, count: messages.length, maxBytes, resolve, reject }
    waiting.add(one)
    const sentAt = clock.now()
    const to = socket ?? open()
    const giveUp = () => {
      waiting.delete(one)
      reject(new RpcFailure('timeout'))
      if (heardAt < sentAt) drop(to)
    }
    send(to, JSON.stringify(Array.isArray(body) ? named : named[0]))
    const answered = (late: AbortSignal) => {
      late.addEventListener('abort', giveUp)
      return promise
    }
    return within(timeoutMs, answered, clock)
  }
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

/** Undefined for an answer that belongs to no call, such as the refusal of a whole batch. */
function idOf(answer: unknown): number | undefined {
  const one = Array.isArray(answer) ? answer[0] : answer
  const id = (one as { id?: unknown } | null | undefined)?.id
  return typeof id === 'number' ? id : undefined
}

/**
 * As idOf, unread: an answer larger than anybody wants would take several times its size. A stranger can fill a block so
 * that its receipts are 80 MB.
 */
function idAtEitherEnd(text: string): number | undefined {
  const [, , first] = /^\s*\[?\s*\{\s*("jsonrpc"\s*:\s*"2\.0"\s*,\s*)?"id"\s*:\s*(\d+)/.exec(text) ?? []
  const [, last] =
    /"id"\s*:\s*(\d+)\s*(?:,\s*"jsonrpc"\s*:\s*"2\.0"\s*)?\}\s*\]?\s*$/.exec(text.slice(-200)) ?? []
  return first === undefined && last === undefined ? undefined : Number(first ?? last)
}

function withIds(answer: unknown, shift: number): unknown {
  if (Array.isArray(answer)) return answer.map((one) => withIds(one, shift))
  const { id } = (answer ?? {}) as { id?: unknown }
  return typeof id === 'number' ? { ...(answer as object), id: id + shift } : answer
}
