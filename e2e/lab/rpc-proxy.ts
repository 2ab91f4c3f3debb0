import { json, passOn, post, type RpcCall, serveRpc } from './hook-rpc.ts'
import { type Fault, faultOf, type Head, type RpcFault } from './rpc-faults.ts'

export { keptBlocks } from './rpc-faults.ts'
export type RpcProxy = Awaited<ReturnType<typeof startRpcProxy>>

/** A proxy before a node that fails as set; everything else goes through. */
export async function startRpcProxy(upstream: string) {
  let faults: Fault[] = []
  let counts = new Map<string, number>()
  let requests = 0
  const hanging = counter()
  let head: Head | undefined
  const heightOf = async (tag: string) =>
    ((await passOn(upstream, 'eth_getBlockByNumber', [tag, false])) as { number: string }).number

  const note = ({ method }: RpcCall) => counts.set(method, (counts.get(method) ?? 0) + 1)

  const server = serveRpc(
    async (call) => {
      note(call)
      head ??= { latest: await heightOf('latest'), finalized: await heightOf('finalized') }
      const now = head
      for (const { answer } of faults) {
        const early = answer?.(call, now)
        if (early) return early.result
      }
      const params = faults.reduce(
        (asked, { ask }) => ask?.({ ...call, params: asked }, now) ?? asked,
        call.params,
      )
      return faults.reduce(
        (told, { twist }) => (twist && told && typeof told === 'object' ? twist(told, call, now) : told),
        await passOn(upstream, call.method, params),
      )
    },
    async (body, text) => {
      const index = requests++
      if (faults.length === 0) {
        for (const call of [body].flat()) note(call)
        return new Response(await (await post(upstream, text)).arrayBuffer(), json)
      }
      for (const { request } of faults) {
        const broken = request?.(body, index)
        if (broken) return broken
      }
      if (!faults.some(({ hangs }) => hangs?.(body))) return undefined
      hanging.add()
      return new Promise<never>(() => undefined)
    },
  )
  return {
    ...server,
    /** From now on these faults and no others. */
    set: (...next: RpcFault[]) => {
      faults = next.map(faultOf)
      counts = new Map()
      requests = 0
      hanging.clear()
      head = undefined
    },
    /** How often a method was asked since the last `set`. */
    asked: (method: string) => counts.get(method) ?? 0,
    /** HTTP requests since the last `set`, answered or not. */
    requests: () => requests,
    /** How many requests were taken and left without an answer since the last `set`; resolves once there are so many. */
    hung: hanging.count,
    hangs: hanging.reaches,
  }
}

/** Counts, and tells when it has come so far. */
function counter() {
  let count = 0
  let waiting: { for: number; resolve: () => void }[] = []
  return {
    add: () => {
      count++
      for (const one of waiting) if (one.for <= count) one.resolve()
      waiting = waiting.filter((one) => one.for > count)
    },
    clear: () => {
      count = 0
    },
    count: () => count,
    reaches: (least: number) =>
      new Promise<void>((resolve) => {
        if (count >= least) resolve()
        else waiting.push({ for: least, resolve })
      }),
  }
}
