import { type TSchema, Type as t } from '@sinclair/typebox'
import { isAddress, zeroAddress } from 'viem'
import { mostWinners } from '../../core/draw/winners.ts'
import { entropies, type Locks } from '../../core/event/event.ts'
import { claimDaysRange, minTicketsRange, mostLetters } from '../../core/event/ranges.ts'
import { drawnTicket } from '../draw/schema.ts'
import { publicBranding } from '../house/schema.ts'
import {
  address,
  answer,
  entropy,
  hash,
  lowerAddress,
  moment,
  whole as number,
  orNull,
  refundReason,
} from '../http/answers.ts'
import { exact, invalid, nullable, orEmpty, read, refusal, refuse } from '../http/schema.ts'
import { anySignature, choice, date, flag, httpsUrl, text, urlLike, whole } from '../http/values.ts'
import { prizeStates, promises, promisesIn, promisesOfForm } from '../prize/schema.ts'

/** Revision of the draft that the form was filled with. */
const version = whole(1, 2_147_483_647)

/** The draft as a whole; null, or left out: as it is without a draft. */
export const draftBody = exact(
  {
    drawDate: t.Optional(nullable(date)),
    minTicketsForDraw: t.Optional(nullable(whole(minTicketsRange.min, minTicketsRange.max))),
    autoDraw: t.Optional(nullable(flag())),
    claimDays: t.Optional(nullable(whole(claimDaysRange.min, claimDaysRange.max))),
    entropy: t.Optional(nullable(choice(entropies))),
    winners: t.Optional(nullable(whole(1, mostWinners))),
    /** One for each winner. */
    prizes: t.Optional(nullable(promisesIn)),
    version,
  },
  {
    someOf: [
      ...['drawDate', 'minTicketsForDraw', 'autoDraw', 'claimDays'],
      ...['entropy', 'winners', 'prizes'],
    ],
  },
)
export const discardQuery = exact({
  version: read(t.String({ pattern: '^[1-9]\\d{0,8}$', ...invalid }), Number),
})
export const openBody = exact({
  version,
  /** `version` of `next-content` that was seen; left out: any. */
  contentVersion: t.Optional(version),
})

/** What an event promises, as both forms have it. */
const termsInForm = {
  drawDate: orNull(moment()),
  saleEndDate: orNull(moment('Draw date less the lead.')),
  minTicketsForDraw: number(),
  entropy,
  winners: number(),
  prizes: promisesOfForm,
  saleLeadSeconds: number('Of the environment.'),
  operatorWallet: orNull(address),
}
const promised = (description: string) =>
  answer(
    {
      ...termsInForm,
      autoDraw: t.Boolean({ description: 'Without it an administrator starts the draw.' }),
      claimDays: number(),
      ticketPrice: t.Number({ description: 'USDT; of the environment, as chain and token.' }),
      chainId: number(),
      tokenAddress: address,
    },
    { description },
  )

export const nextTermsAnswer = answer({
  eventNumber: number('The event that these terms are for.'),
  draft: answer(
    {
      drawDate: orNull(moment()),
      minTicketsForDraw: orNull(number()),
      autoDraw: orNull(t.Boolean()),
      claimDays: orNull(number()),
      entropy: orNull(entropy),
      winners: orNull(number()),
      prizes: orNull(promisesOfForm),
    },
    { description: 'What the draft chooses; null is left to the environment or the event before.' },
  ),
  savedAt: orNull(moment('Null while there is no draft.')),
  current: promised('What the open event promises.'),
  next: promised('What the next one would promise.'),
  terms: t.String({ description: 'Its terms line, if it were opened now.' }),
  canOpen: t.Boolean({ description: 'The open event is over.' }),
  version: number(),
})

/** With its checksum, which reveals typing errors, or all lower case, which is usually a copy. */
const operatorWallet = read(t.String(refusal('INVALID_WALLET', { reason: 'form' })), (value) => {
  const trimmed = value.trim()
  const isOne = isAddress(trimmed, { strict: trimmed !== trimmed.toLowerCase() })
  return isOne && trimmed !== zeroAddress ? trimmed : refuse()
})
export const configBody = exact(
  {
    drawDate: t.Optional(nullable(date)),
    saleEndDate: t.Optional(nullable(date)),
    /** Empty clears it and hides the button of the Winner section. */
    googleFormUrl: t.Optional(nullable(read(orEmpty(httpsUrl()), (url) => url ?? null))),
    operatorWallet: t.Optional(operatorWallet),
    minTicketsForDraw: t.Optional(whole(minTicketsRange.min, minTicketsRange.max)),
    entropy: t.Optional(choice(entropies)),
    winners: t.Optional(whole(1, mostWinners)),
    /** One for each winner. */
    prizes: t.Optional(promisesIn),
    /** Version of the config that the form was filled with. */
    version: t.Optional(whole(1, 2_147_483_647)),
    /** `version` of `next-content` that was seen, where the date opens the next event; left out: any. */
    contentVersion: t.Optional(whole(1, 2_147_483_647)),
  },
  {
    someOf: [
      ...['drawDate', 'saleEndDate', 'googleFormUrl', 'operatorWallet', 'minTicketsForDraw'],
      ...['entropy', 'winners', 'prizes'],
    ],
  },
)

export const proofBody = exact({ signature: anySignature() })

const config = {
  ...termsInForm,
  eventNumber: number(),
  googleFormUrl: orNull(t.String()),
  isRefundMode: t.Boolean(),
  isHalted: t.Boolean(),
  refundNotice: t.Boolean(),
  ticketsSold: number(),
  frozenAt: orNull(moment()),
  ledgerSha256: orNull(hash),
  walletProven: t.Boolean(),
  walletProvenAt: orNull(moment()),
  walletProofMessage: t.String({
    description: 'What the operator wallet signs to prove that somebody holds its key.',
  }),
  version: number(),
}
export const adminConfig = answer({
  ...config,
  walletPinned: t.Boolean({ description: 'The environment names the wallet.' }),
  lockedAt: orNull(moment('The first ticket, or the anchor of the terms: buyers rely on them from then on.')),
  locks: t.Unsafe<Locks>(
    t.Record(t.String(), t.String(), {
      description: 'Fields of the form that are shut, and why: ticket, saleEnd, environment, content.',
    }),
  ),
  firstPaymentAt: orNull(moment('Time of the first payment of this event that got a ticket.')),
  formHosts: t.Array(t.String(), { description: 'Where the delivery form may be.' }),
  isOver: t.Boolean({ description: 'A new draw date archives this event and opens the next one.' }),
})
export const savedConfig = answer({
  ...config,
  archived: t.Optional(number('The event that this change has archived.')),
  archiveMessage: t.Optional(t.String()),
})
export const provenAnswer = answer({ walletProven: t.Boolean() })
export const stoppedAnswer = answer({ eventNumber: number(), saleEndDate: orNull(moment()) })
export const resumedAnswer = answer({ resumed: t.Boolean() })

/** Blank keeps the value, null clears it. */
const filled = <S extends TSchema>(schema: S) => t.Optional(nullable(orEmpty(schema, { blank: true })))
export const settingsBody = exact({
  prizeImageUrl: filled(urlLike()),
  prizeValue: filled(text({ max: mostLetters.prizeValue })),
  prizeDescription: filled(text({ max: mostLetters.prizeDescription, lines: true })),
  eventStartDate: filled(date),
  isActive: t.Optional(flag()),
  /** `updatedAt` of the values that the form was filled with; null if nothing had been saved. */
  version: t.Optional(
    nullable(t.String({ maxLength: 40, pattern: '^\\d{4}-\\d{2}-\\d{2}T[\\d:.]+Z$', ...invalid })),
  ),
})

export const eventSettings = answer({
  prizeImageUrl: orNull(t.String()),
  prizeValue: orNull(t.String()),
  prizeDescription: orNull(t.String()),
  eventStartDate: orNull(moment()),
  isActive: t.Boolean(),
  updatedAt: orNull(moment()),
})

export const publicConfig = answer({
  eventNumber: number(),
  drawDate: orNull(moment('Null while it is not set.')),
  saleEndDate: orNull(moment('Draw date less the lead.')),
  saleStart: moment('A sale is start <= block time < end.'),
  isRefundMode: t.Boolean(),
  googleFormUrl: orNull(t.String()),
  operatorWallet: orNull(address),
  minTicketsForDraw: number(),
  chainId: number(),
  tokenAddress: address,
  saleLeadSeconds: number(),
  salesPaused: t.Boolean({
    description: 'The buy button is off; what is paid on chain is still credited.',
  }),
  waitsForNode: t.Boolean({
    description: 'Fewer than two nodes of the chain answer: payments are confirmed once they do.',
  }),
  isSoon: t.Boolean({
    description: 'The chain has not come to the sale start yet: what is paid now gets no ticket.',
  }),
  refundReason,
  terms: t.String({
    description: 'What the event promises: one line of comma-separated fields, ending in LF.',
  }),
  termsSha256: hash,
  book: orNull(hash),
  formerWallets: t.Array(lowerAddress, {
    description:
      'Operator wallets of earlier events, in order: they buy no tickets. The SHA-256 of this list, one a line, is in the terms.',
  }),
  entropy,
  beaconRound: orNull(number('Round of the beacon that the draw takes.')),
  winners: number(),
  prizes: promises,
  drawBy: orNull(moment('By then the event is drawn by itself, or fails its minimum.')),
  branding: publicBranding,
})
export const publicStats = answer({ ticketsSold: number(), ticketPrice: t.Number({ description: 'USDT.' }) })
export const publicHistory = t.Array(
  answer({
    id: number(),
    eventNumber: number(),
    drawDate: orNull(moment()),
    winnerWallet: orNull(address),
    winnerTransactionHash: orNull(hash),
    randomNumber: orNull(t.String()),
    winners: t.Array(drawnTicket, {
      description: 'Of an event that promised more than one winner: all of them, in order.',
    }),
    prizes: prizeStates,
    names: t.Array(answer({ en: t.String(), ko: t.String() }), {
      description: 'What was raffled, by place; empty for an event without content.',
    }),
    picture: orNull(t.String({ description: 'Key of its first picture.' })),
  }),
  { description: 'Newest first.' },
)
