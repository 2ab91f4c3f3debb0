import { Type as t } from '@sinclair/typebox'
import { RaffleError } from '../../core/errors.ts'
import { transferClasses, transferMarks } from '../../core/refund/classes.ts'
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
import { choice, digits, flag, hash as hashIn, oneOf, text, wallet, whole } from '../http/values.ts'
import { ownWalletFields } from './wallet-schema.ts'

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

/** How long a call of the register may run: an hour, or a week for a file that several people sign. */
const longestCall = 604_800
const paths = ['register', 'transfers'] as const

/**
 * One transaction per row, unless the wallet sends fewer, or allowances in addition. `relayed`: a relay may send it, or
 * the wallet does not keep the nonces that it is given, which is taken for so unless the page knows better.
 */
export const offerBody = read(
  exact({
    ...{ ids, nonce, wallet },
    transactions: t.Optional(whole(1, maxRows + 2)),
    path: t.Optional(choice(paths)),
    validFor: t.Optional(whole(60, longestCall)),
    relayed: t.Optional(flag()),
  }),
  ({ transactions, path = 'transfers', validFor, relayed = true, ...body }) => {
    const offer = { ...body, relayed }
    const most = offer.ids.length + 2
    if (transactions !== undefined && transactions > most)
      throw invalid('transactions', `1부터 ${most}까지의 정수여야 합니다.`)
    if (validFor !== undefined && path !== 'register')
      throw invalid('validFor', '환불 컨트랙트로 지급할 때만 정할 수 있습니다.')
    return { ...offer, path, validFor: validFor ?? 3_600, transactions: transactions ?? offer.ids.length }
  },
)
const invalid = (field: string, says: string) =>
  new RaffleError('INVALID_VALUE', `${field}: ${says}`, {}, { field })

export const keepBody = exact({ rows, nonce })
export const rejectedBody = exact({ rows })
export const revisionBody = exact({ revision })
/** EIP-5792: the id of a batch has 4,096 bytes at most. */
const bundle = text({ max: 4_096 })
/** `claims`: the offers that it answers, as they were handed out; one that is no longer out is a conflict. */
export const sentBody = exact(
  { ids, claims: t.Optional(rows), transactionHash: t.Optional(hashIn), bundle: t.Optional(bundle) },
  { someOf: ['transactionHash', 'bundle'] },
)
export const sentOneBody = exact({ transactionHash: hashIn, revision: t.Optional(revision) })
/** On by default. */
export const noticeBody = exact({ active: t.Optional(flag()) })

const row = {
  id: number(),
  to: address,
  amount: cents,
  units,
  state: refundState,
  reason: orNull(
    listed<NonNullable<RefundRow['reason']>>([
      ...refundHolds,
      'covered',
      'replaced',
      'ahead',
      'elsewhere',
      'unchecked',
      'unread',
    ]),
  ),
  transactionHash: orNull(hash),
}
export const refundRow = answer(row, { $id: 'RefundRow' })
export const refundRows = answer({ rows: t.Array(refundRow) })
/** As handed to the wallet: its answer is recorded under this `revision`. */
export const offeredRows = answer({
  rows: t.Array(answer({ ...row, revision: number() })),
  register: orNull(
    answer({
      address,
      token: address,
      validUntil: number('In seconds; no later block can run the call.'),
      debtors: t.Array(
        answer({
          ...{ debtor: address, payee: address },
          total: t.String({ description: 'What the call names: all that the wallet has paid and owes him.' }),
          units,
        }),
        { description: 'Ascending by address; `units` is what the call will newly pay.' },
      ),
    }),
  ),
})
export const keptAnswer = answer({ ids: t.Array(number()) })

const totals = { totalRefunds: number(), totalAmount: cents, totalUnits: units }
const facts = answer({
  ...{ ...totals, totalTickets: number() },
  waiting: answer(totals, {
    description:
      'Owed as well, but not yet to be prepared: it may get tickets until the sale was read a second time.',
  }),
})
export const execution = answer({
  needsManualExecution: t.Boolean(),
  refundTransactions: t.Array(refundRow, {
    description: 'Everything that is not done; `amount` and `units` are what is still to be sent.',
  }),
  summary: answer(totals),
})
export const deskRowFields = {
  ...row,
  kind: listed(kinds),
  payer: address,
  dueUnits: t.String({ description: 'What is still to be sent.' }),
  revision: number(),
  offeredAt: orNull(moment('Since when a wallet has it, or some page waits for its wallet.')),
  nonceBound: orNull(
    number('What the final nonce of the wallet must have passed before the row may be offered again.'),
  ),
  flight: orNull(
    answer({
      relayed: t.Boolean({
        description:
          'Its nonces alone do not free it: a day has to pass, and an administrator to say it is lost.',
      }),
      bundle: orNull(t.String({ description: 'What `wallet_sendCalls` answered: an id of that wallet.' })),
      lostFrom: moment('From when on an administrator may say that it is lost.'),
      lostAt: orNull(moment('When an administrator said so.')),
    }),
  ),
  offeredPath: orNull(listed(['register', 'transfers'])),
  offeredWallet: orNull(address),
  validUntil: orNull(moment('Until when in block time its call of the register may still run.')),
}
export const deskRow = answer(deskRowFields, { $id: 'RefundDeskRow' })
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
    wallets: t.Array(
      answer({
        ...ownWalletFields,
        isContract: t.Boolean({ description: 'A Safe: its owners sign a file, no browser connects it.' }),
        dueUnits: t.String({ description: 'What it still owes in this event, without held rows.' }),
      }),
    ),
    token: address,
    chainId: number(),
    unallocated: t.Array(
      answer({
        transactionHash: hash,
        position: number(),
        to: address,
        amount: cents,
        units,
        at: moment(),
        class: listed(transferClasses),
        notRefund: t.Boolean(),
        markedAs: orNull(listed(transferMarks)),
      }),
      { description: 'Final transfers to payers that belong to no row.' },
    ),
  }),
  rows: t.Array(
    answer({
      ...deskRowFields,
      dueBy: t.Array(
        answer({
          wallet: address,
          units: t.String(),
          isLeft: t.Boolean({ description: 'It will never pay this, so any other wallet of ours may.' }),
        }),
        { description: 'Which wallets still owe it, without what is held.' },
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
