import type { Db } from '../../db/index.ts'
import { owedSha256, type RefundScope, refundFacts, scopesOf } from '../../db/refund/totals.ts'
import type { ActionCall } from '../auth/guard.ts'

type Second = ActionCall['second']

/**
 * Under TWO_PERSON: somebody else has allowed this batch, with the payers and amounts that it has now. Once given the
 * word goes on for the same batch, so that it can be signed in many steps.
 */
export async function expectBatchWord(tx: Db, second: Second, scope: RefundScope): Promise<void> {
  if (!second.isOn) return
  const { totalTickets, totalRefunds, totalAmount, totalUnits } = await refundFacts(tx, scope)
  const seen = { ...scope, totalTickets, totalRefunds, totalAmount, totalUnits }
  const { kind, eventNumber } = scope
  await second.expect(tx, {
    action: 'refund.execute',
    payload: { ...seen, owedSha256: await owedSha256(tx, scope) },
    after: seen,
    stands: true,
    request: {
      method: 'POST',
      path: '/api/admin/raffle/execute-refund',
      body: { refundInfo: { totalTickets, totalAmount }, kind, eventNumber },
    },
  })
}

/** The same for every batch that one of these rows belongs to. */
export async function expectRowsWord(tx: Db, second: Second, ids: readonly number[]): Promise<void> {
  if (!second.isOn) return
  for (const scope of await scopesOf(tx, ids)) await expectBatchWord(tx, second, scope)
}
