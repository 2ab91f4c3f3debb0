import { UniversalProvider } from '@walletconnect/universal-provider'
import type { Address } from 'viem'
import { rpc } from '../../infra/local/rpc.ts'

type Options = { relayUrl: string; rpcUrl: string; account: Address }

/** A wallet on another device, that approves everything: it reads a code and signs over the relay. */
export async function openPhoneWallet({ relayUrl, rpcUrl, account }: Options) {
  const metadata = {
    name: 'Pocket',
    description: 'A wallet of the tests',
    url: 'https://pocket.example',
    icons: [],
  }
  const { client } = await UniversalProvider.init({
    projectId: '0123456789abcdef0123456789abcdef',
    relayUrl,
    metadata,
    telemetryEnabled: false,
    storageOptions: { database: ':memory:' },
    logger: 'silent',
  })
  const asked: { method: string; params: unknown }[] = []
  client.on('session_proposal', async ({ id, params }) => {
    const { chains = [], methods, events } = params.optionalNamespaces.eip155 ?? { methods: [], events: [] }
    const accounts = chains.map((chain) => `${chain}:${account}`)
    await client.approve({ id, namespaces: { eip155: { chains, accounts, methods, events } } })
  })
  client.on('session_request', async ({ id, topic, params: { request } }) => {
    asked.push(request)
    const result = await rpc(rpcUrl, request.method, request.params)
    await client.respond({ topic, response: { id, jsonrpc: '2.0', result } })
  })
  return {
    asked,
    scan: (uri: string) => client.pair({ uri }),
    sessions: () => client.session.getAll().length,
    /** Ends all sessions, as a person does in the wallet's settings. */
    leave: () =>
      Promise.all(
        client.session
          .getAll()
          .map(({ topic }) =>
            client.disconnect({ topic, reason: { code: 6000, message: 'User disconnected.' } }),
          ),
      ),
    close: () => client.core.relayer.transportClose(),
  }
}
