import { type TSchema, t } from 'elysia'
import { type ErrorCode, errors } from '../../../core/errors.ts'

/** Shapes of the public answers. A test holds them against the types of `core` and against real answers. */
const closed = { additionalProperties: false }
const orNull = <S extends TSchema>(schema: S) => t.Union([schema, t.Null()])
const moment = (about: string) => t.String({ format: 'date-time', description: about })
const hex = <T extends string>(pattern: string, description: string) =>
  t.Unsafe<T>({ type: 'string', pattern, description })

/** `t.Integer` of Elysia also takes digits in a text, which no answer of ours is. */
const whole = (options: Record<string, unknown> = {}) => t.Unsafe<number>({ type: 'integer', ...options })

const Address = hex<`0x${string}`>('^0x[0-9a-fA-F]{40}$', 'With its checksum.')
const Hash = hex<`0x${string}`>('^0x[0-9a-f]{64}$', 'Lower case.')
const Cents = whole({ description: 'Hundredths of a USDT.' })
const Status = t.UnionEnum(['received', 'confirming', 'credited', 'rejected', 'not_found'])
const Reason = orNull(
  t.UnionEnum(['late', 'early', 'underpaid', 'reverted', 'no_transfer', 'wrong_token', 'old_wallet', 'held']),
)
const Version = whole({ description: 'Never goes back, of no process: what carries a lower one is old.' })
const Now = whole({ description: "The database's clock, milliseconds since 1970." })

export const Config = t.Object(
  {
    eventNumber: whole(),
    drawDate: orNull(moment('Null while it is not set.')),
    saleEndDate: orNull(moment('Draw date less the lead.')),
    saleStart: moment('A sale is start <= block time < end.'),
    isRefundMode: t.Boolean(),
    googleFormUrl: orNull(t.String()),
    operatorWallet: orNull(Address),
    minTicketsForDraw: whole(),
    chainId: whole(),
    tokenAddress: Address,
    saleLeadSeconds: whole(),
    salesPaused: t.Boolean({
      description: 'The buy button is off; what is paid on chain is still credited.',
    }),
  },
  closed,
)
export const Stats = t.Object(
  { ticketsSold: whole(), ticketPrice: t.Number({ description: 'USDT.' }) },
  closed,
)
export const Purchase = t.Object(
  {
    id: whole(),
    ticketNumber: whole({ description: 'First of its tickets.' }),
    ticketCount: whole(),
    transactionHash: Hash,
    walletAddress: Address,
    createdAt: moment("Time of the payment's block."),
    amount: Cents,
  },
  closed,
)
export const Recent = t.Array(Purchase, { description: 'The newest 50, newest first.' })
export const Winner = orNull(
  t.Object(
    {
      eventNumber: whole(),
      walletAddress: Address,
      transactionHash: Hash,
      ticketNumber: whole(),
      randomNumber: t.String({ description: 'The accepted seed as a decimal number.' }),
      announcedAt: moment('When the drawing ended.'),
    },
    closed,
  ),
)
export const DrawStatus = t.Object(
  { isDrawing: t.Boolean(), isRefundMode: t.Boolean(), canDraw: t.Boolean(), refundNotice: t.Boolean() },
  closed,
)
export const History = t.Array(
  t.Object(
    {
      id: whole(),
      eventNumber: whole(),
      drawDate: orNull(moment('')),
      winnerWallet: orNull(Address),
      winnerTransactionHash: orNull(Hash),
      randomNumber: orNull(t.String()),
    },
    closed,
  ),
)
export const EventSettings = t.Object(
  {
    prizeImageUrl: orNull(t.String()),
    prizeValue: orNull(t.String()),
    prizeDescription: orNull(t.String()),
    eventStartDate: orNull(moment('')),
    isActive: t.Boolean(),
    updatedAt: orNull(moment('')),
  },
  closed,
)
const wholeState = {
  version: Version,
  config: Config,
  stats: Stats,
  recent: Recent,
  winner: Winner,
  drawStatus: DrawStatus,
  history: History,
  eventSettings: EventSettings,
}
export const State = t.Object(wholeState, closed)
export const LiveSnapshot = t.Object({ ...wholeState, now: Now }, closed)
export const LiveChange = t.Object(
  {
    ...t.Partial(State).properties,
    version: Version,
    now: Now,
    recentAdded: t.Optional(t.Array(Purchase, { description: 'Go before the purchases known so far.' })),
  },
  closed,
)
export const LiveBeat = t.Object({ version: Version, now: Now, stale: t.Boolean() }, closed)

const paymentFields = {
  status: Status,
  reason: Reason,
  ticketNumber: orNull(whole({ description: 'First of its tickets, once given out.' })),
  ticketCount: whole(),
  amount: Cents,
  refund: orNull(
    t.Object(
      {
        state: t.UnionEnum(['planned', 'offered', 'sent', 'settled', 'failed']),
        amount: whole({ description: 'Hundredths of a USDT that the payer gets back at once.' }),
        transactionHash: orNull(Hash),
      },
      closed,
    ),
  ),
}
export const PurchaseHint = t.Object({
  transactionHash: t.String({ description: '0x and 64 hexadecimal digits, in any case, trimmed.' }),
  walletAddress: t.Optional(t.String({ description: 'A hint; the sender on chain owns the tickets.' })),
  quantity: t.Optional(whole({ minimum: 1, maximum: 10_000_000, description: 'A hint.' })),
  amount: t.Optional(whole({ minimum: 1, maximum: 1_000_000_000_000, description: 'A hint, hundredths.' })),
})
export const PurchaseReceipt = t.Object({ transactionHash: Hash, status: Status }, closed)
export const PurchaseReport = t.Object(
  {
    transactionHash: Hash,
    status: Status,
    reason: Reason,
    payments: t.Array(t.Object({ walletAddress: Address, ...paymentFields }, closed)),
  },
  closed,
)
export const WalletReport = t.Object(
  {
    walletAddress: Address,
    ticketCount: whole(),
    payments: t.Array(t.Object({ transactionHash: Hash, ...paymentFields, createdAt: moment('') }, closed), {
      description: 'Of the current event, newest first.',
    }),
  },
  closed,
)
const Units = hex<string>('^[0-9]+$', 'Units of 10^-18 USDT.')
const LowerHash = hex<`0x${string}`>('^0x[0-9a-f]{64}$', 'Lower case.')
const LowerAddress = hex<`0x${string}`>('^0x[0-9a-f]{40}$', 'Lower case.')
const seconds = (about: string) => whole({ description: `${about}, seconds since 1970.` })
export const Proof = t.Object(
  {
    version: t.Literal(1),
    eventNumber: whole(),
    chainId: whole(),
    token: LowerAddress,
    operatorWallet: LowerAddress,
    ticketPrice: Units,
    saleStart: moment(''),
    saleEndDate: moment(''),
    drawDate: moment(''),
    ticketsSold: whole(),
    ledger: t.Object({ sha256: LowerHash, lines: whole({ description: 'Without the header.' }) }, closed),
    anchor: orNull(
      t.Object(
        { transactionHash: LowerHash, blockNumber: whole(), timestamp: seconds('Time of its block') },
        closed,
      ),
    ),
    blocks: t.Array(t.Object({ number: whole(), hash: LowerHash, timestamp: seconds('Its time') }, closed), {
      minItems: 5,
      maxItems: 5,
      description: 'D-4 to D, oldest first.',
    }),
    seed: LowerHash,
    counter: whole({ description: 'Seeds refused before the accepted one.' }),
    randomNumber: t.String(),
    winningTicket: whole(),
    winner: t.Object(
      {
        walletAddress: LowerAddress,
        transactionHash: LowerHash,
        ticketNumber: whole(),
        ticketCount: whole(),
      },
      closed,
    ),
  },
  closed,
)
export const Changes = t.Array(
  t.Object(
    {
      eventNumber: whole(),
      at: moment(''),
      field: t.String(),
      from: orNull(t.String()),
      to: orNull(t.String()),
    },
    closed,
  ),
  { description: 'Newest first.' },
)
export const ClaimText = t.Object(
  { walletAddress: Address, message: t.String({ description: 'What the winning wallet signs.' }) },
  closed,
)
export const Claim = t.Object({
  eventNumber: whole({ minimum: 1 }),
  signature: t.String({ pattern: '^0x[0-9a-fA-F]{130}$' }),
})
export const ClaimCode = t.Object({ eventNumber: whole(), code: t.String() }, closed)
export const ErrorBody = t.Object(
  {
    code: t.Unsafe<ErrorCode | 'INTERNAL'>({ enum: [...Object.keys(errors), 'INTERNAL'] }),
    error: t.String({ description: 'For people.' }),
    message: t.String(),
    requestId: t.String(),
    field: t.Optional(t.String({ description: 'The value of the call that is meant.' })),
  },
  closed,
)
export const Health = t.Object({ status: t.Literal('ok') }, closed)
export const ReadyReport = t.Object(
  { status: t.Literal('ready'), stale: t.Boolean(), version: Version },
  closed,
)
