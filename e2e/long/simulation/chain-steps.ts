import { type Address, encodeFunctionData, erc20Abi, type Hash, type Hex, keccak256, toHex } from 'viem'
import { register } from '../../../core/chain/register.ts'
import { unitsOf } from '../../../core/money.ts'
import { encodeApprove, encodePayUpTo } from '../../../core/refund/safe-file.ts'
import { getOpenEvent } from '../../../db/event/events.ts'
import { getScanCursor } from '../../../db/event/sale.ts'
import { getBook } from '../../../db/event/terms.ts'
import { claimPayment } from '../../../db/payment/claims.ts'
import { payableLines } from '../../../db/refund/dues.ts'
import { heightOf } from '../../lab/chain-verbs.ts'
import { callData } from '../../lab/contracts.ts'
import { mintData, transferData, usdt } from '../../lab/usdt.ts'
import { buyers, wallets } from './simulated-chain.ts'
import type { Step } from './story.ts'
import { refundMinUnits } from './work-steps.ts'
import type { World } from './world.ts'

type Of<N extends Step['do']> = Extract<Step, { do: N }>

/** All of them in one block, as BSC has them. */
export async function pay(world: World, { payments }: Of<'pay'>): Promise<void> {
  const usual = await currentWallet(world)
  const sent: Hash[] = []
  for (const { buyer, cents, to, post } of payments) {
    const wallet = to === null ? usual : (wallets[to] as Address)
    const hash = await world.submit(buyerOf(world, buyer), usdt, transferData(wallet, unitsOf(cents)))
    if (post) sent.push(hash)
  }
  await world.mineBlock()
  for (const hash of sent) await post(world, hash)
}

/** One transaction that moves the money of several payers, one of them perhaps twice. */
export async function payTogether(world: World, { shares }: Of<'pay together'>): Promise<void> {
  const from = shares.map(({ buyer }) => buyerOf(world, buyer))
  const values = shares.map(({ cents }) => unitsOf(cents))
  const usual = await currentWallet(world)
  const to = shares.map(() => usual)
  await world.submit(from[0] as Address, world.mover, callData('Mover', 'payFor', [from, to, values]))
  await world.mineBlock()
}

/** Nobody of ours asked for any of it. */
export async function bother(world: World, { does, buyer }: Of<'stranger'>): Promise<void> {
  const wallet = await currentWallet(world)
  const { stranger } = world
  switch (does) {
    case 'zero transfer':
      await world.submit(stranger, usdt, transferFrom(wallet, wallet, 0n))
      return world.mineBlock()
    case 'look-alike':
      await world.submit(stranger, world.fake, transferData(wallet, unitsOf(30_00)))
      return world.mineBlock()
    case 'dust':
      await world.submit(buyerOf(world, buyer), usdt, transferData(wallet, 1n))
      return world.mineBlock()
    case 'mint':
      await world.submit(stranger, usdt, mintData(wallet, unitsOf(30_00)))
      return world.mineBlock()
    case 'old hash':
      return post(world, world.early)
    case 'rubbish':
      return post(world, keccak256(toHex(`rubbish ${buyer}`)))
  }
}

/** What anybody's browser may post; the hints are wrong on purpose. */
async function post({ db }: World, transactionHash: Hash): Promise<void> {
  const claim = {
    ...{ transactionHash, quantity: 9_999, amount: 1 },
    walletAddress: `0x${'bad'.padEnd(40, '0')}`,
  }
  await Promise.all([claimPayment(db, claim), claimPayment(db, claim)])
}

export async function payOut(world: World, { wallet, buyer, cents }: Of<'pay out'>): Promise<void> {
  await sendFrom(world, wallet, buyerOf(world, buyer), cents)
}

export async function moveOwnMoney(world: World, { from, to, cents }: Of<'move own money'>): Promise<void> {
  await sendFrom(world, from, wallets[to] as Address, cents)
}

async function sendFrom(world: World, wallet: number, to: Address, cents: number): Promise<void> {
  await world.submit(wallets[wallet] as Address, usdt, transferData(to, unitsOf(cents)))
  await world.mineBlock()
}

/** Other blocks take the place of the newest, below finality too, without their transactions or with them in other blocks. */
export async function replaceBlocks(world: World, { depth, again }: Of<'replace'>): Promise<void> {
  const height = await heightOf(world.url)
  const blocks = Math.min(depth, height - world.floor)
  if (blocks < 1) return
  if (isListedAbove(world, height - blocks)) world.isTorn = true
  const raw = again ? await transactionsSince(world, height - blocks + 1) : []
  await world.ask(
    'anvil_reorg',
    blocks,
    raw.map((text) => [text, blocks - 1]),
  )
}

/** Whether a list that never changes again names blocks above this height; that of the event that is open may still. */
const isListedAbove = ({ closed, eventNumber }: World, height: number): boolean =>
  closed.has(eventNumber) ||
  [...closed.values()].some((list) =>
    list
      .split('\n')
      .slice(1, -1)
      .some((line) => Number(line.split(',')[5]) > height),
  )

/** Of those who sign themselves; what the wallets sent is gone. */
async function transactionsSince(world: World, from: number): Promise<Hex[]> {
  type Block = { transactions: { hash: Hash; from: Address }[] }
  const signers = new Set(buyers.map((buyer) => buyerOf(world, buyer).toLowerCase()))
  const raw: Hex[] = []
  for (let height = from; height <= (await heightOf(world.url)); height++) {
    const block = await world.ask<Block>('eth_getBlockByNumber', toHex(height), true)
    for (const { hash, from: sender } of block.transactions)
      if (signers.has(sender.toLowerCase())) raw.push(await world.ask('eth_getRawTransactionByHash', hash))
  }
  return raw
}

const buyerOf = ({ accounts }: World, buyer: number): Address => accounts[buyer] as Address

async function currentWallet({ db }: World): Promise<Address> {
  return (await getOpenEvent(db))?.operatorWallet ?? wallets[0]
}

const transferFrom = (from: Address, to: Address, units: bigint): Hex =>
  encodeFunctionData({ abi: erc20Abi, functionName: 'transferFrom', args: [from, to, units] })

/** Somebody pays what the desk lists, or once more what it listed when he was here last. */
export async function refund(world: World, { isOld }: Of<'refund'>): Promise<void> {
  const { db, ask, stranger, clock, paidInVain } = world
  const [book, cursor] = [await getBook(db), await getScanCursor(db)]
  if (!book) return
  if (!isOld) {
    const { lines } = await payableLines(db, { minUnits: refundMinUnits })
    const debts = lines.map(({ payer, total }) => ({ debtor: payer, total }))
    world.signed = { call: encodePayUpTo(book, usdt, debts, clock.chain + 3_600), debts, cursor }
  }
  if (!world.signed) return
  const { call, debts, cursor: basis } = world.signed
  type Block = { hash: Hash } | null
  const block = basis && (await ask<Block>('eth_getBlockByNumber', toHex(basis.height), false))
  await world.submit(stranger, usdt, encodeApprove(register.address, 10n ** 24n))
  const hash = await world.submit(stranger, register.address, call)
  await world.mineBlock()
  const { status } = await ask<{ status: Hex }>('eth_getTransactionReceipt', hash)
  if (!basis || block?.hash === basis.hash || status !== '0x1') return
  for (const { debtor, total } of debts) paidInVain.set(debtor, bigMax(total, paidInVain.get(debtor) ?? 0n))
}

const bigMax = (one: bigint, other: bigint): bigint => (one > other ? one : other)
