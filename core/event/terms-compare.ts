import type { Hex } from 'viem'
import { parseTerms, type TermsField } from './terms.ts'

/** Until page and verifier compare lines to the letter. */
export type KeptTerms = {
  terms: string
  firstDrawDate: string | null
  ownUntil: number | null
  toldUntil?: number | null
}
export type TermsChange = { field: TermsField; from: string; to: string; isAllowed: boolean }
export type ToldTerms = {
  terms: string
  saleEndDate?: string | null
  drawDate?: string | null
  contentSha256?: Hex
}

/** Undefined where a text is no terms line. */
export function compareTerms(
  kept: readonly Pick<KeptTerms, 'terms'>[],
  { terms }: { terms: string },
): TermsChange[] | undefined {
  const told = parseTerms(terms)
  const lines = kept.map((one) => parseTerms(one.terms))
  if (!told || lines.includes(undefined)) return undefined
  return lines.flatMap((line) =>
    (Object.keys(told) as TermsField[]).flatMap((field) => {
      const [from, to] = [line?.[field] as string, told[field]]
      const isAllowed = line?.drawDate === 'none' && ['drawDate', 'saleEnd'].includes(field)
      return from === to ? [] : { field, from, to, isAllowed }
    }),
  )
}
