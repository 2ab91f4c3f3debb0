import { type TSchema, Type as t } from '@sinclair/typebox'
import { isAddress, zeroAddress } from 'viem'
import { mostWinners } from '../../core/draw/winners.ts'
import { entropies } from '../../core/event/event.ts'
import { claimDaysRange, minTicketsRange, mostLetters } from '../../core/event/ranges.ts'
import { exact, invalid, nullable, orEmpty, read, refusal, refuse } from '../http/schema.ts'
import { anySignature, choice, date, flag, httpsUrl, text, urlLike, whole } from '../http/values.ts'
import { promisesIn } from '../prize/routes.ts'

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
