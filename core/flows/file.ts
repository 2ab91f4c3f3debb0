import type { Address, Hash } from 'viem'

/**
 * The file of an event's money: every transfer of the token into or out of a wallet of the operator, from the block in
 * which the wallet was registered, or the event opened, up to a final block. UTF-8, LF, no byte order mark:
 *
 *     blockdraw-flows-1,eventNumber,chainId,token,untilBlock,untilHash,untilTime,lines
 *     wallet,openingBlock,openingHash,openingUnits            a line for each wallet, by address
 *     blockNumber,blockTime,transactionIndex,logIndex,…       the names of the columns
 *     71234567,1790000000,12,40,0x…,in,0x…,0x…,99000000000000000000,credited,none
 *
 * Lines are in chain order. All that one payer sent to a wallet in one transaction is one line, at the place of its first
 * log, as in the ledger; what a wallet sends has a line for each log. A transfer between two wallets of the file is two lines:
 * `in` for the one, `out` for the other.
 *
 * What it proves: for each wallet, opening + in - out is what it holds at the last block, so with the balance that a node
 * tells of that block, and the logs of the blocks between, nobody can leave a line out, invent or change one. The class of
 * what came in follows from the rules of the sale. What it does not: whose wallets these are, and that there are no others, the
 * operator says; the class of what went out is a debt's, a prize's or `other` by his books, which the chain does not know; and
 * what is held may be borrowed, or gone a block later.
 */
export type FlowsHead = {
  eventNumber: number
  chainId: number
  token: Address
  until: { number: bigint; hash: Hash; timestamp: number }
  lines: number
  wallets: readonly FlowsWallet[]
}

/** A wallet of the file. `openingUnits` is null where no endpoint had its balance at that block. */
export type FlowsWallet = {
  address: Address
  openingBlock: bigint
  openingHash: Hash
  openingUnits: bigint | null
}

/** One transfer as the wallet of the operator sees it. Whatever was paid without a ticket has its reason as class. */
export type FlowLine = {
  blockNumber: bigint
  /** Unix seconds. */
  blockTime: number
  transactionIndex: number
  logIndex: number
  transactionHash: Hash
  direction: 'in' | 'out'
  wallet: Address
  counterparty: Address
  units: bigint
  class: FlowClass
  /** Whose debt a refund settles, by the register's own log or as its recipient; null for anything else. */
  debtor: Address | null
}

/** What came in: money for tickets, money without one by its reason, and what was no payment at all. */
export const inClasses = [
  'credited',
  ...(['late', 'early', 'underpaid', 'old_wallet', 'held', 'missed', 'over_cap', 'claim'] as const),
  ...(['own', 'other'] as const),
] as const
export const outClasses = ['refund', 'prize', 'own', 'other'] as const
export type FlowClass = (typeof inClasses)[number] | (typeof outClasses)[number]

/** The columns of a line, in order. */
const flowColumns = [
  ...(['blockNumber', 'blockTime', 'transactionIndex', 'logIndex', 'transactionHash'] as const),
  ...(['direction', 'wallet', 'counterparty', 'units', 'class', 'debtor'] as const),
] as const satisfies readonly (keyof FlowLine)[]

const version = 'blockdraw-flows-1'
const columnsLine = flowColumns.join(',')

/** All that stands before the first transfer. Throws for wallets that are not in their order. */
export function flowsHeadText({ eventNumber, chainId, token, until, lines, wallets }: FlowsHead): string {
  const first = [version, eventNumber, chainId, token, until.number, until.hash, until.timestamp, lines]
  if (wallets.length === 0 || !areInOrder(wallets))
    throw new RangeError('wallets are listed once, by address')
  const rows = wallets.map(({ address, openingBlock, openingHash, openingUnits }) => [
    ...[address, openingBlock, openingHash, openingUnits ?? 'none'],
  ])
  return [first, ...rows, flowColumns].map((row) => `${row.join(',')}\n`).join('')
}

/** One line of the file, its newline included. */
export const flowText = (line: FlowLine): string =>
  `${flowColumns.map((column) => line[column] ?? 'none').join(',')}\n`

const hash = '0x[0-9a-f]{64}'
const address = '0x[0-9a-f]{40}'
const whole = '(?:0|[1-9]\\d{0,14})'
const firstLine = new RegExp(
  `^${version},([1-9]\\d{0,14}),([1-9]\\d{0,14}),(${address}),(${whole}),(${hash}),(${whole}),(${whole})$`,
)
const walletLine = new RegExp(`^(${address}),(${whole}),(${hash}),(none|0|[1-9]\\d{0,77})$`)
const classes = `(?:in,${address},${address},[1-9]\\d{0,77},(?:${inClasses.join('|')})|out,${address},${address},[1-9]\\d{0,77},(?:${outClasses.join('|')}))`
const flowLine = new RegExp(
  `^${whole},${whole},(?:0|[1-9]\\d{0,8}),(?:0|[1-9]\\d{0,8}),${hash},${classes},(?:none|${address})$`,
)

/** Parses a line given without its newline; undefined if it is not in its one form. */
export function parseFlowLine(text: string): FlowLine | undefined {
  if (!flowLine.test(text)) return undefined
  const [block, time, index, log, transactionHash, direction, wallet, counterparty, units, kind, debtor] =
    text.split(',') as string[]
  return {
    ...{ blockNumber: BigInt(block as string), blockTime: Number(time) },
    ...{ transactionIndex: Number(index), logIndex: Number(log), transactionHash: transactionHash as Hash },
    ...{ direction: direction as 'in' | 'out', wallet: wallet as Address },
    ...{ counterparty: counterparty as Address, units: BigInt(units as string) },
    ...{ class: kind as FlowClass, debtor: debtor === 'none' ? null : (debtor as Address) },
  }
}

/** The longest line of such a file has 371 characters. */
export const longestFlowLine = 400
/** No operator has so many wallets; a head without an end would fill the memory. */
const mostWallets = 1_000

/**
 * Takes the lines of a file one by one, without their newlines; `take` answers the first problem, in one sentence, and a
 * transfer once the head is behind it. `end` tells what is missing after the last line.
 */
export function createFlowsReader() {
  const wallets: FlowsWallet[] = []
  let first: Omit<FlowsHead, 'wallets'> | undefined
  let isInBody = false
  let count = 0
  let before: FlowLine | undefined
  let openings = new Map<Address, FlowsWallet>()

  function takeHead(text: string): string | undefined {
    if (!first) {
      first = parseFirst(text)
      return first ? undefined : 'The first line is not that of a flows file.'
    }
    if (text === columnsLine) {
      if (wallets.length === 0) return 'It names no wallet.'
      if (!areInOrder(wallets)) return 'Its wallets are not listed once, by address.'
      const until = first.until.number
      const late = wallets.find(({ openingBlock }) => openingBlock > until)
      if (late) return `Wallet ${late.address} opens after the last block.`
      openings = new Map(wallets.map((each) => [each.address, each]))
      isInBody = true
      return undefined
    }
    const match = walletLine.exec(text)
    if (!match || wallets.length === mostWallets)
      return `Line ${wallets.length + 2} of the head is not in its one form: ${text.slice(0, 80)}`
    const [, one, block, openingHash, units] = match as unknown as string[]
    wallets.push({
      ...{ address: one as Address, openingBlock: BigInt(block as string), openingHash: openingHash as Hash },
      openingUnits: units === 'none' ? null : BigInt(units as string),
    })
    return undefined
  }

  function takeLine(text: string): FlowLine | string {
    count += 1
    const { until } = first as FlowsHead
    const line = parseFlowLine(text)
    if (!line) return `Line ${count} is not in its one form: ${text.slice(0, 80)}`
    const opening = openings.get(line.wallet)
    if (!opening) return `Line ${count} is of a wallet that the file does not name.`
    if (line.blockNumber <= opening.openingBlock) return `Line ${count} lies before its wallet's opening.`
    if (line.blockNumber > until.number || line.blockTime > until.timestamp)
      return `Line ${count} lies after the last block.`
    if (before && !isAfter(line, before)) return `Line ${count} is not in chain order.`
    if (line.class !== 'refund' && line.debtor) return `Line ${count} names a debtor, and is no refund.`
    before = line
    return line
  }

  return {
    /** Undefined until the head was taken whole. */
    head: (): FlowsHead | undefined => (first && isInBody ? { ...first, wallets } : undefined),
    take: (text: string): FlowLine | string | undefined => (isInBody ? takeLine(text) : takeHead(text)),
    end(): string | undefined {
      if (!isInBody) return 'Its head has no end.'
      return count === first?.lines
        ? undefined
        : `Transfers in the file: ${count}; in its head: ${first?.lines}.`
    },
  }
}

function parseFirst(text: string): Omit<FlowsHead, 'wallets'> | undefined {
  const match = firstLine.exec(text)
  if (!match) return undefined
  const [, event, chain, token, number, untilHash, timestamp, lines] = match as unknown as string[]
  return {
    ...{ eventNumber: Number(event), chainId: Number(chain), token: token as Address, lines: Number(lines) },
    until: {
      number: BigInt(number as string),
      hash: untilHash as Hash,
      timestamp: Number(timestamp),
    },
  }
}

const areInOrder = (wallets: readonly FlowsWallet[]): boolean =>
  wallets.every((one, at) => at === 0 || (wallets[at - 1] as FlowsWallet).address < one.address)

/** Chain order, never the same place twice; a transfer between two wallets of the file comes in first. */
function isAfter(line: FlowLine, before: FlowLine): boolean {
  if (line.blockNumber !== before.blockNumber)
    return line.blockNumber > before.blockNumber && line.blockTime >= before.blockTime
  if (line.blockTime !== before.blockTime) return false
  const isOneTransaction = line.transactionHash === before.transactionHash
  if (line.transactionIndex !== before.transactionIndex)
    return line.transactionIndex > before.transactionIndex && !isOneTransaction
  if (!isOneTransaction) return false
  return line.logIndex === before.logIndex
    ? before.direction === 'in' && line.direction === 'out'
    : line.logIndex > before.logIndex
}
