import type { Hex } from 'viem'

export const legalKinds = ['terms', 'privacy'] as const
export type LegalKind = (typeof legalKinds)[number]

/** A text in both languages: paragraphs with an empty line between, headings that begin with `## `. */
export type LegalText = { kind: LegalKind; en: string; ko: string }

/** Of one language, in code points. */
export const mostLegalSigns = 40_000
export const youngestAge = 14
export const oldestAge = 30

/** What the operator has switched on; everything is off at first. */
export type PublicRules = {
  /** Buyers say that they are so old. */
  minAge: number | null
  /** Buyers accept the terms, and the privacy notice where there is one, before they buy for the first time. */
  requireAcceptance: boolean
  terms: LegalVersion | null
  privacy: LegalVersion | null
  /** The page does not sell there. ISO 3166-1 alpha-2, in order. */
  closedCountries: string[]
}

/** `sha256` is the name of a version, `savedAt` when it was written first. */
export type LegalVersion = { sha256: Hex; savedAt: string }

/**
 * What a site is told that has switched nothing on.
 * @internal
 */
export const noRules: PublicRules = {
  minAge: null,
  requireAcceptance: false,
  terms: null,
  privacy: null,
  closedCountries: [],
}

/** What a buyer said before paying. A hint of the page: it decides nothing. */
export type Acceptance = { termsSha256?: Hex; privacySha256?: Hex; age?: number }
