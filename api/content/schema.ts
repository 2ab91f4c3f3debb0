import { type Static, type TSchema, Type as t } from '@sinclair/typebox'
import { type EventState, contentLimits as most } from '../../core/content/event-content.ts'
import { readContent } from '../../core/content/read-content.ts'
import { mostWinners } from '../../core/draw/winners.ts'
import {
  address,
  answer,
  entropy,
  hash,
  listed,
  moment,
  orNull,
  refundReason,
  whole,
} from '../http/answers.ts'
import { exact, invalid, read } from '../http/schema.ts'
import { whole as number, oneOf } from '../http/values.ts'
import { publicPrizes } from '../prize/schema.ts'

const text = (maxLength: number, description?: string) =>
  t.String({ maxLength, ...(description && { description }) })
const both = (maxLength: number, description?: string) =>
  answer({ en: text(maxLength), ko: text(maxLength) }, description ? { description } : {})
const list = <S extends TSchema>(item: S, maxItems?: number, description?: string) =>
  t.Unsafe<readonly Static<S>[]>(
    t.Array(item, { ...(maxItems && { maxItems }), ...(description && { description }) }),
  )

const prizeKind = listed(['goods', 'token'] as const)
const prize = <P extends TSchema>(picture: P) =>
  answer({
    name: both(most.name),
    value: text(most.value, 'As it is printed.'),
    kind: prizeKind,
    amount: orNull(whole('Hundredths of a USDT; null for goods.')),
    copies: whole(`How many of it: 1 to ${mostWinners} over all prizes, in order of their places.`),
    about: both(most.about),
    facts: list(answer({ name: both(most.factName), value: both(most.factValue) }), most.facts),
    pictures: list(picture, most.pictures),
  })

const pictureKey = t.String({ description: 'Name of the stored image: `/api/uploads/{key}`.' })
const picture = answer({
  key: pictureKey,
  sha256: hash,
  width: whole('Of the stored image, in pixels.'),
  height: whole(),
  alt: both(most.alt),
})
const contentOf = <P extends TSchema>(picture: P, options: { description?: string } = {}) =>
  answer(
    {
      title: both(
        most.titleLines * (most.titleLine + 1),
        `Up to ${most.titleLines} lines of ${most.titleLine} signs.`,
      ),
      lead: both(most.lead, '{price} is the live ticket price.'),
      summary: both(most.summary, 'For search engines and shared links.'),
      prizes: list(prize(picture), most.prizes),
      shipping: both(most.shipping),
      links: list(answer({ label: both(most.label), url: text(most.url) }), most.links),
    },
    options,
  )

const eventContent = contentOf(picture, { description: 'What an event raffles and says of it.' })
const promised = orNull(
  t.String({
    description: 'RFC 8785 JSON of what of the content is promised: `contentSha256` is its SHA-256.',
  }),
)
const contentSha256 = orNull(hash)

const ofContent = {
  eventNumber: whole(),
  content: orNull(eventContent),
  contentSha256,
  promised,
}
export const publicContent = answer(ofContent)

/** As it is sent: the server looks at the stored images by itself; what is said of them all the same must agree. */
const sentPicture = t.Object({
  key: pictureKey,
  alt: both(most.alt),
  sha256: t.Optional(hash),
  width: t.Optional(whole()),
  height: t.Optional(whole()),
})
const sent = contentOf(sentPicture)
/** Read by core alone, whose refusals name the inner field: here it is only described. */
const described = <S extends TSchema>(schema: S) => {
  const { type, properties, required } = schema
  return t.Unsafe<Static<S>>(t.Any({ type, properties, required, ...invalid }))
}
const content = read(described(sent), (value) => readContent(value))

/** A content of 20 prizes with long texts in both languages. */
export const contentBytes = 262_144
const version = number(1, 2_147_483_647)
export const contentBody = exact({ content, version })

export const adminContent = answer({
  ...ofContent,
  isLocked: t.Boolean({ description: 'Only links change.' }),
  version: whole('Of the open event, as `raffle/config` has it.'),
})
export const nextContent = answer({
  eventNumber: whole('The event that it is for.'),
  draft: orNull(eventContent),
  next: orNull(eventContent),
  contentSha256,
  promised,
  version: whole(),
})

const winner = answer({
  place: whole(),
  walletAddress: address,
  transactionHash: hash,
  ticketNumber: whole(),
  ticketCount: whole(),
})
const states = [
  ...(['soon', 'on-sale', 'sale-over', 'drawn', 'refunding', 'refunded', 'archived-undrawn'] as const),
] satisfies EventState[]

export const eventPage = answer({
  eventNumber: whole(),
  state: listed(states),
  isArchived: t.Boolean(),
  content: orNull(eventContent),
  contentSha256,
  terms: t.String({ description: 'The terms line, frozen or as it stands.' }),
  termsSha256: hash,
  ticketPrice: whole('Hundredths of a USDT.'),
  ticketsSold: whole(),
  minTickets: whole(),
  saleStart: moment(),
  saleEnd: orNull(moment()),
  drawDate: orNull(moment()),
  entropy,
  operatorWallet: orNull(address),
  chainId: whole(),
  tokenAddress: address,
  refundReason,
  result: orNull(
    answer({
      winners: t.Array(winner),
      randomNumber: t.String(),
      drawnAt: moment(),
      ledgerSha256: hash,
      commitment: orNull(hash),
    }),
  ),
  hasLedger: t.Boolean(),
  prizes: publicPrizes,
  changes: t.Array(
    answer({
      at: moment(),
      field: t.String(),
      from: orNull(t.String()),
      to: orNull(t.String()),
    }),
    { description: 'Newest first, the 200 newest.' },
  ),
})

export const calendarQuery = t.Object({ lang: oneOf(['en', 'ko'] as const) })
