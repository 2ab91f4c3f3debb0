import { and, eq, isNotNull, isNull, or, sql } from 'drizzle-orm'
import type { Address } from 'viem'
import { RaffleError } from '../../core/errors.ts'
import { hasUnknownTraffic, nonceBoundOf } from '../../core/refund/nonce.ts'
import type { Db } from '../index.ts'
import { operatorWallets, refundRows, refundWatch } from '../schema/index.ts'
import { lockRefunds, type StoredRow } from './accounts.ts'
import { unheardWallets } from './unheard.ts'
import { expectWatched } from './watched.ts'

export type Offer = {
  ids: readonly number[]
  wallet: Address
  /** The wallet's next nonce, as the browser knows it. */
  nonce: number
  /** How many transactions the wallet may send for it. */
  transactions: number
  /** The wallet's nonces alone do not tell when nothing of it can be mined any more; see `Flight`. */
  relayed?: boolean
}

/**
 * Takes the lock and looks whether the wallet may be offered anything. Answers with the highest nonce that the request
 * can use. Throws INVALID_VALUE for a wallet that is not ours, whose key is lost, or that pays through the register
 * alone, as one does for a week after a restore; TX_PENDING while it has pending transactions that are not ours; RPC_UNAVAILABLE.
 */
export async function beginOffer(
  tx: Db,
  { wallet, nonce, transactions }: Offer,
  path: NonNullable<StoredRow['offeredPath']>,
): Promise<{ nonceBound: number }> {
  await lockRefunds(tx)
  const nonces = await expectWatched(tx)
  const finalNonce = nonces[wallet]
  const [known] = await tx.select().from(operatorWallets).where(eq(operatorWallets.address, wallet))
  if (!known) throw refused('운영자 지갑이 아닙니다.')
  if (finalNonce === undefined)
    throw new RaffleError(
      'RPC_UNAVAILABLE',
      '지갑의 논스를 아직 확인하지 못했습니다. 잠시 후 다시 시도하세요.',
    )
  if (known.lostAt) throw refused('키를 분실했거나 도난당한 것으로 등록된 지갑입니다.')
  if (known.registerOnly && path !== 'register') throw refused('환불 컨트랙트로만 지급할 수 있는 지갑입니다.')
  if (path !== 'register' && (await unheardWallets(tx)).size > 0)
    throw refused(
      '백업에서 되살린 데이터베이스라 우리 지갑에 넘긴 환불 컨트랙트 호출을 모두 알지 못합니다. 그동안 환불 컨트랙트로만 지급할 수 있습니다.',
    )
  const inFlight = await flightsOf(tx, wallet)
  if (hasUnknownTraffic(nonce, finalNonce, explained(inFlight)))
    throw new RaffleError('TX_PENDING', '지갑에서 다른 거래가 진행 중입니다. 완료된 뒤 다시 시도하세요.')
  const bounds = inFlight.flatMap((row) => row.nonceBound ?? [])
  const nonceBound = nonceBoundOf(Math.max(nonce, finalNonce), transactions + countCalls(inFlight), bounds)
  return { nonceBound }
}

const refused = (why: string) => new RaffleError('INVALID_VALUE', `wallet: ${why}`, {}, { field: 'wallet' })

/**
 * True while the wallet has transactions under way that are none of those it has reported; false where it cannot be
 * known, which the offer itself says.
 */
export async function isBusy(db: Db, { wallet, nonce }: Pick<Offer, 'wallet' | 'nonce'>): Promise<boolean> {
  const [watch] = await db.select({ nonces: refundWatch.nonces }).from(refundWatch)
  const finalNonce = watch?.nonces[wallet]
  return (
    finalNonce !== undefined && hasUnknownTraffic(nonce, finalNonce, explained(await flightsOf(db, wallet)))
  )
}

const flightsOf = (tx: Db, wallet: Address): Promise<StoredRow[]> =>
  tx
    .select()
    .from(refundRows)
    .where(and(isNotNull(refundRows.offeredAt), eq(refundRows.offeredWallet, wallet)))

/**
 * The nonces of transactions that the chain has shown to be this wallet's and to pay rows that it was offered: any
 * other one may be a refund that was sent by hand.
 */
const explained = (inFlight: readonly StoredRow[]): number[] =>
  inFlight.flatMap(({ transactionNonce }) => transactionNonce ?? [])

/** Transactions of calls through the register that the wallet may still send: they have no bound of their own. */
const countCalls = (inFlight: readonly StoredRow[]): number =>
  inFlight
    .filter(({ offeredPath }) => offeredPath === 'register')
    .reduce((sum, { offeredTransactions }) => sum + (offeredTransactions ?? 0), 0)

/**
 * Requests that the wallet has not answered yet may take their nonces after this one, and so may those whose answer is a
 * hash that the chain has not shown yet: it says nothing of what the wallet will send.
 */
export async function raiseBounds(tx: Db, wallet: Address, bound: number): Promise<void> {
  await tx
    .update(refundRows)
    .set({ nonceBound: sql`greatest(${refundRows.nonceBound}, ${bound})` })
    .where(
      and(
        eq(refundRows.offeredWallet, wallet),
        or(
          eq(refundRows.state, 'offered'),
          and(eq(refundRows.state, 'sent'), isNull(refundRows.transactionNonce)),
        ),
        isNotNull(refundRows.offeredAt),
        isNotNull(refundRows.nonceBound),
      ),
    )
}
