import type { DeskRow } from '../../site/src/admin/refund/types.ts'

/** A row as the desk might list it, for tests. */
export const madeUpRow = (
  state: DeskRow['state'],
  reason: DeskRow['reason'] = null,
  [units, dueUnits]: readonly [units: string, dueUnits: string] = ['3', '3'],
): DeskRow => ({
  ...{ id: 1, kind: 'event', to: '0x00', payer: '0x00', amount: 300, units, dueUnits },
  ...{ state, reason, transactionHash: null, revision: 1, offeredAt: null, nonceBound: null },
  ...{ offeredWallet: null, offeredPath: null, validUntil: null, flight: null },
})
