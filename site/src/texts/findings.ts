import { usdtOf } from '../../../core/money.ts'
import type { Finding, VerifyResult, VerifyStep } from '../../../core/verify/steps.ts'
import { fill } from './fill.ts'

/** One language of the verifier: a sentence a finding, and what to do after a failed step. Loaded with the verifier. */
export type FindingTexts = {
  findings: Record<Finding, string>
  difference: string
  next: Record<'files' | 'terms' | 'node', string>
}

export type Statement = {
  text: string
  difference?: { expected: string; actual: string } | undefined
  next?: string | undefined
}

export function statementOf(
  { findings, next }: FindingTexts,
  { finding, values, status, step }: VerifyResult,
  fields: Partial<Record<string, string>> = {},
): Statement {
  const texts = Object.entries(values).map(([name, value]) => [
    name,
    name === 'field' ? (fields[value] ?? value) : textOf(name, value),
  ])
  const isTime = 'field' in values && times.has(values.field)
  const side = (value: string | number) => `${textOf(isTime && value !== 'none' ? 'time' : '', value)}`
  return {
    text: fill(findings[finding], Object.fromEntries(texts)),
    ...('expected' in values && {
      difference: { expected: side(values.expected), actual: side(values.actual) },
    }),
    ...(status === 'failed' && {
      next: next[step === 'terms' ? 'terms' : ofChain.has(step) ? 'node' : 'files'],
    }),
  }
}

export function sentenceOf(texts: FindingTexts, result: VerifyResult): string {
  const { text, difference, next } = statementOf(texts, result)
  return [text, difference && fill(texts.difference, difference), next].filter(Boolean).join(' ')
}

const ofChain = new Set<VerifyStep>([
  ...(['chain', 'draw-block', 'blocks', 'completeness', 'terms-anchor', 'list-anchor'] as const),
])

const times = new Set<string>(['timestamp', 'beacon.time', 'saleStart', 'saleEnd', 'drawDate'])
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
