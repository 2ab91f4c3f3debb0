import { type Hex, sha256, stringToBytes } from 'viem'

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
  minAge: number | null
  requireAcceptance: boolean
  terms: LegalVersion | null
  privacy: LegalVersion | null
  /** The page does not sell there. ISO 3166-1 alpha-2, in order. */
  closedCountries: string[]
}

/** `sha256` is the name of a version, `savedAt` when it was written first. */
export type LegalVersion = { sha256: Hex; savedAt: string }

/** Nothing is switched on. @internal */
export const noRules: PublicRules = {
  minAge: null,
  requireAcceptance: false,
  terms: null,
  privacy: null,
  closedCountries: [],
}

/** What a buyer said before paying. A hint of the page: it decides nothing. */
export type Acceptance = { termsSha256?: Hex; privacySha256?: Hex; age?: number }

/** ISO 3166-1 alpha-2, as assigned. */
export const countries: ReadonlySet<string> = new Set(
  `AD AE AF AG AI AL AM AO AQ AR AS AT AU AW AX AZ BA BB BD BE BF BG BH BI BJ BL BM BN BO BQ BR BS BT BV BW BY BZ
  CA CC CD CF CG CH CI CK CL CM CN CO CR CU CV CW CX CY CZ DE DJ DK DM DO DZ EC EE EG EH ER ES ET FI FJ FK FM FO FR
  GA GB GD GE GF GG GH GI GL GM GN GP GQ GR GS GT GU GW GY HK HM HN HR HT HU ID IE IL IM IN IO IQ IR IS IT JE JM JO JP
  KE KG KH KI KM KN KP KR KW KY KZ LA LB LC LI LK LR LS LT LU LV LY MA MC MD ME MF MG MH MK ML MM MN MO MP MQ MR MS MT
  MU MV MW MX MY MZ NA NC NE NF NG NI NL NO NP NR NU NZ OM PA PE PF PG PH PK PL PM PN PR PS PT PW PY QA RE RO RS RU RW
  SA SB SC SD SE SG SH SI SJ SK SL SM SN SO SR SS ST SV SX SY SZ TC TD TF TG TH TJ TK TL TM TN TO TR TT TV TW TZ UA UG
  UM US UY UZ VA VC VE VG VI VN VU WF WS YE YT ZA ZM ZW`.split(/\s+/),
)

/** The bytes that a version is: what `GET /api/raffle/legal/{sha256}` answers, and what its name is the SHA-256 of. */
export const legalBytes = ({ kind, en, ko }: LegalText): string => JSON.stringify({ kind, en, ko })

export const legalSha256 = (text: LegalText): Hex => sha256(stringToBytes(legalBytes(text)))
