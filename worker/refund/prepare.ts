import { RaffleError } from '../../core/errors.ts'
import type { Jobs } from '../../core/jobs.ts'
import { isContractCode } from '../../core/refund/rules.ts'
import { encodeIsValidSignature, isMagicValue, readdressDigests } from '../../core/refund/signature.ts'
import { writeBatch } from '../../db/refund/batch.ts'
import { noteChecked, uncheckedRows } from '../../db/refund/checks.ts'
import { answerReaddress, openReaddresses, wishOf } from '../../db/refund/decisions.ts'
import type { Deps } from '../deps.ts'

/** Rows per round, as many as two of an endpoint's batches; finished rounds stay if the next one fails. */
const rowsAtOnce = 500

type RefundDeps = Pick<Deps, 'db' | 'chain'> & { refundMinUnits: bigint }

/**
 * Updates an event's batch from its payments, then reads from the chain what must be known before a row is
 * offered: whether each payer is a contract, and whether a payer's contract accepts a signed wish. Safe to run
 * twice: payments that are in a row, checked rows and answered wishes are skipped.
 */
export async function prepareRefunds(deps: RefundDeps, scope: Jobs['prepare-refunds']): Promise<void> {
  const { db, refundMinUnits: minUnits } = deps
  if (scope.eventNumber !== undefined) {
    const { eventNumber, kind = 'event' } = scope
    await db.transaction((tx) => writeBatch(tx, { kind, eventNumber, minUnits })).catch(unlessNothingToDo)
  }
  await checkWishes(deps)
  await checkPayers(deps)
}

/** The event's state has changed meanwhile, or it has no refunds: the other work goes on. */
function unlessNothingToDo(error: unknown): undefined {
  if (!(error instanceof RaffleError)) throw error
}

async function checkPayers({ db, chain }: Pick<Deps, 'db' | 'chain'>): Promise<void> {
  for (;;) {
    const rows = await uncheckedRows(db, rowsAtOnce)
    if (rows.length === 0) return
    const head = await chain.finalized()
    const codes = await chain.codes(
      rows.map((row) => row.payer),
      head.number,
    )
    const contracts = rows.filter((_, index) => isContractCode(codes[index]))
    await noteChecked(
      db,
      rows.map((row) => row.id),
      contracts.map((row) => row.id),
    )
  }
}

/** ERC-1271: the payer is a contract, and only the contract knows whether the signature is its own. */
async function checkWishes({ db, chain }: Pick<Deps, 'db' | 'chain'>): Promise<void> {
  for (const { id, rowId, recipient, signature } of await openReaddresses(db)) {
    const wish = await wishOf(db, rowId, recipient).catch(unlessNothingToDo)
    if (!wish) {
      await db.transaction((tx) => answerReaddress(tx, id, null))
      continue
    }
    const head = await chain.finalized()
    let isGood = false
    for (const { digest } of readdressDigests(wish)) {
      const call = { to: wish.payer, data: encodeIsValidSignature(digest, signature) }
      const answer = await chain.call(call, head.number)
      if (answer !== undefined && isMagicValue(answer)) isGood = true
    }
    await db.transaction((tx) => answerReaddress(tx, id, isGood ? 'contract' : null))
  }
}
