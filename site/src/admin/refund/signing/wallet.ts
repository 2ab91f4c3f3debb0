import type { Address, Hash, Hex } from 'viem'
import { register } from '../../../../../core/chain/register.ts'
import { encodeApprove } from '../../../../../core/refund/register-calls.ts'
import { type Eip1193, rpcCode } from '../../../wallet/eip1193.ts'
import { encodeBalanceOf, encodeTransfer, transferGas } from '../../../wallet/transfer.ts'
import { encodeAllowance } from './encode.ts'
import type { Outcome, Terms } from './types.ts'

/** JSON-RPC calls to the wallet's provider. */
const hex = (value: bigint | number): Hex => `0x${value.toString(16)}`

const ask = <T>(provider: Eip1193, method: string, params: readonly unknown[] = []): Promise<T> =>
  provider.request({ method, params }) as Promise<T>

export const readChainId = async (provider: Eip1193): Promise<number> =>
  Number(await ask<Hex>(provider, 'eth_chainId'))

export const readAccounts = (provider: Eip1193): Promise<Address[]> => ask(provider, 'eth_accounts')

/** The wallet's next nonce, pending transactions included. */
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

export const readCode = (provider: Eip1193, address: Address): Promise<Hex> =>
  ask(provider, 'eth_getCode', [address, 'latest'])

async function readWord(provider: Eip1193, to: Address, data: Hex): Promise<bigint> {
  const answer = await ask<Hex>(provider, 'eth_call', [{ to, data }, 'latest'])
  if (!/^0x[0-9a-f]{64}/i.test(answer)) throw new TypeError('the token gave no number')
  return BigInt(answer.slice(0, 66))
}

/** The gas limit of a call, below the chain's own limit for a transaction. */
const maxCallGas = 12_000_000n

/** A gas limit with a margin; undefined for a call that would fail or needs too much. */
export async function callGas(
  provider: Eip1193,
  call: { from: Address; to: Address; data: Hex },
): Promise<Hex | undefined> {
  const answer = await ask<unknown>(provider, 'eth_estimateGas', [call]).catch(() => undefined)
  const gas = typeof answer === 'string' ? BigInt(answer) : undefined
  if (gas === undefined || gas > maxCallGas) return undefined
  const wanted = (gas * 11n) / 10n
  return hex(wanted < maxCallGas ? wanted : maxCallGas)
}

type Sending = { from: Address; to: Address; data: Hex; gas?: Hex; nonce: number }

/**
 * Asks the wallet to send. The nonce is fixed, so that a request answered after the wait has ended cannot be
 * mined beside the one that replaced it.
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
    // Any other code may come after the transaction was sent.
    return rpcCode(error) === 4001 ? { kind: 'rejected' } : { kind: 'unknown', error }
  }
}

/** One refund by docs/spec.md: a transfer with a gas limit of 90,000. */
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

/** Sets what `spender` may take of the token; 0 takes it back. */
export const approve = (
  provider: Eip1193,
  {
    wallet,
    token,
    spender,
    nonce,
    units,
  }: { wallet: Address; token: Address; spender: Address; nonce: number; units: bigint },
): Promise<Outcome> =>
  sendTransaction(provider, {
    ...{ from: wallet, to: token, data: encodeApprove(spender, units), gas: transferGas },
    nonce,
  })

/** Sets what the register may take to 0, and waits until it is so. */
export async function takeBackAllowance(
  provider: Eip1193,
  { wallet, token }: Terms,
  timing: { everyMs?: number } = {},
): Promise<Outcome> {
  const nonce = await readNonce(provider, wallet)
  const outcome = await approve(provider, { wallet, token, spender: register.address, nonce, units: 0n })
  if (outcome.kind === 'sent') await waitForBlock(provider, outcome.hash, timing)
  return outcome
}

/**
 * Uses up the nonces from the wallet's next one to `bound` with transactions that move nothing, so that a
 * refund request without an answer can no longer be mined. Returns how many were sent; stops at the first
 * that was not.
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

/** Waits until a transaction is in a block, or for the deadline: what it has done has to be read again. */
export async function waitForBlock(
  provider: Eip1193,
  hash: Hash,
  { timeoutMs = 120_000, everyMs = 1_000 } = {},
): Promise<void> {
  for (const end = Date.now() + timeoutMs; Date.now() < end; ) {
    if (await ask(provider, 'eth_getTransactionReceipt', [hash]).catch(() => null)) return
    await new Promise((resolve) => setTimeout(resolve, everyMs))
  }
}
