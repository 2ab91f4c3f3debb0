import type { Address, Hash, Hex } from 'viem'
import { type Eip1193, rpcCode } from '../../../wallet/eip1193.ts'
import { encodeTransfer } from '../../../wallet/transfer.ts'
import type { Terms } from './types.ts'

/** EIP-5792: many calls with one signature, all of them or none. */
type Call = { to: Address; data: Hex }

/** Codes of a wallet that cannot batch and has sent nothing: rows may go one by one. 4001 is not one. */
const cannotBatch = new Set([-32601, -32602, 4200, 5700, 5710, 5750, 5760])
const tooLarge = 5740

export type BatchOutcome =
  | { kind: 'accepted'; id: string }
  | { kind: 'rejected' }
  | { kind: 'unsupported' }
  | { kind: 'too-large' }
  | { kind: 'unknown'; error: unknown }

/** True when the wallet can send many calls as one transaction on this chain, if need be after an upgrade. */
export async function canBatch(provider: Eip1193, wallet: Address, chainId: number): Promise<boolean> {
  const id = `0x${chainId.toString(16)}`
  try {
    const all = (await provider.request({
      method: 'wallet_getCapabilities',
      params: [wallet, [id]],
    })) as Record<string, { atomic?: { status?: unknown } } | undefined> | null
    const status = all?.[id]?.atomic?.status
    return status === 'supported' || status === 'ready'
  } catch {
    return false
  }
}

/** Each payment a transfer of its own. */
export const sendBatch = (
  provider: Eip1193,
  { rows, ...terms }: Terms & { rows: readonly { to: Address; units: bigint }[] },
): Promise<BatchOutcome> =>
  sendCalls(
    provider,
    terms,
    rows.map(({ to, units }) => ({ to: terms.token, data: encodeTransfer(to, units) })),
  )

/** Hands a batch to the wallet. Only this call shows whether something was sent; a status query does not. */
export async function sendCalls(
  provider: Eip1193,
  { wallet, chainId }: Terms,
  batch: readonly Call[],
): Promise<BatchOutcome> {
  const calls = batch.map((call) => ({ ...call, value: '0x0' }))
  const request = {
    ...{ version: '2.0.0', from: wallet, chainId: `0x${chainId.toString(16)}` },
    ...{ atomicRequired: true, calls },
  }
  try {
    const answer = (await provider.request({ method: 'wallet_sendCalls', params: [request] })) as
      | { id?: unknown }
      | string
      | null
    const id = typeof answer === 'string' ? answer : answer?.id
    return typeof id === 'string'
      ? { kind: 'accepted', id }
      : { kind: 'unknown', error: new TypeError('the wallet answered no id') }
  } catch (error) {
    const code = rpcCode(error)
    if (code === 4001) return { kind: 'rejected' }
    if (code === tooLarge) return calls.length > 1 ? { kind: 'too-large' } : { kind: 'unsupported' }
    if (code !== undefined && cannotBatch.has(code)) return { kind: 'unsupported' }
    return { kind: 'unknown', error }
  }
}

type Status = { status?: unknown; receipts?: { transactionHash?: Hex }[] | null }

/**
 * The transaction of a batch that the wallet accepted; undefined while it is unknown, and also when the
 * wallet does not answer. Undefined does not mean that nothing was paid.
 */
export async function findBatch(
  provider: Eip1193,
  id: string,
  { timeoutMs = 60_000, everyMs = 1_000 } = {},
): Promise<Hash | undefined> {
  for (const end = Date.now() + timeoutMs; ; ) {
    const status = (await provider
      .request({ method: 'wallet_getCallsStatus', params: [id] })
      .catch(() => undefined)) as Status | undefined
    if (!status) return undefined
    const hash = status.receipts?.at(-1)?.transactionHash
    if (typeof hash === 'string') return hash.toLowerCase() as Hash
    if ((typeof status.status === 'number' && status.status >= 300) || Date.now() > end) return undefined
    await new Promise((resolve) => setTimeout(resolve, everyMs))
  }
}
