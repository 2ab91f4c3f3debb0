import { type Address, encodeFunctionData, type Hash, type Hex, numberToHex } from 'viem'
import { register, registerAbi } from '../../../../core/chain/register.ts'
import { RaffleError } from '../../../../core/errors.ts'
import { unitsOf } from '../../../../core/money.ts'
import { registerRefundWallet } from '../../../../db/refund/refund-wallets.ts'
import { listWaivable } from '../../../../db/refund/waivable.ts'
import { callData } from '../../../lab/contracts.ts'
import { approveData, mintData, transfersBetween, usdt } from '../../../lab/usdt.ts'
import { wallets } from '../simulated-chain.ts'
import type { World } from '../world.ts'

/** A transaction that a wallet has signed: it can be mined as long as its nonce is free, whoever hands it in. */
export type Signed = { from: Address; to: Address; data: Hex; nonce: number; hash: Hash }
/** The wallet that was paid, and another one that only refunds. */
export const payingWallets = [wallets[0], wallets[1]] as const

const plenty = unitsOf(100_000_00)

/** Both have more than is owed, so that no double payment fails for lack of money, and have allowed both contracts. */
export async function fundWallets(world: World): Promise<void> {
  for (const wallet of payingWallets) {
    await world.submit(world.stranger, usdt, mintData(wallet, plenty))
    for (const spender of [register.address, world.mover])
      await world.submit(wallet, usdt, approveData(spender))
  }
  await world.mineBlock()
  await world.db.transaction((tx) => registerRefundWallet(tx, payingWallets[1]))
}

export const nonceOf = async (world: World, wallet: Address, block: 'latest' | 'pending'): Promise<number> =>
  Number(await world.ask<Hex>('eth_getTransactionCount', wallet, block))

/** Undefined where a node refuses it: its nonce is used. */
export async function send(world: World, call: Omit<Signed, 'hash'>): Promise<Signed | undefined> {
  const { from, to, data, nonce } = call
  const request = { from, to, data, nonce: numberToHex(nonce), gas: '0x2dc6c0', gasPrice: '0x3b9aca00' }
  const hash = await world.ask<Hash>('eth_sendTransaction', request).catch(() => undefined)
  return hash && { ...call, hash }
}

/** Many transfers in one transaction, as an account with a delegation makes them. */
export const transfersData = (from: Address, rows: readonly { to: Address; units: bigint }[]): Hex =>
  callData('Mover', 'payFor', [
    rows.map(() => from),
    rows.map(({ to }) => to),
    rows.map(({ units }) => units),
  ])

/** What each payer has got from either wallet, by the chain's logs. */
export async function paidOut(world: World): Promise<Map<Address, bigint>> {
  const sums = new Map<Address, bigint>()
  for (const from of payingWallets)
    for (const { to, units } of await transfersBetween(world.url, { from }))
      sums.set(to, (sums.get(to) ?? 0n) + units)
  return sums
}

/** What each payer has paid since the sale began, by the chain's logs. */
export async function paidIn(world: World): Promise<Map<Address, bigint>> {
  const sums = new Map<Address, bigint>()
  for (const wallet of payingWallets)
    for (const { from, units } of await transfersBetween(world.url, {
      to: wallet,
      fromBlock: world.firstBlock,
    }))
      if (world.accounts.some((account) => account.toLowerCase() === from))
        sums.set(from, (sums.get(from) ?? 0n) + units)
  return sums
}

/** The wallet gives up what it has not paid yet, so that another one may pay it. */
export async function waiveAll(world: World, wallet: Address): Promise<void> {
  const [owed] = await listWaivable(world.db, wallet).catch(unlessUnknown)
  if (!owed) return
  const data = encodeFunctionData({
    abi: registerAbi,
    functionName: 'waive',
    args: [usdt, owed.debtors.map(({ debtor }) => debtor), owed.debtors.map(({ total }) => BigInt(total))],
  })
  const nonce = await nonceOf(world, wallet, 'pending')
  await send(world, { from: wallet, to: register.address, data, nonce })
}

/** The watch does not know all at this moment. */
function unlessUnknown(error: unknown): [] {
  if (!(error instanceof RaffleError)) throw error
  return []
}
