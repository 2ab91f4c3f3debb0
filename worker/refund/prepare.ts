import { RaffleError } from '../../core/errors.ts'
import type { Jobs } from '../../core/jobs.ts'
import { isContractCode } from '../../core/refund/rules.ts'
import { writeBatch } from '../../db/refund/batch.ts'
import { noteChecked, uncheckedRows } from '../../db/refund/checks.ts'
import type { Deps } from '../deps.ts'
import { checkHolders } from '../prize/holders.ts'
import { checkSignatures } from './signatures.ts'

/** Rows per round, five of an endpoint's batches; finished rounds stay if the next one fails. */
const rowsAtOnce = 500

type RefundDeps = Deps & { refundMinUnits: bigint }

/**
 * Updates an event's batch from its payments, then reads from the chain what must be known before a row is
 * offered: whether each payer is a contract, and what contracts say of signatures; also of holders of prizes. Safe to run twice: payments that are
 * in a row, checked rows and answered signatures are skipped.
 */
export async function prepareRefunds(deps: RefundDeps, scope: Jobs['prepare-refunds']): Promise<void> {
  const { db, refundMinUnits: minUnits } = deps
  if (scope.eventNumber !== undefined) {
    const { eventNumber, kind = 'event' } = scope
    await db.transaction((tx) => writeBatch(tx, { kind, eventNumber, minUnits })).catch(unlessNothingToDo)
  }
  await checkSignatures(deps)
  await checkPayers(deps)
  await checkHolders(deps)
}

/** The event's state has changed meanwhile, or it has no refunds: the other work goes on. */
function unlessNothingToDo(error: unknown): undefined {
  if (!(error instanceof RaffleError)) throw error
}

async function checkPayers({ db, chain }: Pick<Deps, 'db' | 'chain'>): Promise<void> {
  for (;;) {
    const rows = await uncheckedRows(db, rowsAtOnce)
    if (rows.length === 0) return
    const { number } = await chain.stateBlock(await chain.finalized())
    const codes = await chain.codes(
      rows.map((row) => row.payer),
      number,
    )
    const contracts = rows.filter((_, index) => isContractCode(codes[index]))
    await noteChecked(
      db,
      rows.map((row) => row.id),
      contracts.map((row) => row.id),
    )
  }
}
