import { Type as t } from '@sinclair/typebox'
import {
  address,
  answer,
  hash,
  lowerAddress,
  moment,
  whole as number,
  orNull,
  refundReason,
  units,
} from '../http/answers.ts'
import { exact } from '../http/schema.ts'
import { hash as hashIn, signature, text, whole } from '../http/values.ts'

export const anchorBody = exact({ transactionHash: hashIn })
export const claimCheckBody = exact({ eventNumber: whole(1, 999_999_999), code: text({ max: 64 }) })
export const claimBody = t.Object({
  eventNumber: whole(1, 999_999_999, { says: '{name} must be a whole number from 1 to 999999999.' }),
  signature: signature('{name} must be 0x and 130 hexadecimal digits, as a wallet makes it.'),
})

export const drawnAnswer = answer({ eventNumber: number(), isDrawing: t.Boolean() })
export const clearedAnswer = answer({
  clearedWinner: answer({
    eventNumber: number(),
    walletAddress: address,
    transactionHash: hash,
    ticketNumber: number(),
    randomNumber: t.String(),
  }),
})
export const anchoredAnswer = answer({ eventNumber: number(), transactionHash: hash })
export const claimText = answer(
  { walletAddress: address, message: t.String({ description: 'What the winning wallet signs.' }) },
  { $id: 'ClaimText' },
)
export const claimCode = answer({ eventNumber: number(), code: t.String() }, { $id: 'ClaimCode' })
export const checkedClaim = answer({ isValid: t.Boolean(), walletAddress: orNull(address) })

export const drawHistory = t.Array(
  answer({
    id: number(),
    eventNumber: number(),
    drawDate: orNull(moment()),
    isActive: t.Boolean(),
    isRefundMode: t.Boolean(),
    winnerCleared: t.Boolean(),
    ticketsSold: number(),
    minTicketsForDraw: number(),
    ticketPrice: t.Number({ description: 'USDT.' }),
    operatorWallet: orNull(address),
    ledgerSha256: orNull(hash),
    winnerId: orNull(number()),
    winnerWallet: orNull(address),
    winnerTransactionHash: orNull(hash),
    winningTicket: orNull(number()),
    randomNumber: orNull(t.String()),
    drawnAt: orNull(moment()),
  }),
  { description: 'Newest first.' },
)

export const publicWinner = answer(
  {
    eventNumber: number(),
    walletAddress: address,
    transactionHash: hash,
    ticketNumber: number(),
    randomNumber: t.String({ description: 'The accepted seed as a decimal number.' }),
    announcedAt: moment('When the drawing ended.'),
  },
  { $id: 'Winner' },
)
export const drawStatus = answer(
  {
    isDrawing: t.Boolean(),
    isRefundMode: t.Boolean(),
    canDraw: t.Boolean(),
    refundNotice: t.Boolean(),
    refundReason,
  },
  { $id: 'DrawStatus' },
)

const seconds = (about: string) => number(`${about}, seconds since 1970.`)
export const proof = answer(
  {
    version: t.Literal(1),
    eventNumber: number(),
    chainId: number(),
    token: lowerAddress,
    operatorWallet: lowerAddress,
    ticketPrice: units,
    saleStart: moment(),
    saleEndDate: moment(),
    drawDate: moment(),
    terms: t.String({ description: 'The line that was frozen with the ticket list.' }),
    ticketsSold: number(),
    ledger: answer({ sha256: hash, lines: number('Without the header.') }),
    secondReading: t.Boolean({
      description:
        'The whole sale was read a second time, with the same payments, before the list was frozen.',
    }),
    anchor: orNull(
      answer({ transactionHash: hash, blockNumber: number(), timestamp: seconds('Time of its block') }),
    ),
    blocks: t.Array(answer({ number: number(), hash: hash, timestamp: seconds('Its time') }), {
      minItems: 5,
      maxItems: 5,
      description: 'D-4 to D, oldest first.',
    }),
    seed: hash,
    counter: number('Seeds refused before the accepted one.'),
    randomNumber: t.String(),
    winningTicket: number(),
    winner: answer({
      walletAddress: lowerAddress,
      transactionHash: hash,
      ticketNumber: number(),
      ticketCount: number(),
    }),
  },
  { $id: 'Proof' },
)
