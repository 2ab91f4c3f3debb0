import { type Address, type Hash, keccak256, toHex } from 'viem'
import { word } from '../../core/chain/calldata.ts'
import type { Chain } from '../../worker/chain/index.ts'
import { usdt } from './usdt.ts'

/** A transaction of the operator's wallet: transfers of USDT, or nothing at all. */
export type ModelTransaction = {
  hash: Hash
  nonce: number
  price: number
  transfers: readonly { to: Address; units: bigint }[]
  /** Sent past the desk, which knows of it what the nodes know. */
  isByHand: boolean
}
type Question = 'finalized' | 'header' | 'stateBlock' | 'nonces' | 'codes' | 'agreedReceipt' | 'sent'
type Asked = Pick<Chain, Question | 'transfers' | 'readAgain'>
type Block = { number: bigint; hash: Hash; transactions: ModelTransaction[] }

export class Refused extends Error {
  override name = 'Refused'
}

/**
 * A chain as far as refunds can see it: one wallet, a pool, blocks, final two blocks below the head. What was
 * signed once can be mined as long as its nonce is free, also after it was dropped or its block was replaced.
 */
export class ModelChain {
  blocks: Block[] = []
  pool: ModelTransaction[] = []
  /** Dropped by the nodes, but somebody may still have it. */
  dropped: ModelTransaction[] = []
  private count = 0

  constructor(readonly wallet: Address) {
    this.mine(3)
  }

  /** Transactions in blocks: the next nonce that can be mined. */
  get minedNonce(): number {
    return this.blocks.reduce((sum, block) => sum + block.transactions.length, 0)
  }
  /** As a node answers for `pending`. */
  get pendingNonce(): number {
    let next = this.minedNonce
    while (this.pool.some(({ nonce }) => nonce === next)) next++
    return next
  }
  /** Nothing waits, and everything that was mined is final. */
  get isQuiet(): boolean {
    const isFinal = this.blocks.slice(-2).every(({ transactions }) => transactions.length === 0)
    return isFinal && ![...this.pool, ...this.dropped].some(({ nonce }) => nonce >= this.minedNonce)
  }
  get finalHeight(): bigint {
    return BigInt(this.blocks.length - 3)
  }

  /** Throws Refused as a node does: the nonce is used, or what waits with it pays as much. */
  send(
    transfers: ModelTransaction['transfers'],
    { nonce = this.pendingNonce, price = 1, isByHand = false } = {},
  ): Hash {
    const waiting = this.pool.find((one) => one.nonce === nonce)
    if (nonce < this.minedNonce || (waiting && waiting.price >= price)) throw new Refused()
    if (waiting) this.dropped.push(waiting)
    const transaction = { hash: this.newHash(), nonce, price, transfers, isByHand }
    this.pool = [...this.pool.filter((one) => one !== waiting), transaction]
    return transaction.hash
  }

  mine(blocks: number): void {
    for (let index = 0; index < blocks; index++) {
      const transactions: ModelTransaction[] = []
      for (let next = this.minedNonce; ; next++) {
        const found = this.pool.find(({ nonce }) => nonce === next)
        if (!found) break
        transactions.push(found)
        this.pool = this.pool.filter((one) => one !== found)
      }
      this.blocks.push({ number: BigInt(this.blocks.length), hash: this.newHash(), transactions })
    }
  }

  /** Other blocks take the place of the last `depth`, at most two: final ones stay. */
  reorg(depth: number): void {
    const gone = this.blocks.splice(-Math.min(depth, 2))
    const returned = gone.flatMap((block) => block.transactions)
    this.pool = [
      ...this.pool.filter((one) => !returned.some(({ nonce }) => nonce === one.nonce)),
      ...returned,
    ]
    for (const _ of gone)
      this.blocks.push({ number: BigInt(this.blocks.length), hash: this.newHash(), transactions: [] })
  }

  drop(index: number): void {
    const found = this.pool[index % Math.max(1, this.pool.length)]
    if (!found) return
    this.pool = this.pool.filter((one) => one !== found)
    this.dropped.push(found)
  }

  /** Somebody hands a dropped transaction in again, of those that may come back now. */
  rebroadcast(index: number, mayReturn: (transaction: ModelTransaction) => boolean): void {
    const candidates = this.dropped.filter(mayReturn)
    const found = candidates[index % Math.max(1, candidates.length)]
    if (!found || found.nonce < this.minedNonce || this.pool.some(({ nonce }) => nonce === found.nonce))
      return
    this.dropped = this.dropped.filter((one) => one !== found)
    this.pool.push(found)
  }

  /** What each address has got, counted from the blocks. */
  paidOut(): Map<Address, bigint> {
    const sums = new Map<Address, bigint>()
    for (const { transactions } of this.blocks)
      for (const { transfers } of transactions)
        for (const { to, units } of transfers) sums.set(to, (sums.get(to) ?? 0n) + units)
    return sums
  }

  /** The questions that the refund jobs ask of a chain. */
  asChain(): Chain {
    const header = (block: Block) => ({
      number: block.number,
      hash: block.hash,
      timestamp: Number(block.number),
    })
    const asked: Asked = {
      finalized: async () => header(this.blocks[Number(this.finalHeight)] as Block),
      header: async (number) => {
        const block = this.blocks[Number(number)]
        return block && header(block)
      },
      transfers: async (_watch, { from, to }) => ({
        end: header(this.blocks[Number(to)] as Block),
        anchors: [],
        entries: [],
        transfers: this.transfersIn(from, to),
      }),
      readAgain: (_watch, { from, to }) => tellOnce({ host: 'model', transfers: this.transfersIn(from, to) }),
      sent: async (hash) => {
        const found = [...this.pool, ...this.blocks.flatMap(({ transactions }) => transactions)].find(
          (one) => one.hash === hash,
        )
        const words = found?.transfers.flatMap(({ to, units }) => [word(to), word(units)]) ?? []
        return found && { hash, from: this.wallet, nonce: found.nonce, input: `0x${words.join('')}` }
      },
      stateBlock: async ({ number }) => ({ number, isFinal: true }),
      nonces: async (wallets, at) =>
        wallets.map(() =>
          this.blocks.slice(0, Number(at) + 1).reduce((sum, block) => sum + block.transactions.length, 0),
        ),
      codes: async (addresses) => addresses.map(() => '0x'),
      agreedReceipt: async (hash) => {
        const block = this.blocks.find(({ transactions }) => transactions.some((one) => one.hash === hash))
        if (!block) return undefined
        const transactionIndex = block.transactions.findIndex((one) => one.hash === hash)
        const place = { blockNumber: block.number, blockHash: block.hash, transactionIndex }
        return { status: 'success', ...place, logs: [] }
      },
    }
    return asked as Chain
  }

  private transfersIn(from: bigint, to: bigint) {
    return this.blocks.slice(Number(from), Number(to) + 1).flatMap((block) =>
      block.transactions.flatMap((transaction, transactionIndex) =>
        transaction.transfers.map((transfer, logIndex) => ({
          ...{ token: usdt, from: this.wallet, to: transfer.to, value: transfer.units, debtor: null },
          ...{ blockNumber: block.number, blockHash: block.hash, blockTime: Number(block.number) },
          ...{ transactionHash: transaction.hash, transactionIndex, logIndex },
        })),
      ),
    )
  }

  private newHash(): Hash {
    return keccak256(toHex(`model ${this.count++}`))
  }
}

async function* tellOnce<T>(told: T): AsyncGenerator<T> {
  yield told
}
