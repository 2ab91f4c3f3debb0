/** Bounds of an event's content. Lengths are in code points of the normalized text. */
export const contentLimits = {
  titleLines: 3,
  titleLine: 40,
  lead: 300,
  summary: 200,
  prizes: 20,
  name: 60,
  value: 24,
  about: 400,
  facts: 12,
  factName: 40,
  factValue: 80,
  /** Of one prize. */
  pictures: 8,
  alt: 160,
  shipping: 400,
  links: 5,
  label: 60,
  url: 2_048,
} as const
