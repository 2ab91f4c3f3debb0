import { Type as t } from '@sinclair/typebox'
import { parseSignature } from '../../core/draw/beacon.ts'
import { mostEventNumber } from '../../core/event/ranges.ts'
import type { BeaconState, PublicDrawnTicket } from '../../core/live/public.ts'
import {
  address,
  answer,
  beaconSignature,
  entropy,
  hash,
  listed,
  lowerAddress,
  moment,
  whole as number,
  orNull,
  refundReason,
} from '../http/answers.ts'
import { read, refusal, refuse } from '../http/schema.ts'
import { cursor, whole } from '../http/values.ts'

export const beaconBody = t.Object({
  eventNumber: whole(1, mostEventNumber),
  signature: read(
    t.String(refusal('INVALID_SIGNATURE', { reason: 'form' })),
    (value) => parseSignature(value) ?? refuse(),
  ),
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
export const takenBeacon = answer({ eventNumber: number(), round: number(), randomness: hash })
export const anchorState = answer({
  eventNumber: number(),
  anchorWallet: orNull(lowerAddress),
  terms: answer({ commitment: hash, transactionHash: orNull(hash) }),
  list: orNull(answer({ commitment: hash, transactionHash: orNull(hash) })),
  others: t.Array(answer({ transactionHash: hash, walletAddress: lowerAddress, at: moment() }), {
    description: 'By a wallet of the event, with something else: whoever checks the draw is told of it.',
  }),
  key: orNull(
    answer({
      walletAddress: lowerAddress,
      balanceWei: t.String({ pattern: '^[0-9]+$' }),
      anchorsLeft: number('Anchors that the balance pays for.'),
      isLow: t.Boolean(),
      register: listed(['there', 'missing', 'other']),
      seenAt: moment(),
    }),
  ),
})
export const drawnTicket = answer({
  eventNumber: number(),
  kind: listed<PublicDrawnTicket['kind']>(['winner', 'reserve']),
  place: number('1 of the winners is the one of `raffle/winner`.'),
  walletAddress: address,
  transactionHash: hash,
  ticketNumber: number(),
})

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
    commitment: orNull(hash),
    entropy,
    winners: number('Promised; fewer are drawn from fewer payers.'),
    winnerId: orNull(number()),
    winnerWallet: orNull(address),
    winnerTransactionHash: orNull(hash),
    winningTicket: orNull(number()),
    randomNumber: orNull(t.String()),
    drawnAt: orNull(moment()),
    blockSeed: orNull(hash),
    beaconRound: orNull(number()),
    beaconSignature: orNull(beaconSignature),
    drawn: t.Array(drawnTicket, { description: 'Winners in order, then reserves.' }),
  }),
  { description: 'Newest first.' },
)

export const publicWinner = answer({
  eventNumber: number(),
  walletAddress: address,
  transactionHash: hash,
  ticketNumber: number(),
  randomNumber: t.String({ description: 'The accepted seed as a decimal number.' }),
  announcedAt: moment('When the drawing ended.'),
})
const seconds = (about: string) => number(`${about}, seconds since 1970.`)
const drawBlocks = t.Array(answer({ number: number(), hash: hash, timestamp: seconds('Its time') }), {
  minItems: 5,
  maxItems: 5,
  description: 'D-4 to D, oldest first.',
})
const beacon = answer({
  network: t.Union([t.Literal('quicknet'), t.Literal('blockdraw-local')]),
  chainHash: hash,
  round: number(),
  time: seconds('When the round was due'),
  after: answer({ number: number(), hash, timestamp: seconds('Time of D+32') }),
  signature: beaconSignature,
  randomness: hash,
})

export const drawnTickets = t.Array(drawnTicket, {
  description: 'Winners in order, then reserves; empty while none is announced.',
})

const openRefund = answer({
  eventNumber: number(),
  since: moment('When refund mode began.'),
  days: number('Whole days since then.'),
  paid: number('Payers who have got back all that they paid, by final transfers.'),
  open: number('The others. What is too small to be sent by itself is left out.'),
})
export const drawStatus = answer({
  isDrawing: t.Boolean(),
  isRefundMode: t.Boolean(),
  canDraw: t.Boolean(),
  isWinnerHidden: t.Boolean({
    description: 'The winners were announced and hidden again: their prizes stand, and turns run on.',
  }),
  refundNotice: t.Boolean(),
  refundReason,
  beacon: orNull(listed<BeaconState>(['sealed', 'awaited', 'found'])),
  beaconDueAt: orNull(moment('When the round of the beacon is due.')),
  blockSeed: orNull(hash),
  drawBlocks: orNull(
    t.Array(answer({ number: number(), hash }), {
      description: 'The five blocks, oldest first, as long as the draw waits for a round of the beacon.',
    }),
  ),
  refunds: t.Array(openRefund, {
    description:
      'Of events in refund mode, archived ones too, in which somebody is not paid yet; empty once all are.',
  }),
})

const drawnLine = answer({
  walletAddress: lowerAddress,
  transactionHash: hash,
  ticketNumber: number('The first ticket of the line.'),
  ticketCount: number(),
})

const anchor = answer({
  wallet: lowerAddress,
  transactionHash: hash,
  blockNumber: number(),
  timestamp: seconds('Time of its block'),
})

export const proof = answer({
  version: t.Literal(3),
  terms: t.String({ description: 'The line that was frozen with the ticket list.' }),
  termsSha256: hash,
  commitment: hash,
  list: answer({ sha256: hash, lines: number('Without the header.') }),
  formerWallets: t.Array(lowerAddress, {
    description: 'Operator wallets of earlier events, which bought nothing.',
  }),
  anchors: answer({ terms: orNull(anchor), list: orNull(anchor) }),
  ticketsSold: number(),
  blocks: drawBlocks,
  miners: t.Array(lowerAddress, { description: 'Who made the five blocks, in their order.' }),
  entropy,
  blockSeed: hash,
  beacon: orNull(beacon),
  seed: hash,
  counter: number('Seeds refused before the accepted one.'),
  randomNumber: t.String(),
  winningTicket: number(),
  winner: drawnLine,
  winners: t.Array(drawnLine, { description: 'In order; the first is `winner`.' }),
  reserves: t.Array(drawnLine, { description: 'In order of their turn, where a prize is free.' }),
})

export const changesQuery = t.Object({ cursor })
export const changeList = t.Array(
  answer({
    eventNumber: number(),
    at: moment(),
    field: t.String(),
    from: orNull(t.String()),
    to: orNull(t.String()),
  }),
  { description: 'Newest first.' },
)
