import type { ServerWebSocket } from 'bun'

type Call = { id: number | string; method: string; params: Record<string, unknown> }
type Peer = { topics: Set<string> }

/**
 * A relay of WalletConnect on this machine: hands sealed messages from one peer to the others of a topic, and
 * keeps them for those who come later.
 */
export function startWalletRelay() {
  const peers = new Set<ServerWebSocket<Peer>>()
  const kept = new Map<string, string[]>()
  let next = 1

  const send = (peer: ServerWebSocket<Peer>, topic: string, message: string) => {
    const data = { topic, message, publishedAt: Date.now(), tag: 0 }
    const params = { id: topic, data }
    peer.send(JSON.stringify({ id: next++, jsonrpc: '2.0', method: 'irn_subscription', params }))
  }
  const publish = (from: ServerWebSocket<Peer>, topic: unknown, message: unknown) => {
    if (typeof topic !== 'string' || typeof message !== 'string') return
    const readers = [...peers].filter((peer) => peer !== from && peer.data.topics.has(topic))
    for (const peer of readers) send(peer, topic, message)
    if (readers.length === 0) kept.set(topic, [...(kept.get(topic) ?? []), message])
  }
  const subscribe = (peer: ServerWebSocket<Peer>, topics: unknown[]) => {
    for (const topic of topics.map(String)) {
      peer.data.topics.add(topic)
      for (const message of kept.get(topic) ?? []) send(peer, topic, message)
      kept.delete(topic)
    }
    return topics
  }
  const answer = (peer: ServerWebSocket<Peer>, { method, params }: Call): unknown => {
    switch (method) {
      case 'irn_subscribe':
        return subscribe(peer, [params.topic])[0]
      case 'irn_batchSubscribe':
        return subscribe(peer, params.topics as string[])
      case 'irn_publish':
        return publish(peer, params.topic, params.message) ?? true
      case 'irn_batchFetchMessages':
        return { messages: [], hasMore: false }
      case 'wc_proposeSession':
        subscribe(peer, [params.pairingTopic])
        return publish(peer, params.pairingTopic, params.sessionProposal) ?? true
      case 'wc_approveSession':
        subscribe(peer, [params.sessionTopic])
        publish(peer, params.pairingTopic, params.sessionProposalResponse)
        return publish(peer, params.sessionTopic, params.sessionSettlementRequest) ?? true
      default:
        return true
    }
  }

  const server = Bun.serve<Peer>({
    port: 0,
    fetch: (request, own) =>
      own.upgrade(request, { data: { topics: new Set() } }) ? undefined : new Response(null, { status: 400 }),
    websocket: {
      open: (peer) => void peers.add(peer),
      close: (peer) => void peers.delete(peer),
      message: (peer, text) => {
        const call = JSON.parse(String(text)) as Call
        if (!call.method) return // an answer to one of ours
        peer.send(JSON.stringify({ id: call.id, jsonrpc: '2.0', result: answer(peer, call) }))
      },
    },
  })
  return { url: `ws://127.0.0.1:${server.port}`, stop: () => server.stop(true) }
}
