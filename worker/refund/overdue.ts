import type { Logger } from 'pino'
import { isTemporary } from '../../core/errors.ts'
import type { Transfer } from '../../core/payment/payment.ts'
import { type FinalFacts, flightKey, type OverdueFlight, overdueFlights } from '../../db/refund/landing.ts'
import { notOnRecord } from '../../db/refund/on-record.ts'
import { applyWatch, type WatchedPairs } from '../../db/refund/watch.ts'
import type { Chain, Header } from '../chain/index.ts'
import type { Deps } from '../deps.ts'
import { nothingSent } from './outgoing.ts'

/** Blocks that are read at once. */
const stepBlocks = 2_000n
/** A request whose second reading came to nothing waits for so many blocks. */
const pauseBlocks = 64n
const pausedAt = new WeakMap<Chain, Map<string, bigint>>()

/**
 * Frees the rows of requests of which nothing can be mined any more, once the chain has been read a second time: what
 * the wallet sent since the offer, by an endpoint or a way that did not tell it before. A payment that only the second
 * reading shows keeps its row from being offered, and a person has to look at the endpoints.
 */
export async function giveUpOverdue(
  deps: Deps,
  terms: WatchedPairs,
  head: Header,
  facts: Omit<FinalFacts, 'now' | 'readAgain'>,
): Promise<void> {
  const { db, chain } = deps
  const paused = pausedAt.get(chain) ?? new Map<string, bigint>()
  pausedAt.set(chain, paused)
  const isDue = ({ row }: OverdueFlight) =>
    head.number - (paused.get(flightKey(row)) ?? -pauseBlocks) >= pauseBlocks
  const due = (await overdueFlights(db, facts)).filter(isDue)
  const readAgain = new Set<string>()
  for (const flights of Map.groupBy(due, ({ row }) => row.offeredWallet).values()) {
    for (const { row } of flights) paused.set(flightKey(row), head.number)
    for (const flight of await unpaidOf(deps, terms, head, flights)) readAgain.add(flightKey(flight.row))
  }
  if (readAgain.size === 0) return
  const cursor = { height: head.number, hash: head.hash }
  await applyWatch(db, cursor, cursor, nothingSent, { ...facts, readAgain }, terms)
  for (const key of readAgain) paused.delete(key)
}

/** Those of one wallet that the second reading shows no payment of; none where it could not be made. */
async function unpaidOf(
  { db, chain, log }: Deps,
  { tokens, wallets }: WatchedPairs,
  head: Header,
  flights: readonly OverdueFlight[],
): Promise<readonly OverdueFlight[]> {
  const from = flights.reduce<bigint | undefined>(
    (least, flight) =>
      flight.from === undefined || (least ?? flight.from) < flight.from ? least : flight.from,
    undefined,
  )
  const [{ row }] = flights as [OverdueFlight]
  if (from === undefined) return []
  const watch = { tokens, wallets: row.offeredWallet ? [row.offeredWallet] : [...wallets], outgoing: true }
  const told = await readSteps(chain, watch, from, head.number).catch(notNow(log))
  if (!told) return []
  const missed = await notOnRecord(db, told)
  const isPaid = ({ row }: OverdueFlight) => missed.some(({ to }) => to === row.recipient || to === row.payer)
  for (const flight of flights.filter(isPaid))
    log.fatal(
      { rowId: flight.row.id, transactions: missed.map(({ transactionHash }) => transactionHash) },
      'a payment of a refund was told by one endpoint alone: its row is not offered again',
    )
  return flights.filter((flight) => flight.from !== undefined && !isPaid(flight))
}

async function readSteps(
  chain: Chain,
  watch: Parameters<Chain['readAgain']>[0],
  from: bigint,
  head: bigint,
): Promise<Transfer[]> {
  const told: Transfer[] = []
  for (let at = from; at <= head; at += stepBlocks) {
    const to = at + stepBlocks - 1n < head ? at + stepBlocks - 1n : head
    for await (const { transfers } of chain.readAgain(watch, { from: at, to })) {
      told.push(...transfers)
      break
    }
  }
  return told
}

const notNow =
  (log: Logger) =>
  (err: unknown): undefined => {
    if (!isTemporary(err)) throw err
    log.warn({ err }, 'what a wallet has sent could not be read a second time')
  }
