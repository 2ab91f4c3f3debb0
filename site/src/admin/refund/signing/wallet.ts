import type { Address, Hash, Hex } from 'viem'
import { type Eip1193, rpcCode } from '../../../wallet/eip1193.ts'
import { encodeTransfer, transferGas } from '../../../wallet/transfer.ts'
import { encodeAllowance, encodeBalanceOf } from './encode.ts'
import type { Outcome } from './types.ts'

/** Questions and requests to the wallet's provider, each a line of JSON-RPC. */
const hex = (value: bigint | number): Hex => `0x${value.toString(16)}`

const ask = <T>(provider: Eip1193, method: string, params: readonly unknown[] = []): Promise<T> =>
  provider.request({ method, params }) as Promise<T>

export const readChainId = async (provider: Eip1193): Promise<number> =>
  Number(await ask<Hex>(provider, 'eth_chainId'))

export const readAccounts = (provider: Eip1193): Promise<Address[]> => ask(provider, 'eth_accounts')

/** The wallet's next nonce, transactions that wait included. */
export const readNonce = async (provider: Eip1193, wallet: Address): Promise<number> =>
  Number(await ask<Hex>(provider, 'eth_getTransactionCount', [wallet, 'pending']))

export const readBnb = async (provider: Eip1193, wallet: Address): Promise<bigint> =>
  BigInt(await ask<Hex>(provider, 'eth_getBalance', [wallet, 'latest']))

export const readGasPrice = async (provider: Eip1193): Promise<bigint> =>
  BigInt(await ask<Hex>(provider, 'eth_gasPrice'))

export const readUsdt = (provider: Eip1193, token: Address, wallet: Address): Promise<bigint> =>
  readWord(provider, token, encodeBalanceOf(wallet))

export const readAllowance = (
  provider: Eip1193,
  token: Address,
  wallet: Address,
  spender: Address,
): Promise<bigint> => readWord(provider, token, encodeAllowance(wallet, spender))

async function readWord(provider: Eip1193, to: Address, data: Hex): Promise<bigint> {
  const answer = await ask<Hex>(provider, 'eth_call', [{ to, data }, 'latest'])
  if (!/^0x[0-9a-f]{64}/i.test(answer)) throw new TypeError('the token gave no number')
  return BigInt(answer.slice(0, 66))
}

type Sending = { from: Address; to: Address; data: Hex; gas?: Hex; nonce: number }

/**
 * Asks the wallet to send. The nonce is named, so that a request which is answered after all, when nobody waits
 * any longer, cannot be mined beside the one that took its place.
 */
export async function sendTransaction(provider: Eip1193, sending: Sending): Promise<Outcome> {
  const { nonce, gas, ...call } = sending
  const transaction = { ...call, value: '0x0', nonce: hex(nonce), ...(gas && { gas }) }
  try {
    const hash = await ask<unknown>(provider, 'eth_sendTransaction', [transaction])
    if (typeof hash === 'string' && /^0x[0-9a-f]{64}$/i.test(hash))
      return { kind: 'sent', hash: hash.toLowerCase() as Hash }
    return { kind: 'unknown', error: new TypeError('the wallet answered no hash') }
  } catch (error) {
    // Every other code may come after something was sent.
    return rpcCode(error) === 4001 ? { kind: 'rejected' } : { kind: 'unknown', error }
  }
}

/** One refund as docs/spec.md has it: a transfer with a gas limit of 90,000. */
export const sendRefund = (
  provider: Eip1193,
  {
    wallet,
    token,
    to,
    units,
    nonce,
  }: { wallet: Address; token: Address; to: Address; units: bigint; nonce: number },
): Promise<Outcome> =>
  sendTransaction(provider, {
    from: wallet,
    to: token,
    data: encodeTransfer(to, units),
    gas: transferGas,
    nonce,
  })

/**
 * Uses up the numbers from the wallet's next one to `bound` with transactions that move nothing, so that a
 * refund nobody heard of again cannot be mined any more. Answers how many were sent; stops at the first that
 * was not.
 */
export async function freeNonces(provider: Eip1193, wallet: Address, bound: number): Promise<number> {
  let sent = 0
  for (let nonce = await readNonce(provider, wallet); nonce <= bound; nonce++) {
    const outcome = await sendTransaction(provider, {
      ...{ from: wallet, to: wallet, data: '0x', gas: '0x5208' },
      nonce,
    })
    if (outcome.kind !== 'sent') break
    sent++
  }
  return sent
}

/** Waits for a transaction's receipt; undefined when it has not come in time. */
export async function waitForReceipt(
  provider: Eip1193,
  hash: Hash,
  { timeoutMs = 120_000, everyMs = 1_000 } = {},
): Promise<{ isSuccess: boolean } | undefined> {
  for (const end = Date.now() + timeoutMs; Date.now() < end; ) {
    const receipt = await ask<{ status: Hex } | null>(provider, 'eth_getTransactionReceipt', [hash]).catch(
      () => null,
    )
    if (receipt) return { isSuccess: Number(receipt.status) === 1 }
    await new Promise((resolve) => setTimeout(resolve, everyMs))
  }
  return undefined
}
