import { usdtOf } from '../../../core/money.ts'
import type { Finding, FindingValues, VerifyResult, VerifyStep } from '../../../core/verify/steps.ts'
import { fill } from './fill.ts'

/** One language of the verifier: a sentence a finding, and what to do after a failed step. Loaded with the verifier. */
export type FindingTexts = {
  findings: Record<Finding, string>
  next: Record<'files' | 'terms' | 'node', string>
}

type Holes<Text extends string> = Text extends `${string}{${infer Name}}${infer Rest}`
  ? Name | Holes<Rest>
  : never

/** Holds each sentence to the values of its finding. */
export const findingTexts = <const Texts extends Record<Finding, string>>(
  findings: Texts & { [F in Finding]: Holes<Texts[F]> extends keyof FindingValues[F] ? string : never },
  next: FindingTexts['next'],
): FindingTexts => ({ findings, next })

/** The sentence of a result. What was expected and what was found stand beside it; see `differenceOf`. */
export function sentenceOf({ findings }: FindingTexts, { finding, values }: VerifyResult): string {
  const texts = Object.entries(values).map(([name, value]) => [name, textOf(name, value)])
  return fill(findings[finding], Object.fromEntries(texts))
}

/** What was expected and what was found; undefined where the sentence says all. */
export function differenceOf({
  finding,
  values,
}: VerifyResult): { expected: string; actual: string } | undefined {
  if (!('expected' in values && 'actual' in values)) return undefined
  const text = (value: string | number) => `${textOf(times.has(finding) ? 'time' : '', value)}`
  return { expected: text(values.expected), actual: text(values.actual) }
}

/** What to do after this step failed. */
export const nextOf = ({ next }: FindingTexts, step: VerifyStep): string =>
  next[step === 'terms' ? 'terms' : ofChain.has(step) ? 'node' : 'files']

const ofChain = new Set<VerifyStep>([
  ...(['chain', 'draw-block', 'blocks', 'completeness', 'terms-anchor', 'list-anchor'] as const),
])

const times = new Set<Finding>(['otherBlockTime', 'otherDue'])
const counts = new Set([
  ...['tickets', 'payments', 'blocks', 'bytes', 'minimum', 'miners', 'most', 'seconds', 'before'],
])

/** A count has separators; the number of a ticket, line or block has none, as it is looked up elsewhere. */
function textOf(name: string, value: string | number): string | number {
  if (name === 'units') return `${usdtOf(value as string)} USDT`
  if (name === 'drawDate' || name === 'time')
    return `${new Date(Number(value) * 1_000).toISOString().slice(0, 19).replace('T', ' ')} UTC`
  return typeof value === 'number' && !counts.has(name) ? `${value}` : value
}
