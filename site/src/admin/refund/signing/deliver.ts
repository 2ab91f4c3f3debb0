import type { Hash } from 'viem'
import type { RegisterOffer } from '../../../../../core/refund/safe-file.ts'
import type { Eip1193 } from '../../../wallet/eip1193.ts'
import { type BatchOutcome, sendBatch } from './batch.ts'
import { batchByRegister, payByRegister } from './pay-by-register.ts'
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
  /** Why the delivery stopped. `not-allowed`: the register may not take the money, so nothing was paid. */
  stop: 'rejected' | 'unknown' | 'not-allowed' | undefined
  /** The wallet or the chain does not take it so: retry with fewer rows, without a batch, or on another path. */
  retry: 'smaller' | 'no-batch' | 'other-path' | undefined
  signatures: number
  /** The nonce after the last one that a transaction has certainly used. */
  nextNonce: number | undefined
}

export type Job = {
  provider: Eip1193
  terms: Terms
  rows: readonly ClaimedRow[]
  nonce: number
  everyMs: number
  /** The page has stopped waiting: nothing more is asked of the wallet. */
  isLeft: () => boolean
}
export type RegisterJob = Job & {
  offer: RegisterOffer
  canBatch: boolean
  /** Units of the calls after this one. */
  later: bigint
  onAsk: (what: 'allowance' | 'payment') => void
}

const nothing: Delivery = {
  sent: [],
  bundle: undefined,
  untouched: [],
  stop: undefined,
  retry: undefined,
  signatures: 0,
  nextNonce: undefined,
}

/** The wallet was not asked for these. */
export const notAsked = (rows: readonly ClaimedRow[]): Delivery => ({ ...nothing, untouched: [...rows] })

/** Asks the wallet to pay claimed rows by transfers. Never asks twice for the same row. */
export function deliver(path: Exclude<SigningPath, 'register'>, job: Job): Promise<Delivery> {
  return path === 'batch' ? deliverBatch(job) : deliverSingly(job)
}

const idsOf = (rows: readonly ClaimedRow[]): number[] => rows.map(({ id }) => id)

/** One call of the register for all of the rows. */
export async function deliverByRegister(job: RegisterJob): Promise<Delivery> {
  const { provider, terms, rows, offer } = job
  if (job.canBatch) {
    job.onAsk('payment')
    return ofBatch(await batchByRegister(provider, terms, offer), rows, 'no-batch')
  }
  const outcome = await payByRegister(provider, job)
  const { signatures } = outcome
  const untouched = [...rows]
  switch (outcome.kind) {
    case 'sent':
      return { ...nothing, sent: [{ ids: idsOf(rows), hash: outcome.hash }], signatures }
    case 'rejected':
    case 'not-allowed':
      return { ...nothing, untouched, stop: outcome.kind, signatures }
    case 'refused':
      return { ...nothing, untouched, retry: 'smaller', signatures }
    case 'left':
      return { ...nothing, untouched, signatures }
    case 'unknown':
      return { ...nothing, stop: 'unknown', signatures }
  }
}

async function deliverBatch({ provider, terms, rows }: Job): Promise<Delivery> {
  const payments = rows.map(({ to, units }) => ({ to, units: BigInt(units) }))
  return ofBatch(await sendBatch(provider, { ...terms, rows: payments }), rows, 'other-path')
}

function ofBatch(
  outcome: BatchOutcome,
  rows: readonly ClaimedRow[],
  otherwise: 'no-batch' | 'other-path',
): Delivery {
  switch (outcome.kind) {
    case 'accepted':
      return { ...nothing, bundle: { ids: idsOf(rows), id: outcome.id }, signatures: 1 }
    case 'rejected':
      return { ...nothing, untouched: [...rows], stop: 'rejected' }
    case 'too-large':
      return { ...nothing, untouched: [...rows], retry: otherwise === 'no-batch' ? 'no-batch' : 'smaller' }
    case 'unsupported':
      return { ...nothing, untouched: [...rows], retry: otherwise }
    case 'unknown':
      return { ...nothing, stop: 'unknown' }
  }
}

/** One by one, each with its own nonce, so that a request answered late cannot be mined beside another. */
async function deliverSingly({ provider, terms, rows, nonce, isLeft }: Job): Promise<Delivery> {
  const delivery: Delivery = { ...nothing, sent: [] }
  for (const [index, row] of rows.entries()) {
    if (isLeft()) return { ...delivery, untouched: rows.slice(index) }
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
