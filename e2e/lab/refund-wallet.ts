import { type Address, type Hash, type Hex, numberToHex } from 'viem'
import { rpc } from '../../infra/local/rpc.ts'
import { usdt, usdtGas } from './usdt.ts'

/** What a call of the register may take. */
const callGas = numberToHex(12_000_000)

type Call = { to: Address; data: Hex }
type Request = { method: string; params?: unknown }
/** How the wallet takes the next request that asks for a signature. */
export type Manner = 'sign' | 'reject' | 'lose' | 'hang' | { code: number } | { until: Promise<unknown> }

type Options = {
  url: string
  account: Address
  chainId?: number
  /** Answers `wallet_getCapabilities` and takes calls in batches of at most so many. */
  batch?: { max: number; status?: 'supported' | 'ready' | 'unsupported'; knowsStatus?: boolean }
  /** As MetaMask does: the nonce that the page names is ignored. */
  picksNonces?: boolean
}

/**
 * A wallet of a test's own, without a browser: an EIP-1193 provider in front of a real chain that signs, rejects,
 * loses its answer or hangs as the test says. `signatures` counts what its user was asked.
 */
export function scriptedWallet({ url, account, chainId = 56, batch, picksNonces = false }: Options) {
  const manners: Manner[] = []
  const requests: Request[] = []
  const bundles = new Map<string, Hash[]>()
  let accounts: Address[] = [account]
  let signatures = 0
  let onSent: () => Promise<unknown> = () => rpc(url, 'anvil_mine', ['0x1'])

  async function signed(act: () => Promise<unknown>): Promise<unknown> {
    signatures++
    const manner = manners.shift() ?? 'sign'
    if (manner === 'reject') throw { code: 4001, message: 'User rejected the request.' }
    if (manner === 'hang') return new Promise(() => undefined)
    if (typeof manner === 'object' && 'until' in manner) await manner.until
    else if (typeof manner === 'object') throw { code: manner.code, message: 'The wallet refuses.' }
    const answer = await act()
    await onSent()
    if (manner === 'lose') throw { code: -32603, message: 'The connection was lost.' }
    return answer
  }
  const send = (transaction: Record<string, unknown>): Promise<Hash> =>
    rpc(url, 'eth_sendTransaction', [{ gasPrice: '0x3b9aca00', ...transaction }])

  async function sendCalls(calls: readonly Call[]): Promise<unknown> {
    const nonce = Number(await rpc<Hex>(url, 'eth_getTransactionCount', [account, 'pending']))
    const hashes: Hash[] = []
    for (const [index, { to, data }] of calls.entries()) {
      const gas = to.toLowerCase() === usdt ? usdtGas : callGas
      hashes.push(await send({ from: account, to, data, gas, nonce: numberToHex(nonce + index) }))
    }
    const id = `0x${(bundles.size + 1).toString(16).padStart(64, '0')}`
    bundles.set(id, hashes)
    return { id }
  }

  const answer = async ({ method, params }: Request): Promise<unknown> => {
    const [first] = (params ?? []) as [never]
    switch (method) {
      case 'eth_accounts':
      case 'eth_requestAccounts':
        return accounts
      case 'eth_chainId':
        return numberToHex(chainId)
      case 'eth_sendTransaction':
        return signed(() => send(picksNonces ? withoutNonce(first) : first))
      case 'wallet_getCapabilities':
        if (!batch) break
        return { [numberToHex(chainId)]: { atomic: { status: batch.status ?? 'supported' } } }
      case 'wallet_sendCalls': {
        if (!batch) break
        const { calls } = first as { calls: Call[] }
        if (calls.length > batch.max) throw { code: 5740, message: 'The bundle is too large.' }
        return signed(() => sendCalls(calls))
      }
      case 'wallet_getCallsStatus': {
        if (!batch || batch.knowsStatus === false) break
        const hashes = bundles.get(first) ?? []
        return { status: 200, receipts: hashes.map((transactionHash) => ({ transactionHash })) }
      }
      default:
        return rpc(url, method, (params ?? []) as unknown[])
    }
    throw { code: -32601, message: `The method ${method} does not exist.` }
  }

  return {
    provider: {
      request: (request: Request): Promise<unknown> => {
        requests.push(request)
        return answer(request)
      },
    },
    requests,
    /** The next requests for a signature are taken so; after that all are signed. */
    next: (...more: Manner[]) => void manners.push(...more),
    signatures: () => signatures,
    switchAccount: (to: Address) => {
      accounts = [to]
    },
    /** What happens after each transaction: a block, unless the test says otherwise. */
    afterSending: (act: () => Promise<unknown>) => {
      onSent = act
    },
  }
}

function withoutNonce({ nonce: _, ...transaction }: Record<string, unknown>): Record<string, unknown> {
  return transaction
}
