import type { RefundKind } from '../../../../core/refund/rules.ts'
import type { Answer } from '../../shell/answers.ts'

export type DeskAnswer = Answer<'get', '/api/admin/refunds'>
export type DeskSummary = DeskAnswer['summary']
export type OperatorTransfer = DeskSummary['unallocated'][number]
export type DeskRow = DeskAnswer['rows'][number]

/** Which rows the desk shows. */
export type DeskScope = { kind: RefundKind; eventNumber: number }
