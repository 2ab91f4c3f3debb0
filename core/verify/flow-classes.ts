import type { Address } from 'viem'
import type { Proof } from '../draw/proof.ts'
import { type FlowClass, type FlowLine, type FlowsHead, inClasses } from '../flows/file.ts'
import { judgePayment, zeroAddress } from '../payment/judge.ts'
import { type LedgerLine, ledgerTextWithoutNumber, parseLedgerLine } from '../payment/ledger.ts'
import { saleRulesOf } from './purchases.ts'
import { createRoom } from './room.ts'

/**
 * Walks along the transfers and says what the rules of the sale, the list of tickets and the balances make of each; `take` and
 * `end` return the first problem. `texts`: the lines of the list.
 */
export function createFlowsWalk(proof: Proof, head: FlowsHead, texts: readonly string[]) {
  const own = new Set<Address>(head.wallets.map(({ address }) => address))
  const balances = new Map(head.wallets.map(({ address, openingUnits }) => [address, openingUnits]))
  const opening = head.wallets.find(({ address }) => address === proof.operatorWallet)?.openingBlock ?? 0n
  const room = createRoom(proof)
  const take = ({ payer, ticketCount }: LedgerLine) => room.take(payer, ticketCount)
  /** Where it stands in the list, whose payments before it were taken. */
  const hasRoom: HasRoom = (payer, ticketCount) => {
    const next = at < texts.length ? parseLedgerLine(texts[at] as string) : undefined
    return room.has(next ? next.ticketNumber - 1 : proof.ticketsSold, payer, ticketCount)
  }
  const classesFor = createClassRule(proof, own, hasRoom)
  const blockOf = (text: string) => parseLedgerLine(text)?.blockNumber ?? 0n
  const begin = texts.findIndex((text) => blockOf(text) > opening)
  let at = begin < 0 ? texts.length : begin
  const end = texts.findLastIndex((text) => blockOf(text) <= head.until.number) + 1
  let count = 0
  for (const text of texts.slice(0, at)) take(parseLedgerLine(text) as LedgerLine)

  /** Lines of the list and what was credited are the same, one after the other. */
  function takeCredited(line: FlowLine): string | undefined {
    const listed = at < end ? texts[at] : undefined
    const paid = listed && parseLedgerLine(listed)
    const told = { ...line, payer: line.counterparty, value: line.units }
    if (
      paid &&
      line.wallet === proof.operatorWallet &&
      ledgerTextWithoutNumber({ ...told, ticketCount: paid.ticketCount }) === ledgerTextWithoutNumber(paid)
    ) {
      at += 1
      take(paid)
      return undefined
    }
    return `Line ${count} was credited, and the list has ${paid ? `ticket ${paid.ticketNumber}` : 'nothing'} there.`
  }

  function takeBalance({ wallet, direction, units }: FlowLine): string | undefined {
    const held = balances.get(wallet)
    if (held === null || held === undefined) return undefined
    const now = direction === 'in' ? held + units : held - units
    balances.set(wallet, now)
    return now < 0n ? `Line ${count} sends more than its wallet holds.` : undefined
  }

  return {
    /** What each wallet holds after the last line that was taken; null where the opening is not known. */
    balances: balances as ReadonlyMap<Address, bigint | null>,
    /** Payments of the list in blocks that the file does not reach. */
    outside: at + Math.max(texts.length - Math.max(end, at), 0),
    /** Of these, in blocks before what the wallet held was known. */
    before: at,
    take(line: FlowLine): string | undefined {
      count += 1
      const allowed = classesFor(line)
      if (!allowed.includes(line.class))
        return `Line ${count} is told as ${line.class}, and by the rules it is ${allowed.join(' or ')}.`
      if ((line.class === 'refund') !== (line.debtor !== null))
        return `Line ${count} is a refund, and names no debtor.`
      const isListed = line.class === 'credited' && !isOfEarlierEvent(proof, line.blockTime)
      return (isListed ? takeCredited(line) : undefined) ?? takeBalance(line)
    },
    end(): string | undefined {
      const missing = at < end && parseLedgerLine(texts[at] as string)
      return missing ? `Ticket ${missing.ticketNumber} of the list was paid by no line.` : undefined
    },
  }
}

/**
 * What came in under other terms than those of the proof can be any of these: of an earlier event, of a sale whose start or
 * wallet was another one at first, or at a wallet that takes no payments.
 */
const unticketed = inClasses.filter((each) => each !== 'credited' && each !== 'claim' && each !== 'own')

/** Tickets of an earlier event are in no list that this proof has: its reckoning may have stood still before its end. */
const isOfEarlierEvent = ({ eventNumber, saleStart }: Proof, blockTime: number): boolean =>
  eventNumber > 1 && blockTime < Date.parse(saleStart) / 1000

/** Whether so many tickets of a payer fit into the caps of the terms, at its place in the list. */
type HasRoom = (payer: Address, ticketCount: number) => boolean

/** What a transfer can be by its facts; whether a refund was owed, and what the operator sent for something else, his books say. */
function createClassRule(proof: Proof, own: ReadonlySet<Address>, hasRoom: HasRoom) {
  const rules = saleRulesOf(proof)
  const [start, end, draw] = [proof.saleStart, proof.saleEndDate, proof.drawDate].map(
    (date) => Date.parse(date) / 1000,
  ) as [number, number, number]
  // Of an earlier event a prize may still be claimed and paid; whose it was this proof does not know.
  const isFirst = proof.eventNumber === 1
  const drawn = new Set([...proof.winners, ...proof.reserves].map(({ walletAddress }) => walletAddress))

  function classesIn({ wallet, counterparty, units, blockTime }: FlowLine): readonly FlowClass[] {
    const isSale = wallet === proof.operatorWallet && blockTime >= start && blockTime < end
    const payment = { payer: counterparty, wallet, units }
    const verdict = isSale ? judgePayment(payment, blockTime, rules) : undefined
    if (verdict?.status === 'credited') {
      const isOwn = own.has(counterparty)
      if (!hasRoom(counterparty, verdict.ticketCount))
        return ['over_cap', 'held', ...(isOwn ? (['own'] as const) : [])]
      return isOwn ? ['credited', 'own'] : ['credited', 'missed', 'held']
    }
    const isEarlier = isOfEarlierEvent(proof, blockTime)
    if (own.has(counterparty)) return isEarlier ? ['own', 'credited'] : ['own']
    const isClaim = units === 1n && (!isFirst || (drawn.has(counterparty) && blockTime >= draw))
    const claim: FlowClass[] = isClaim ? ['claim'] : []
    if (verdict?.reason) return [verdict.reason as FlowClass, ...claim]
    if (wallet !== proof.operatorWallet || blockTime < start)
      return [...(isEarlier ? (['credited'] as const) : []), ...unticketed, ...claim]
    return counterparty === zeroAddress ? ['held', 'other'] : ['late', 'held', ...claim]
  }

  function classesOut({ counterparty, blockTime }: FlowLine): readonly FlowClass[] {
    const rest: FlowClass = own.has(counterparty) ? 'own' : 'other'
    const isPrize = !isFirst || (drawn.has(counterparty) && blockTime >= draw)
    return isPrize ? ['refund', 'prize', rest] : ['refund', rest]
  }

  return (line: FlowLine) => (line.direction === 'in' ? classesIn(line) : classesOut(line))
}
