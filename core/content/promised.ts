import { type Hex, sha256, stringToBytes } from 'viem'
import { type Canonical, canonicalJson } from './canonical.ts'
import type { ContentPrize, EventContent } from './event-content.ts'

/**
 * What a content promises, as canonical JSON: the title, and of each prize all but where its pictures lie and what is said
 * of them. Lead, summary, shipping and links tell of the event and promise nothing.
 */
export const promisedText = (content: Pick<EventContent, 'title' | 'prizes'>): string =>
  canonicalJson({ title: both(content.title), prizes: content.prizes.map(prizeOf) })

/** SHA-256 of that text's bytes: `contentSha256` of the terms. */
export const contentSha256 = (content: Pick<EventContent, 'title' | 'prizes'>): Hex =>
  textSha256(promisedText(content))

/** @internal */
export const textSha256 = (text: string): Hex => sha256(stringToBytes(text))

const prizeOf = ({ name, value, kind, amount, copies, about, facts, pictures }: ContentPrize): Canonical => ({
  ...{ name: both(name), value, kind, amount, copies, about: both(about) },
  facts: facts.map((fact) => ({ name: both(fact.name), value: both(fact.value) })),
  pictures: pictures.map((picture) => picture.sha256),
})

/** Field by field: nothing else that an object may hold is promised. */
const both = ({ en, ko }: { en: string; ko: string }): Canonical => ({ en, ko })
