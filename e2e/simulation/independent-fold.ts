import { getAddress, id, JsonRpcProvider, type Log, sha256, toUtf8Bytes, ZeroAddress } from 'ethers'

/**
 * The published rules once more, by another library and none of our code: whoever changes a rule in `core` by
 * mistake is told so here. Everything is read from one honest node; the terms are those that the site publishes.
 */
export type PublicEvent = {
  number: number
  wallet: string
  price: bigint
  /** Seconds, as in block headers: a block is in the sale from the start and before the end. */
  saleStart: number
  saleEnd: number | null
}
export type PublicWallet = {
  address: string
  /** Start of the first sale that named this wallet: what it got before is not the raffle's business. */
  from: number
  /** Since when it is known to be the operator's own; what it pays in later blocks buys nothing. */
  ownSince: number | null
}
export type PublicTerms = { token: string; events: readonly PublicEvent[]; wallets: readonly PublicWallet[] }

export type FoldedPayment = {
  hash: string
  payer: string
  wallet: string
  units: bigint
  block: number
  time: number
  transactionIndex: number
  event: number | null
  reason: 'early' | 'held' | 'old_wallet' | 'late' | 'underpaid' | null
  firstTicket: number
  tickets: number
}

export type Move = { hash: string; from: string; to: string; units: bigint; time: number }
export type Folded = {
  /** Every payment to a wallet of the raffle, in chain order. */
  payments: FoldedPayment[]
  /** Every transfer of the token out of or into these wallets. */
  moves: Move[]
  ledgers: Map<number, { text: string; sha256: string; tickets: number }>
}

const mostTickets = 2_000_000_000n
const header = 'ticketNumber,ticketCount,transactionHash,payer,value,blockNumber,transactionIndex\n'

/** Folds all blocks up to `last` into payments and the ledger file of every event. */
export async function foldChain(url: string, terms: PublicTerms, last: number): Promise<Folded> {
  const provider = new JsonRpcProvider(url, 56, { staticNetwork: true })
  try {
    const logs = await transferLogs(provider, terms.token, last)
    const times = await blockTimes(provider, logs)
    const moves = logs.map((log) => toMove(log, times.get(log.blockNumber) as number))
    const payments = grouped(moves, terms)
    judge(payments, terms)
    const ledgers = new Map(terms.events.map(({ number }) => [number, ledgerOf(payments, number)]))
    return { payments, moves, ledgers }
  } finally {
    provider.destroy()
  }
}

async function transferLogs(provider: JsonRpcProvider, address: string, toBlock: number): Promise<Log[]> {
  const topics = [id('Transfer(address,address,uint256)')]
  const logs = await provider.getLogs({ address, topics, fromBlock: 0, toBlock })
  const isTransfer = (log: Log) => log.topics.length === 3 && log.data.length === 66
  return logs.filter(isTransfer).sort((a, b) => a.blockNumber - b.blockNumber || a.index - b.index)
}

async function blockTimes(provider: JsonRpcProvider, logs: readonly Log[]): Promise<Map<number, number>> {
  const heights = [...new Set(logs.map((log) => log.blockNumber))]
  const blocks = await Promise.all(heights.map((height) => provider.getBlock(height)))
  return new Map(heights.map((height, at) => [height, blocks[at]?.timestamp as number]))
}

const party = (topic: string): string => getAddress(`0x${topic.slice(26)}`).toLowerCase()

const toMove = (log: Log, time: number) => ({
  hash: log.transactionHash,
  from: party(log.topics[1] as string),
  to: party(log.topics[2] as string),
  units: BigInt(log.data),
  time,
  log,
})

/** A payment: all transfers of one payer to one wallet in one transaction. */
function grouped(moves: readonly ReturnType<typeof toMove>[], { wallets }: PublicTerms): FoldedPayment[] {
  const since = new Map(wallets.map(({ address, from }) => [address.toLowerCase(), from]))
  const groups = new Map<string, FoldedPayment>()
  for (const { from, to, units, time, log } of moves) {
    if (units === 0n || time < (since.get(to) ?? Number.POSITIVE_INFINITY)) continue
    const key = [log.transactionHash, from, to].join()
    const group = groups.get(key)
    if (group) group.units += units
    else
      groups.set(key, {
        hash: log.transactionHash,
        payer: from,
        wallet: to,
        ...{ units, time, block: log.blockNumber, transactionIndex: log.transactionIndex },
        ...{ event: null, reason: 'early', firstTicket: 0, tickets: 0 },
      })
  }
  return [...groups.values()]
}

/** In chain order, as the room that is left decides about the largest payments. */
function judge(payments: readonly FoldedPayment[], { events, wallets }: PublicTerms): void {
  const sold = new Map<number, bigint>()
  const ownSince = new Map(wallets.map((wallet) => [wallet.address.toLowerCase(), wallet.ownSince]))
  for (const payment of payments) {
    const event = events.filter(({ saleStart }) => saleStart <= payment.time).at(-1)
    if (!event) continue
    payment.event = event.number
    const before = sold.get(event.number) ?? 0n
    const tickets = payment.units / event.price
    const own = ownSince.get(payment.payer) ?? Number.POSITIVE_INFINITY
    const isOwn = payment.payer === ZeroAddress || payment.payer === payment.wallet || own < payment.time
    if (isOwn) payment.reason = 'held'
    else if (payment.wallet !== event.wallet.toLowerCase()) payment.reason = 'old_wallet'
    else if (event.saleEnd !== null && payment.time >= event.saleEnd) payment.reason = 'late'
    else if (tickets === 0n) payment.reason = 'underpaid'
    else if (before + tickets > mostTickets) payment.reason = 'held'
    else {
      Object.assign(payment, { reason: null, firstTicket: Number(before) + 1, tickets: Number(tickets) })
      sold.set(event.number, before + tickets)
    }
  }
}

function ledgerOf(payments: readonly FoldedPayment[], event: number) {
  const lines = payments.filter((payment) => payment.event === event && payment.reason === null)
  const text = lines.reduce(
    (file, { firstTicket, tickets, hash, payer, units, block, transactionIndex }) =>
      `${file}${[firstTicket, tickets, hash, payer, units, block, transactionIndex].join(',')}\n`,
    header,
  )
  const tickets = lines.reduce((sum, line) => sum + line.tickets, 0)
  return { text, sha256: sha256(toUtf8Bytes(text)), tickets }
}
