import type { RefundKind } from '../../../../core/refund/rules.ts'
import type { Answer } from '../../shell/answers.ts'

export type DeskAnswer = Answer<'get', '/api/admin/refunds'>
export type DeskSummary = DeskAnswer['summary']
export type OperatorTransfer = DeskSummary['unallocated'][number]
/** A row with who owes it, and a row wherever it is shown. */
export type OwedRow = DeskAnswer['rows'][number]
export type DeskRow = Omit<OwedRow, 'dueBy'>
/** A payer on a page of the list, and all that the books hold about one. */
export type ListedPayer = Answer<'get', '/api/admin/refunds/payers'>['payers'][number]
export type PayerBooks = Answer<'get', '/api/admin/refunds/payers/:address'>

/** Which rows the desk shows. */
export type DeskScope = { kind: RefundKind; eventNumber: number }
