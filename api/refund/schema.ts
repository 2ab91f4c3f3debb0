import { Type as t } from '@sinclair/typebox'
import type { Address, Hex } from 'viem'
import { RaffleError } from '../../core/errors.ts'
import { type RefundKind, type RefundRow, refundHolds } from '../../core/refund/rules.ts'
import {
  address,
  answer,
  cents,
  hash,
  listed,
  moment,
  whole as number,
  orNull,
  reason,
  refundState,
  units,
} from '../http/answers.ts'
import { exact, read, refusal } from '../http/schema.ts'
import { choice, digits, flag, hash as hashIn, oneOf, wallet, whole } from '../http/values.ts'

/** Requests of the refund desk. None sets an amount, and only a signed readdress sets a recipient. */
const maxRows = 500
const maxId = Number.MAX_SAFE_INTEGER
const kinds = ['event', 'leftover'] as const satisfies RefundKind[]

export const deskQuery = t.Object({ event: digits(9), kind: oneOf(kinds) })

/** An id in a path; any other text is a row that does not exist. */
export const rowInPath = t.Object({
  id: read(
    t.String({ pattern: '^[1-9]\\d{0,14}$', ...refusal('NOT_FOUND', '해당 환불 항목이 없습니다.') }),
    Number,
  ),
})

export const executeBody = exact({
  refundInfo: exact({ totalTickets: whole(0, maxId), totalAmount: whole(0, maxId) }),
  kind: t.Optional(choice(kinds)),
  eventNumber: t.Optional(whole(1, 2 ** 31 - 1)),
})

const list = { minItems: 1, maxItems: maxRows, ...refusal() }
const ids = read(t.Array(whole(1, maxId), list), (values) => [...new Set(values)])
const nonce = whole(0, 2 ** 40)
const revision = whole(1, maxId)
const rows = t.Array(exact({ id: whole(1, maxId), revision }), list)

/** One transaction per row, unless the wallet sends fewer, or allowances in addition. */
export const offerBody = read(
  exact({ ids, nonce, wallet, transactions: t.Optional(whole(1, maxRows + 2)) }),
  ({ transactions, ...offer }) => {
    const most = offer.ids.length + 2
    if (transactions === undefined || transactions <= most)
      return { ...offer, transactions: transactions ?? offer.ids.length }
    const field = 'transactions'
    throw new RaffleError('INVALID_VALUE', `${field}: 1부터 ${most}까지의 정수여야 합니다.`, {}, { field })
  },
)
export const keepBody = exact({ rows, nonce })
export const rejectedBody = exact({ rows })
export const revisionBody = exact({ revision })
export const sentBody = exact({ ids, transactionHash: hashIn })
export const sentOneBody = exact({ transactionHash: hashIn })
export const wishQuery = t.Object({ recipient: wallet })
export const readdressBody = exact({
  recipient: wallet,
  /** 65 bytes from a key; a contract's signature may be longer. */
  signature: t.Unsafe<Hex>(t.String({ pattern: '^0[xX](?:[0-9a-fA-F]{2}){1,4096}$', ...refusal() })),
})
export const transferBody = exact({ transactionHash: hashIn, position: whole(0, 100_000), notRefund: flag() })
/** On by default. */
export const noticeBody = exact({ active: t.Optional(flag()) })

const row = {
  id: number(),
  to: address,
  amount: cents,
  units,
  state: refundState,
  reason: orNull(
    listed<NonNullable<RefundRow['reason']>>([...refundHolds, 'covered', 'replaced', 'unchecked']),
  ),
  transactionHash: orNull(hash),
}
export const refundRow = answer(row, { $id: 'RefundRow' })
export const refundRows = answer({ rows: t.Array(refundRow) })
/** As handed to the wallet: its answer is recorded under this `revision`. */
export const offeredRows = answer({ rows: t.Array(answer({ ...row, revision: number() })) })
export const keptAnswer = answer({ ids: t.Array(number()) })

const totals = { totalRefunds: number(), totalAmount: cents, totalUnits: units }
const facts = answer({ ...totals, totalTickets: number() })
export const execution = answer({
  needsManualExecution: t.Boolean(),
  refundTransactions: t.Array(refundRow, {
    description: 'Everything that is not done; `amount` and `units` are what is still to be sent.',
  }),
  summary: answer(totals),
})
export const desk = answer({
  summary: answer({
    ...totals,
    eventNumber: number(),
    isRefundMode: t.Boolean(),
    isPaused: t.Boolean(),
    isWatching: t.Boolean({ description: 'Somebody looks at the whole final chain; nothing goes out else.' }),
    event: facts,
    leftover: facts,
    done: answer(totals),
    underWay: answer(totals),
    held: answer(totals),
    operatorWallet: orNull(address),
    wallets: t.Array(address),
    token: address,
    chainId: number(),
    disperseAddress: orNull(address),
    unallocated: t.Array(
      answer({
        transactionHash: hash,
        position: number(),
        to: address,
        amount: cents,
        units,
        at: moment(),
        notRefund: t.Boolean(),
      }),
      { description: 'Final transfers to payers that belong to no row.' },
    ),
  }),
  rows: t.Array(
    answer({
      ...row,
      kind: listed(kinds),
      payer: address,
      dueUnits: t.String({ description: 'What is still to be sent.' }),
      revision: number(),
      offeredAt: orNull(moment('Since when a wallet has it, or some page waits for its wallet.')),
      nonceBound: orNull(
        number('What the final nonce of the wallet must have passed before the row may be offered again.'),
      ),
    }),
  ),
})
export const rowFacts = answer({
  id: number(),
  payer: address,
  hold: orNull(listed([...refundHolds])),
  releasedAt: orNull(moment()),
  settledAt: orNull(moment()),
  offered: orNull(
    answer({
      at: moment(),
      wallet: orNull(address),
      nonce: orNull(number()),
      nonceBound: orNull(number()),
    }),
  ),
  payments: t.Array(
    answer({
      transactionHash: hash,
      amount: cents,
      ticketCount: number(),
      reason,
      blockNumber: number(),
      at: moment(),
    }),
  ),
  transfers: t.Array(
    answer({
      transactionHash: hash,
      wallet: address,
      to: address,
      amount: cents,
      blockNumber: number(),
      at: moment(),
    }),
  ),
})
export const wish = answer({
  message: t.String({ description: 'For personal_sign (EIP-191).' }),
  typedData: t.Unsafe<Wish>(t.Object({}, { description: 'For EIP-712.' })),
})
type Wish = {
  domain: { name: string; version: string; chainId: number }
  types: Record<string, readonly { name: string; type: string }[]>
  primaryType: 'Readdress'
  message: { refund: string; payer: Address; recipient: Address }
}
export const markedTransfer = answer({ transactionHash: hash, position: number(), notRefund: t.Boolean() })
export const notice = answer({ active: t.Boolean() })
export const refundHistory = t.Array(
  answer({
    id: number(),
    kind: listed(kinds),
    eventNumber: orNull(number()),
    createdAt: moment(),
    rows: number(),
    settled: number(),
    totalAmount: cents,
    settledAmount: cents,
  }),
  { description: 'Newest first.' },
)
