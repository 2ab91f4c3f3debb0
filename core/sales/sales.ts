/** @internal */
export const mostBuckets = 120

const minute = 60
const hour = 60 * minute
const day = 24 * hour
/** Lengths that people reckon in, so that a span begins where a clock or a calendar does. */
const lengths = [
  ...[1, 5, 10, 15, 30].map((minutes) => minutes * minute),
  ...[1, 2, 3, 6, 12].map((hours) => hours * hour),
  ...[1, 2, 7, 14, 28].map((days) => days * day),
]

/** The shortest of these lengths with which so many seconds are at most 120 spans; for years, whole days. */
export const bucketSecondsFor = (seconds: number): number =>
  lengths.find((length) => seconds <= length * mostBuckets) ?? Math.ceil(seconds / mostBuckets / day) * day

/** How many tickets a wallet holds, in the classes that administrators are shown; no upper bound in the last. */
export const walletSizes = [
  { least: 1, most: 1 },
  { least: 2, most: 5 },
  { least: 6, most: 20 },
  { least: 21, most: 100 },
  { least: 101, most: null },
] as const satisfies readonly { least: number; most: number | null }[]

/** What became of the money of an event; but for `confirming` it adds up to what came in. */
export const moneyStates = ['confirming', 'credited', 'owed', 'refunded', 'own'] as const
export type MoneyState = (typeof moneyStates)[number]
