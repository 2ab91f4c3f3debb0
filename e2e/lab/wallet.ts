import { randomUUID } from 'node:crypto'
import type { BrowserContext } from 'playwright-core'
import type { Address } from 'viem'
import { rpc } from '../../infra/local/rpc.ts'
import type { Call, Manner } from './manners.ts'

/** An error may be anything; it is thrown in the page as it is. */
type Reply = { result: unknown } | { error: unknown }
type WalletRequest = { method: string; params: unknown }

type Options = {
  /** Anvil signs for them; none stands for a wallet without accounts. */
  accounts: readonly Address[]
  rpcUrl: string
  chainId?: number
  /** What it does instead of answering well. */
  manner?: Manner
}
/** What a wallet passes on to its node. */
const questions = [
  ...['eth_call', 'eth_estimateGas', 'eth_gasPrice', 'eth_getBalance', 'eth_getCode'],
  ...['eth_getTransactionCount', 'eth_getTransactionReceipt', 'eth_getBlockByNumber', 'eth_getLogs'],
]

/** The page sees an EIP-1193 provider, the answers come from here, and a real chain takes the transactions. */
export function createWallet({ rpcUrl, ...options }: Options) {
  const id = randomUUID()
  const requests: WalletRequest[] = []
  const holds = new Map<string, { after: number; most: number; gate: Promise<void> }>()
  const contexts = new Set<BrowserContext>()
  let { accounts, chainId = 56 } = options
  const { manner = {} } = options
  let lost: ((hash: string) => void) | undefined
  let answersBefore = 0

  const world: Call['world'] = {
    isAdded: false,
    get chain() {
      return `0x${chainId.toString(16)}`
    },
  }

  const unlessLost = (hash: string, result: unknown): unknown => {
    if (!lost || answersBefore-- > 0) return result
    lost(hash)
    lost = undefined
    return new Promise(() => undefined)
  }

  const answer = async ({ method, params }: WalletRequest): Promise<unknown> => {
    if (questions.includes(method)) return rpc(rpcUrl, method, params as unknown[])
    switch (method) {
      case 'eth_requestAccounts':
      case 'eth_accounts':
        return accounts
      case 'eth_chainId':
        return world.chain
      case 'wallet_switchEthereumChain':
        return setChain(Number((params as { chainId: string }[])[0]?.chainId)).then(() => null)
      case 'wallet_addEthereumChain':
        world.isAdded = true
        return setChain(56).then(() => null)
      case 'personal_sign':
        return rpc(rpcUrl, method, params as unknown[])
      case 'eth_sendTransaction': {
        const hash = await rpc<string>(rpcUrl, method, params as unknown[])
        return unlessLost(hash, hash)
      }
      default:
        throw { code: -32601, message: `The method ${method} does not exist.` }
    }
  }

  const handle = async (_source: unknown, from: string, request: WalletRequest): Promise<Reply> => {
    if (from !== id) throw new Error('Another wallet was asked.')
    const times = requests.filter(({ method }) => method === request.method).length
    requests.push(request)
    const hold = holds.get(request.method)
    if (hold && hold.after-- <= 0 && hold.most-- > 0) await hold.gate
    const usual = () =>
      answer(request).catch((error) => {
        throw error instanceof Error ? { code: -32603, message: error.message } : error
      })
    const own = manner[request.method]
    try {
      return { result: await (own ? own({ world, usual, times }) : usual()) }
    } catch (error) {
      return { error }
    }
  }

  const emit = async (event: string, value: unknown): Promise<void> => {
    const pages = [...contexts].flatMap((context) => context.pages())
    const emit = ([to, name, detail]: readonly [string, string, unknown]) =>
      window.dispatchEvent(new CustomEvent(`test-wallet:${to}:${name}`, { detail }))
    await Promise.all(pages.map((page) => page.evaluate(emit, [id, event, value] as const)))
  }
  const setChain = async (wanted: number): Promise<void> => {
    if (chainId === wanted) return
    chainId = wanted
    const usual = () => world.chain
    const { chainChanged = usual } = manner
    await emit('chainChanged', chainChanged({ world, usual, times: 0 }))
  }

  return {
    /** Everything the page asked for, in order. */
    requests,
    methods: () => requests.map(({ method }) => method).filter((method) => !questions.includes(method)),
    sent: () =>
      requests
        .filter(({ method }) => method === 'eth_sendTransaction')
        .map(({ params }) => (params as Record<string, string>[])[0] ?? {}),
    /** Requests of this method wait, `after` so many, until the answer is called; at most so many of them. */
    hold: (method: string, after = 0, most = Number.POSITIVE_INFINITY) => {
      const gate = Promise.withResolvers<void>()
      holds.set(method, { after, most, gate: gate.promise })
      return () => {
        holds.delete(method)
        gate.resolve()
      }
    },
    /** The next transaction, after `skip` more, is sent without an answer to the page. Resolves with its hash. */
    loseAnswer: (skip: number): Promise<string> => {
      answersBefore = skip
      const { promise, resolve } = Promise.withResolvers<string>()
      lost = resolve
      return promise
    },
    /** As if its holder had chosen another network. */
    setChain,
    setAccounts: async (now: readonly Address[]) => {
      accounts = now
      await emit('accountsChanged', now)
    },
    install: async (context: BrowserContext) => {
      contexts.add(context)
      context.once('close', () => contexts.delete(context))
      const bridge = `testWallet_${id.replaceAll('-', '')}`
      await context.exposeBinding(bridge, handle)
      await context.addInitScript(inPage, { id, bridge })
    },
  }
}

/** Runs in the page before its own scripts. */
function inPage(own: { id: string; bridge: string }): void {
  type Call = { method: string; params?: unknown }
  const ask = (window as never as Record<string, (id: string, call: Call) => Promise<Reply>>)[own.bridge]
  const wrappers = new Map<unknown, EventListener>()
  const eventName = (event: string) => `test-wallet:${own.id}:${event}`
  const provider = {
    request: async ({ method, params }: Call) => {
      const reply = await ask?.(own.id, { method, params })
      if (reply && 'error' in reply) throw reply.error
      return reply?.result
    },
    on: (event: string, listener: (value: unknown) => void) => {
      const wrapped: EventListener = (message) => listener((message as CustomEvent).detail)
      wrappers.set(listener, wrapped)
      window.addEventListener(eventName(event), wrapped)
    },
    removeListener: (event: string, listener: (value: unknown) => void) => {
      const wrapped = wrappers.get(listener)
      if (wrapped) window.removeEventListener(eventName(event), wrapped)
    },
  }
  const info = { uuid: own.id, name: 'MetaMask', rdns: 'io.metamask', icon: 'data:image/svg+xml,<svg/>' }
  const announce = () =>
    window.dispatchEvent(
      new CustomEvent('eip6963:announceProvider', { detail: Object.freeze({ info, provider }) }),
    )
  window.addEventListener('eip6963:requestProvider', announce)
  announce()
}
