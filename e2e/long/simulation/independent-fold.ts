import { getAddress, id, JsonRpcProvider, type Log, sha256, toUtf8Bytes, ZeroAddress } from 'ethers'

/** The published rules once more, by another library and none of our code, from one honest node and the published terms. */
/** A version of an event's terms. */
export type PublicEvent = {
  number: number
  /** In force from blocks of this time on. */
  since: number
  /** Another version was locked: nothing gets a ticket by this one. */
  isReplaced: boolean
  wallet: string
  price: bigint
  /** Seconds, as in block headers: a block is in the sale from the start and before the end. */
  saleStart: number
  saleEnd: number | null
  /** The published list of an event that is drawn or archived; it never changes again. */
  closedLedger: string | null
}
export type PublicWallet = {
  address: string
  /** Since then it is the raffle's; an event's own wallet is so from the start of its sale. */
  since: number
}
export type PublicTerms = {
  token: string
  events: readonly PublicEvent[]
  wallets: readonly PublicWallet[]
}

export type FoldedPayment = {
  hash: string
  payer: string
  wallet: string
  units: bigint
  block: number
  time: number
  transactionIndex: number
  /** Null for money that is none of the raffle's: it is on no list. */
  event: number | null
  /** From before the sale, or before the wallet was the raffle's: on a list only if somebody named its hash. */
  isBefore: boolean
  reason: 'early' | 'held' | 'old_wallet' | 'late' | 'underpaid' | 'missed' | null
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
    const ledgers = new Map(terms.events.map((event) => [event.number, ledgerOf(payments, event)]))
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
  const ours = new Set(wallets.map(({ address }) => address.toLowerCase()))
  const groups = new Map<string, FoldedPayment>()
  for (const { from, to, units, time, log } of moves) {
    if (units === 0n || !ours.has(to)) continue
    const key = [log.transactionHash, from, to].join()
    const group = groups.get(key)
    if (group) group.units += units
    else
      groups.set(key, {
        hash: log.transactionHash,
        payer: from,
        wallet: to,
        ...{ units, time, block: log.blockNumber, transactionIndex: log.transactionIndex },
        ...{ event: null, isBefore: true, reason: 'early', firstTicket: 0, tickets: 0 },
      })
  }
  return [...groups.values()]
}

/** Seconds before its beginning in which money is taken for a buyer's mistake; what is older is private. */
const day = 86_400

/** In chain order, as the room that is left decides about the largest payments. */
function judge(payments: readonly FoldedPayment[], terms: PublicTerms): void {
  const { events } = terms
  const sold: Sold = new Map()
  for (const payment of payments) {
    const kept = events.findLast((event) => isListed(payment, event))
    const event = kept ?? events.filter(({ since }) => since <= payment.time).at(-1)
    const begin = kept ? payment.time : beginOf(payment, event, terms)
    payment.isBefore = payment.time < begin
    if ((!event || event.closedLedger !== null) && payment.time < begin - day) continue
    payment.event = event?.number ?? events[0]?.number ?? null
    const former = events.filter(
      (one, at) => one.number < (event?.number ?? 0) && events[at + 1]?.number !== one.number,
    )
    const isOurs = former.some(({ wallet }) => wallet.toLowerCase() === payment.payer)
    const isNobodys = payment.payer === ZeroAddress || payment.payer === payment.wallet
    if (isNobodys) payment.reason = 'held'
    else if (payment.time < begin) payment.reason = 'early'
    else if (!kept && isOurs) payment.reason = 'held'
    else if (!event) payment.reason = 'late'
    else sell(payment, event, sold, kept !== undefined)
  }
}

/** On the list of an event that is over, which stands wherever a reorg has moved the payment since. */
const isListed = ({ wallet, ...payment }: FoldedPayment, event: PublicEvent): boolean =>
  event.wallet.toLowerCase() === wallet && lineOf(payment, event.closedLedger ?? '') !== undefined

const lineOf = ({ hash, payer }: Pick<FoldedPayment, 'hash' | 'payer'>, ledger: string): string | undefined =>
  ledger.split('\n').find((text) => text.includes(`,${hash},${payer},`))

/** When money to this wallet begins to be the raffle's. */
function beginOf({ wallet }: FoldedPayment, event: PublicEvent | undefined, terms: PublicTerms): number {
  const since = terms.wallets.find(({ address }) => address.toLowerCase() === wallet)?.since
  const first = terms.events[0]?.saleStart ?? 0
  if (!event) return first
  return wallet === event.wallet.toLowerCase() ? event.saleStart : (since ?? event.saleStart)
}

/** Tickets by event. */
type Sold = Map<number, bigint>

function sell(payment: FoldedPayment, event: PublicEvent, sold: Sold, isKept: boolean): void {
  const before = sold.get(event.number) ?? 0n
  const tickets = payment.units / event.price
  if (payment.wallet !== event.wallet.toLowerCase()) payment.reason = 'old_wallet'
  else if (!isKept && event.saleEnd !== null && payment.time >= event.saleEnd) payment.reason = 'late'
  else if (tickets === 0n) payment.reason = 'underpaid'
  else if (event.closedLedger !== null) asListed(payment, event.closedLedger)
  else if (event.isReplaced) payment.reason = 'missed'
  else if (before + tickets > mostTickets) payment.reason = 'held'
  else Object.assign(payment, { reason: null, firstTicket: Number(before) + 1, tickets: Number(tickets) })
  if (payment.reason === null) sold.set(event.number, before + tickets)
}

/** The list of an event that is over decides: who is not on it was missed, and gets the money back. */
function asListed(payment: FoldedPayment, ledger: string): void {
  const line = lineOf(payment, ledger)
  const [firstTicket, tickets] = (line ?? '').split(',').map(Number)
  if (!line) payment.reason = 'missed'
  else Object.assign(payment, { reason: null, firstTicket, tickets })
}

function ledgerOf(payments: readonly FoldedPayment[], { number, closedLedger }: PublicEvent) {
  const lines = payments.filter((payment) => payment.event === number && payment.reason === null)
  const rebuilt = lines.reduce(
    (file, { firstTicket, tickets, hash, payer, units, block, transactionIndex }) =>
      `${file}${[firstTicket, tickets, hash, payer, units, block, transactionIndex].join(',')}\n`,
    header,
  )
  const text = closedLedger ?? rebuilt
  const tickets = text
    .split('\n')
    .slice(1, -1)
    .reduce((sum, line) => sum + Number(line.split(',')[1]), 0)
  return { text, sha256: sha256(toUtf8Bytes(text)), tickets }
}
