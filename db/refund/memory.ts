import { sql } from 'drizzle-orm'
import type { Address } from 'viem'
import { isElsewhere } from '../../core/refund/accounts.ts'
import { sum } from '../../core/refund/allocate.ts'
import { type Fit, fitOf, type Memory } from '../../core/refund/memory.ts'
import { registerTotals } from '../../core/refund/totals.ts'
import type { Db } from '../index.ts'
import {
  events,
  payments,
  refundBatches,
  refundRowPayments,
  refundRows,
  registerEntries,
} from '../schema/index.ts'
import type { Accounts, LoadedRow } from './accounts.ts'
import { lostWallets } from './own-wallets.ts'

export type Place = { wallet: Address; token: Address; debtor: Address }
export type Fits = {
  /** What the register pays no more to this debtor. */
  remembered: (place: Place) => bigint
  of: (place: Place) => Fit & { due: bigint }
  /**
   * The register has paid more for him than these books know, by whichever wallet of ours whose key is not said to be
   * lost: a thief pays everybody a little as he likes, and would shut all of them out.
   */
  isAhead: (place: Omit<Place, 'wallet'>) => boolean
  /** By this wallet it has paid for him to an address that he never named. */
  isElsewhere: (place: Place) => boolean
  /** The wallets by which it has paid more. */
  aheadWallets: (place: Omit<Place, 'wallet'>) => readonly Address[]
}

/** What the register remembers of these payers, beside what the books say. */
export async function loadFits(
  tx: Db,
  { rows, accounts }: Pick<Accounts, 'rows' | 'accounts'>,
): Promise<Fits> {
  const payers = [...new Set(rows.map(({ payer }) => payer))]
  const totals = new Map(registerTotals(rows, accounts).map((total) => [keyOf(total), total]))
  const memories = await loadMemories(
    tx,
    Map.groupBy(rows, ({ payer }) => payer),
  )
  const handedOver = await loadHandedOver(tx, payers)
  for (const [key, units] of handedOn(rows, accounts))
    handedOver.set(key, greater(units, handedOver.get(key) ?? 0n))
  const of = (place: Place) => {
    const key = keyOf(place)
    const { total, due } = totals.get(key) ?? { total: 0n, due: 0n }
    return { ...fitOf({ total, due }, memories.get(key) ?? nothing, handedOver.get(key) ?? 0n), due }
  }
  const lost = await lostWallets(tx)
  const ahead = Map.groupBy(
    [...memories.values()].filter((place) => of(place).isAhead),
    ({ token, debtor }) => `${token} ${debtor}`,
  )
  const remembered = (place: Place) => {
    const { paid, waived } = memories.get(keyOf(place)) ?? nothing
    return paid + waived
  }
  const aheadWallets: Fits['aheadWallets'] = ({ token, debtor }) =>
    (ahead.get(`${token} ${debtor}`) ?? []).map(({ wallet }) => wallet)
  return {
    ...{ of, remembered, aheadWallets },
    isAhead: (place) => aheadWallets(place).some((wallet) => !lost.has(wallet)),
    isElsewhere: (place) => memories.get(keyOf(place))?.isElsewhere === true,
  }
}

const nothing: Memory = { paid: 0n, waived: 0n }
const keyOf = ({ wallet, token, debtor }: Place): string => `${wallet} ${token} ${debtor}`

async function loadMemories(
  tx: Db,
  rowsOf: ReadonlyMap<Address, readonly LoadedRow[]>,
): Promise<Map<string, Place & Memory & { isElsewhere: boolean }>> {
  const found = await tx.execute<Place & { payee: Address | null; paid: string; total: string }>(sql`
    select wallet, token, debtor, payee, coalesce(sum(units) filter (where kind = 'paid'), 0)::text as paid,
      max(total)::text as total
    from ${registerEntries} where not is_gone and debtor = any(${sql.param([...rowsOf.keys()])}::text[])
    group by wallet, token, debtor, payee`)
  return new Map(
    [...Map.groupBy(found, keyOf)].map(([key, entries]) => {
      const [{ wallet, token, debtor }] = entries as [(typeof entries)[number]]
      const [wrong, right] = [true, false].map((is) =>
        entries.filter(
          ({ payee }) =>
            payee !== null && isElsewhere({ debtor, recipient: payee }, rowsOf.get(debtor) ?? []) === is,
        ),
      ) as [typeof entries, typeof entries]
      const paid = sum(right.map((one) => BigInt(one.paid)))
      const total = entries.map((one) => BigInt(one.total)).reduce(greater)
      return [key, { wallet, token, debtor, paid, waived: total - paid, isElsewhere: wrong.length > 0 }]
    }),
  )
}

const greater = (a: bigint, b: bigint): bigint => (a > b ? a : b)

/**
 * What each wallet has paid by the register of debts that another one owes now. It may have had them from a third: a
 * debt that was handed on twice names the first wallet and the last alone.
 */
function handedOn(rows: readonly LoadedRow[], accounts: Accounts['accounts']): Map<string, bigint> {
  const handed = new Map<string, bigint>()
  for (const { id, payer: debtor } of rows)
    for (const { token, byOthers } of accounts.get(id)?.parts ?? [])
      for (const [wallet, units] of byOthers) {
        const key = keyOf({ wallet, token, debtor })
        handed.set(key, (handed.get(key) ?? 0n) + units)
      }
  return handed
}

/** What each wallet was paid and another one owes now. */
async function loadHandedOver(tx: Db, payers: readonly Address[]): Promise<Map<string, bigint>> {
  const found = await tx.execute<Place & { units: string }>(sql`
    select p.wallet, coalesce(p.token, e.token) as token, r.payer as debtor, sum(p.units)::text as units
    from ${refundRowPayments} l join ${payments} p on p.id = l.payment_id
    join ${refundRows} r on r.id = l.row_id join ${refundBatches} b on b.id = r.batch_id
    join ${events} e on e.number = b.event_number
    where l.is_live and l.paid_by <> p.wallet and r.payer = any(${sql.param([...payers])}::text[])
    group by 1, 2, 3`)
  return new Map(found.map(({ units, ...place }) => [keyOf(place), BigInt(units)]))
}
