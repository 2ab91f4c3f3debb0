import { randomUUID } from 'node:crypto'
import type { BrowserContext } from 'playwright-core'
import { type Address, numberToHex } from 'viem'
import { rpc } from '../../infra/local/rpc.ts'
import { usdt, usdtGas } from './usdt.ts'

/** An error as a wallet gives it; it travels as data and is thrown in the page. */
type WalletError = { code: number; message: string; data?: unknown }
type Reply = { result: unknown } | { error: WalletError }
export type WalletRequest = { method: string; params: unknown }

type Options = {
  /** Anvil signs for them; none stands for a wallet without accounts. */
  accounts: readonly Address[]
  rpcUrl: string
  name?: string
  rdns?: string
  /** Announced by EIP-6963, or only there as `window.ethereum`. */
  found?: 'announced' | 'legacy'
  chainId?: number
  /** False: switching to BNB Smart Chain is refused with 4902 until it was added. */
  knowsBsc?: boolean
  /** How the refusal looks: at the top, or inside an error -32603 as on phones. */
  refusal?: 'plain' | 'nested'
  /** False: adding a chain does not switch to it. */
  addSwitches?: boolean
  /** Takes calls in batches of at most so many (EIP-5792). */
  batch?: number
  /** As MetaMask does: the nonce that the page names is ignored. */
  picksNonces?: boolean
}
/** What a call that is no plain transfer may take. */
const callGas = numberToHex(12_000_000)

type Call = { to: Address; data: string }

/** What a wallet passes on to its node. */
const questions = [
  ...['eth_call', 'eth_estimateGas', 'eth_gasPrice', 'eth_getBalance', 'eth_getCode'],
  ...['eth_getTransactionCount', 'eth_getTransactionReceipt', 'eth_getBlockByNumber', 'eth_getLogs'],
]

export type TestWallet = {
  /** Everything the page asked for, in order. */
  requests: WalletRequest[]
  sent: () => Record<string, string>[]
  methods: () => string[]
  /** The next request of this method is refused. */
  refuse: (method: string, error?: WalletError) => void
  /** Requests of this method wait, `after` so many, until the answer is called; at most so many of them. */
  hold: (method: string, after?: number, most?: number) => () => void
  /** The next transaction or batch, after `skip` more, is sent without an answer to the page. Resolves with its hash. */
  loseAnswer: (skip?: number) => Promise<string>
  setAccounts: (accounts: readonly Address[]) => Promise<void>
  setChain: (chainId: number) => Promise<void>
  install: (context: BrowserContext) => Promise<void>
}

const rejection: WalletError = { code: 4001, message: 'User rejected the request.' }

/**
 * A browser wallet under the test's control: the page sees an EIP-1193 provider, the answers come from here,
 * and a real chain takes the transactions. Not headless-web3-provider: it knows no 4902 and no name of its own.
 */
export function createWallet(options: Options): TestWallet {
  const { rpcUrl, refusal = 'plain', addSwitches = true, batch } = options
  const bundles = new Map<string, string[]>()
  const id = randomUUID()
  const requests: WalletRequest[] = []
  const refusals = new Map<string, WalletError>()
  const holds = new Map<string, { after: number; most: number; gate: Promise<void> }>()
  const contexts = new Set<BrowserContext>()
  let { accounts, chainId = 56, knowsBsc = true } = options
  let lost: ((hash: string) => void) | undefined
  let answersBefore = 0

  const unknownMethod = (method: string): WalletError => ({
    code: -32601,
    message: `The method ${method} does not exist.`,
  })
  const unknownChain = (): WalletError => {
    const error = { code: 4902, message: 'Unrecognized chain ID "0x38".' }
    if (refusal === 'plain') return error
    return { code: -32603, message: 'Internal JSON-RPC error.', data: { originalError: error } }
  }

  const unlessLost = (hash: string, result: unknown): unknown => {
    if (!lost || answersBefore-- > 0) return result
    lost(hash)
    lost = undefined
    return new Promise(() => undefined)
  }

  /** One transaction for each call, as far as the chain can see. */
  const sendCalls = async ({ from, calls }: { from: Address; calls: Call[] }): Promise<unknown> => {
    if (calls.length > (batch ?? 0)) throw { code: 5740, message: 'The bundle is too large.' }
    const hashes: string[] = []
    for (const { to, data } of calls) {
      const gas = to.toLowerCase() === usdt ? usdtGas : callGas
      hashes.push(await rpc<string>(rpcUrl, 'eth_sendTransaction', [{ from, to, data, gas }]))
    }
    const bundle = `0x${(bundles.size + 1).toString(16).padStart(64, '0')}`
    bundles.set(bundle, hashes)
    return unlessLost(hashes.at(-1) ?? '', { id: bundle })
  }

  const answerBatch = async ({ method, params }: WalletRequest): Promise<unknown> => {
    const [first] = params as [never]
    switch (method) {
      case 'wallet_getCapabilities':
        return { [`0x${chainId.toString(16)}`]: { atomic: { status: 'supported' } } }
      case 'wallet_sendCalls':
        return sendCalls(first)
      default:
        return {
          status: 200,
          receipts: bundles.get(first)?.map((transactionHash) => ({ transactionHash })),
        }
    }
  }

  const answer = async (request: WalletRequest): Promise<unknown> => {
    const { method, params } = request
    if (questions.includes(method)) return rpc(rpcUrl, method, params as unknown[])
    switch (method) {
      case 'eth_requestAccounts':
      case 'eth_accounts':
        return accounts
      case 'eth_chainId':
        return `0x${chainId.toString(16)}`
      case 'wallet_switchEthereumChain': {
        const wanted = Number((params as { chainId: string }[])[0]?.chainId)
        if (wanted === 56 && !knowsBsc) throw unknownChain()
        return setChain(wanted).then(() => null)
      }
      case 'wallet_addEthereumChain':
        knowsBsc = true
        if (addSwitches) await setChain(56)
        return null
      case 'personal_sign':
        return rpc(rpcUrl, method, params as unknown[])
      case 'eth_sendTransaction': {
        const [{ nonce, ...transaction }] = params as [Record<string, string>]
        const named = nonce !== undefined && !options.picksNonces ? { nonce } : {}
        const hash = await rpc<string>(rpcUrl, method, [{ ...transaction, ...named }])
        return unlessLost(hash, hash)
      }
      case 'wallet_getCapabilities':
      case 'wallet_sendCalls':
      case 'wallet_getCallsStatus':
        if (batch) return answerBatch(request)
        throw unknownMethod(method)
      default:
        throw unknownMethod(method)
    }
  }

  const handle = async (_source: unknown, from: string, request: WalletRequest): Promise<Reply> => {
    if (from !== id) throw new Error('Another wallet was asked.')
    requests.push(request)
    const hold = holds.get(request.method)
    if (hold && hold.after-- <= 0 && hold.most-- > 0) await hold.gate
    const refused = refusals.get(request.method)
    refusals.delete(request.method)
    if (refused) return { error: refused }
    try {
      return { result: await answer(request) }
    } catch (error) {
      if (error instanceof Error) return { error: { code: -32603, message: error.message } }
      return { error: error as WalletError }
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
    await emit('chainChanged', `0x${wanted.toString(16)}`)
  }

  return {
    requests,
    methods: () => requests.map(({ method }) => method).filter((method) => !questions.includes(method)),
    sent: () =>
      requests
        .filter(({ method }) => method === 'eth_sendTransaction')
        .map(({ params }) => (params as Record<string, string>[])[0] ?? {}),
    refuse: (method, error = rejection) => void refusals.set(method, error),
    hold: (method, after = 0, most = Number.POSITIVE_INFINITY) => {
      const gate = Promise.withResolvers<void>()
      holds.set(method, { after, most, gate: gate.promise })
      return () => {
        holds.delete(method)
        gate.resolve()
      }
    },
    loseAnswer: (skip = 0) => {
      answersBefore = skip
      const { promise, resolve } = Promise.withResolvers<string>()
      lost = resolve
      return promise
    },
    setAccounts: async (now) => {
      accounts = now
      await emit('accountsChanged', now)
    },
    setChain,
    install: async (context) => {
      contexts.add(context)
      context.once('close', () => contexts.delete(context))
      const bridge = `testWallet_${id.replaceAll('-', '')}`
      await context.exposeBinding(bridge, handle)
      const { name = 'MetaMask', rdns = 'io.metamask', found = 'announced' } = options
      await context.addInitScript(inPage, { id, bridge, name, rdns, found })
    },
  }
}

/** Runs in the page before its own scripts. */
function inPage(own: { id: string; bridge: string; name: string; rdns: string; found: string }): void {
  type Call = { method: string; params?: unknown }
  const ask = (window as never as Record<string, (id: string, call: Call) => Promise<Reply>>)[own.bridge]
  const wrappers = new Map<unknown, EventListener>()
  const eventName = (event: string) => `test-wallet:${own.id}:${event}`
  const provider = {
    request: async ({ method, params }: Call) => {
      const reply = await ask?.(own.id, { method, params })
      if (reply && 'error' in reply) throw Object.assign(new Error(reply.error.message), reply.error)
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
  if (own.found === 'legacy') {
    Object.assign(window, { ethereum: provider })
    return
  }
  const info = { uuid: own.id, name: own.name, rdns: own.rdns, icon: 'data:image/svg+xml,<svg/>' }
  const announce = () =>
    window.dispatchEvent(
      new CustomEvent('eip6963:announceProvider', { detail: Object.freeze({ info, provider }) }),
    )
  window.addEventListener('eip6963:requestProvider', announce)
  announce()
}
