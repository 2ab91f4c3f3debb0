import { getAddress } from 'viem'
import { lostFrom } from '../../core/refund/nonce.ts'
import type { RefundKind } from '../../core/refund/rules.ts'
import type { StoredRow } from './accounts.ts'
import { toRefundRow } from './list.ts'

/** A row as the desk shows it; `due` is what is still to be sent, `isUnread`: it has to wait for the second reading. */
export const toDeskRow = (
  stored: StoredRow,
  kind: RefundKind,
  { due, isUnread }: { due: bigint; isUnread: boolean },
) => ({
  ...toRefundRow(stored, stored.units, isUnread),
  kind,
  payer: getAddress(stored.payer),
  dueUnits: stored.state === 'settled' ? '0' : `${due}`,
  revision: stored.revision,
  /** Since when a wallet has the row, or a page waits for its wallet. */
  offeredAt: stored.offeredAt?.toISOString() ?? null,
  // The nonce that the wallet must have passed before an unknown outcome is decided.
  nonceBound: stored.offeredAt ? stored.nonceBound : null,
  offeredPath: stored.offeredAt ? stored.offeredPath : null,
  offeredWallet: stored.offeredAt && stored.offeredWallet ? getAddress(stored.offeredWallet) : null,
  /** Until when in block time its call of the register may still run. */
  validUntil: stored.offeredAt ? (stored.validUntil?.toISOString() ?? null) : null,
  flight: flightOf(stored),
})

/** What is known of the request in flight. */
const flightOf = ({ offeredAt, relayed, bundle, lostAt }: StoredRow) =>
  offeredAt && {
    ...{ relayed, bundle },
    lostFrom: lostFrom({ offeredAt }).toISOString(),
    lostAt: lostAt?.toISOString() ?? null,
  }
