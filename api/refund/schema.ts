import { Type as t } from '@sinclair/typebox'
import { type DetailsOf, RaffleError } from '../../core/errors.ts'
import { type RefundLine, refundHolds, refundStates, transferMarks } from '../../core/refund/rules.ts'
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
  refundReason,
  units,
} from '../http/answers.ts'
import { exact, invalid, nullable, optional, read, refuse } from '../http/schema.ts'
import { choice, date, digits, flag, hash as hashIn, oneOf, text, wallet, whole } from '../http/values.ts'

/** Requests of the refund desk. None sets an amount or says where money goes. */
const maxInt = 2 ** 31 - 1
const mostPayers = 180
const sum = whole(0, Number.MAX_SAFE_INTEGER)

/** The start of an address, as far as it was typed. */
const addressStart = optional(
  read(t.String({ maxLength: 42, ...invalid }), (value) => {
    const start = value.trim().toLowerCase()
    return /^0x[0-9a-f]*$/.test(start) ? start : refuse()
  }),
)
export const pageQuery = t.Object({
  cursor: optional(wallet),
  event: digits(9),
  state: oneOf([...refundStates, 'dust']),
  search: addressStart,
})
export const payerInPath = t.Object({ payer: wallet })
export const executeBody = exact({
  refundInfo: exact({ totalTickets: sum, totalAmount: sum }),
  eventNumber: t.Optional(whole(1, maxInt)),
})
export const noteBody = exact({ note: t.Optional(text({ max: 500, lines: true })) })
export const sentBody = exact({
  transactionHash: hashIn,
  payers: t.Optional(t.Array(wallet, { maxItems: mostPayers, ...invalid })),
})
export const markBody = read(
  exact({
    ...{ transactionHash: hashIn, payer: t.Optional(wallet), wallet: t.Optional(wallet) },
    markedAs: nullable(choice([...transferMarks, 'own'])),
    ...{ eventNumber: t.Optional(whole(1, maxInt)), place: t.Optional(whole(1, 20)) },
  }),
  (body) => {
    const isNamed = body.eventNumber !== undefined && body.place !== undefined
    if (body.markedAs === 'prize' && !isNamed) throw refused({ reason: 'place', field: 'place' })
    return body
  },
)
/** `from` by block time: who names the present says that nothing was paid to the thief yet. */
export const stolenBody = exact({ wallet, from: date })
export const refused = (why: DetailsOf<'INVALID_VALUE'>) => new RaffleError('INVALID_VALUE', why)
/** On by default. */
export const noticeBody = exact({ active: t.Optional(flag()) })

const signed = t.String({ pattern: '^-?[0-9]+$', description: 'Units of 10^-18 USDT; below 0 is surplus.' })
const holds = t.Array(listed(refundHolds))

export const refundRow = answer({
  payer: address,
  owed: units,
  byHand: units,
  byRegister: units,
  total: t.String({ pattern: '^[0-9]+$', description: 'What `payUpTo` names.' }),
  due: signed,
  amount: number('`due` in hundredths of a USDT, rounded down.'),
  state: listed<RefundLine['state']>(refundStates),
  holds,
  events: t.Array(number(), { description: 'Events in which he is owed something.' }),
  tickets: number(),
  transactionHash: orNull(hash),
})
export const refundPage = t.Array(refundRow, {
  description: 'At most 100, by address; the last one is the cursor of the next page.',
})

const refundInfo = answer({ totalTickets: number(), totalAmount: cents })
export const refundSummary = answer({
  ...{ owed: units, paid: units, due: units, held: units },
  payers: answer({ owed: number(), due: number(), held: number(), sent: number(), settled: number() }),
  dust: answer({ payers: number(), units }),
  unmarkedTransfers: number('They hold the lines of their payers until they are marked.'),
  reports: t.Array(answer({ transactionHash: hash, payers: number(), at: moment() })),
  isPaused: t.Boolean(),
  isWatching: t.Boolean({ description: 'What wallets sent was read up to now; nothing is handed out else.' }),
  book: orNull(hash),
  token: address,
  chainId: number(),
  operatorWallet: orNull(address),
  minUnits: units,
  events: t.Array(
    answer({
      eventNumber: number(),
      isRefundMode: t.Boolean(),
      reason: refundReason,
      refundInfo,
      ...{ payers: number(), settled: number(), due: units },
    }),
    { description: 'In which somebody is owed something, newest first.' },
  ),
})

export const payerFacts = answer({
  row: refundRow,
  payments: t.Array(
    answer({
      ...{ transactionHash: hash, wallet: address, eventNumber: number(), amount: cents, units },
      ...{ ticketCount: number(), reason, at: moment() },
      received: t.String({ pattern: '^[0-9]+$', description: 'What of it came back, oldest payment first.' }),
      isOwn: t.Boolean({ description: 'Marked as the operator’s own money.' }),
    }),
  ),
  transfers: t.Array(
    answer({
      ...{ transactionHash: hash, wallet: address, amount: cents, units, at: moment() },
      kind: listed(['register', 'hand']),
      markedAs: orNull(listed(transferMarks)),
    }),
  ),
  decisions: t.Array(
    answer({ decision: listed(['hold', 'release']), holds, note: orNull(t.String()), at: moment() }),
  ),
})

export const execution = answer({
  needsManualExecution: t.Boolean({ description: 'Something is left to be signed in a wallet.' }),
  refundTransactions: t.Array(
    answer({ to: address, amount: cents, units, total: t.String({ description: 'What `payUpTo` names.' }) }),
  ),
  summary: answer({ totalRefunds: number(), totalAmount: cents }),
})
export const reported = answer({ transactionHash: hash })
export const stolen = answer({ wallet: address, stolenFrom: moment() })
export const notice = answer({ active: t.Boolean() })
export const refundHistory = t.Array(
  answer({
    ...{ eventNumber: number(), reason: refundReason, startedAt: moment() },
    ...{ payers: number(), settled: number(), totalAmount: cents, settledAmount: cents },
  }),
  { description: 'Newest first.' },
)
