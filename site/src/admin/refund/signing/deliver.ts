import type { Hash } from 'viem'
import type { Eip1193 } from '../../../wallet/eip1193.ts'
import { sendBatch } from './batch.ts'
import { sendDisperse } from './disperse.ts'
import type { ClaimedRow, SigningPath, Terms } from './types.ts'
import { sendRefund } from './wallet.ts'

/**
 * Outcome of claimed rows. Those in `untouched` were never sent to the wallet, or its user refused them, so
 * they are free at once. The outcome of a row in none of the lists is unknown, and it stays claimed.
 */
export type Delivery = {
  sent: { ids: number[]; hash: Hash }[]
  bundle: { ids: number[]; id: string } | undefined
  untouched: ClaimedRow[]
  /** Why the delivery stopped. */
  stop: 'rejected' | 'unknown' | undefined
  /** The wallet cannot use this path: retry with another path, or with fewer rows. */
  retry: 'smaller' | 'other-path' | undefined
  signatures: number
  /** The nonce after the last one that a transaction has certainly used. */
  nextNonce: number | undefined
}

type Job = { provider: Eip1193; terms: Terms; rows: readonly ClaimedRow[]; nonce: number; everyMs: number }

const nothing: Delivery = {
  sent: [],
  bundle: undefined,
  untouched: [],
  stop: undefined,
  retry: undefined,
  signatures: 0,
  nextNonce: undefined,
}

/** Asks the wallet to pay claimed rows on the given path. Never asks twice for the same row. */
export function deliver(path: SigningPath, job: Job): Promise<Delivery> {
  switch (path) {
    case 'batch':
      return deliverBatch(job)
    case 'disperse':
      return deliverDisperse(job)
    case 'single':
      return deliverSingly(job)
  }
}

const paymentsOf = (rows: readonly ClaimedRow[]) =>
  rows.map(({ to, units }) => ({ to, units: BigInt(units) }))
const idsOf = (rows: readonly ClaimedRow[]): number[] => rows.map(({ id }) => id)

async function deliverBatch({ provider, terms, rows }: Job): Promise<Delivery> {
  const outcome = await sendBatch(provider, { ...terms, rows: paymentsOf(rows) })
  switch (outcome.kind) {
    case 'accepted':
      return { ...nothing, bundle: { ids: idsOf(rows), id: outcome.id }, signatures: 1 }
    case 'rejected':
      return { ...nothing, untouched: [...rows], stop: 'rejected' }
    case 'too-large':
      return { ...nothing, untouched: [...rows], retry: 'smaller' }
    case 'unsupported':
      return { ...nothing, untouched: [...rows], retry: 'other-path' }
    case 'unknown':
      return { ...nothing, stop: 'unknown' }
  }
}

async function deliverDisperse({ provider, terms, rows, nonce, everyMs }: Job): Promise<Delivery> {
  const { disperseAddress: contract, token, wallet } = terms
  if (!contract) return { ...nothing, untouched: [...rows], retry: 'other-path' }
  const request = { wallet, token, contract, nonce, rows: paymentsOf(rows), everyMs }
  const outcome = await sendDisperse(provider, request)
  switch (outcome.kind) {
    case 'sent':
      return { ...nothing, sent: [{ ids: idsOf(rows), hash: outcome.hash }], signatures: 2 }
    case 'rejected':
      return { ...nothing, untouched: [...rows], stop: 'rejected' }
    case 'too-large':
      return { ...nothing, untouched: [...rows], retry: rows.length > 1 ? 'smaller' : 'other-path' }
    default:
      return { ...nothing, stop: 'unknown' }
  }
}

/** One by one, each with its own nonce, so that a request answered late cannot be mined beside another. */
async function deliverSingly({ provider, terms, rows, nonce }: Job): Promise<Delivery> {
  const delivery: Delivery = { ...nothing, sent: [] }
  for (const [index, row] of rows.entries()) {
    const outcome = await sendRefund(provider, {
      ...{ wallet: terms.wallet, token: terms.token, to: row.to },
      ...{ units: BigInt(row.units), nonce: nonce + index },
    })
    if (outcome.kind !== 'sent') {
      const isRejected = outcome.kind === 'rejected'
      return {
        ...delivery,
        untouched: rows.slice(isRejected ? index : index + 1),
        stop: isRejected ? 'rejected' : 'unknown',
      }
    }
    delivery.sent.push({ ids: [row.id], hash: outcome.hash })
    delivery.signatures++
    delivery.nextNonce = nonce + index + 1
  }
  return delivery
}
