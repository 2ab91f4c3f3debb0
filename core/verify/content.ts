import { type Canonical, canonicalJson } from '../content/canonical.ts'
import { textSha256 } from '../content/promised.ts'
import { type Proof, ProofError, parseOneForm } from '../draw/proof.ts'
import { mostWinners } from '../draw/winners.ts'
import { parseTerms } from '../event/terms.ts'
import { failed, type VerifyResult } from './steps.ts'

/** Whether the terms promise a content, so that there is something to compare. */
export const promisesContent = ({ terms }: Proof): boolean => parseTerms(terms)?.contentSha256 !== 'none'

/**
 * What the answer of `raffle/content/{n}`, as it was served or saved, says against the terms: whoever reads it must find
 * what buyers were promised. Undefined where it is right.
 */
export function contradictedContent(proof: Proof, told: string): VerifyResult | undefined {
  const wrong = (text: string, expected?: unknown, actual?: unknown) =>
    failed('terms', text, expected, actual)
  let answer: unknown
  try {
    answer = parseOneForm(told, 'The content')
  } catch (error) {
    if (error instanceof ProofError) return wrong(error.message)
    throw error
  }
  if (!isPlain(answer)) return wrong('The content has a value that programs read in different ways.')
  const { eventNumber, content, contentSha256, promised } = fieldsOf(answer)
  if (eventNumber !== proof.eventNumber)
    return wrong('The content is of another event.', proof.eventNumber, eventNumber)
  const terms = parseTerms(proof.terms)
  const sha256 = terms?.contentSha256 as string
  if (sha256 === 'none')
    return content === null && contentSha256 === null
      ? undefined
      : wrong('The terms promise no content, and there is one.')
  const text = promisedBy(content)
  if (text === undefined) return wrong('The content is not what an event raffles.')
  if (textSha256(text) !== sha256)
    return wrong('The content is not the one that the terms promise.', sha256, textSha256(text))
  if (contentSha256 !== sha256 || promised !== text)
    return wrong('What is told of the content is not what follows from it.')
  const copies = list(fieldsOf(content).prizes).reduce<number>(
    (sum, prize) => sum + whole(fieldsOf(prize).copies),
    0,
  )
  return `${copies}` === terms?.winners
    ? undefined
    : wrong('The content has another number of prizes than the terms have winners.', terms?.winners, copies)
}

/** Whole numbers, whole signs, no names that some programs put first, and no deep nest. */
function isPlain(value: unknown, depth = 16): boolean {
  if (typeof value === 'number') return Number.isSafeInteger(value)
  if (typeof value === 'string') return value.isWellFormed()
  if (typeof value !== 'object' || value === null) return true
  if (depth === 0) return false
  if (Object.keys(value).some((name) => !name.isWellFormed())) return false
  if (!Array.isArray(value) && Object.keys(value).some((name) => /^\d+$/.test(name))) return false
  return Object.values(value).every((each) => isPlain(each, depth - 1))
}

/** The canonical text of what a content promises, whatever else it holds; undefined for what is none. */
function promisedBy(content: unknown): string | undefined {
  const { title, prizes } = fieldsOf(content)
  try {
    return canonicalJson({ title: both(title), prizes: list(prizes, mostWinners).map(prizeOf) })
  } catch (error) {
    if (error instanceof TypeError) return undefined
    throw error
  }
}

function prizeOf(prize: unknown): Canonical {
  const { name, value, kind, amount, copies, about, facts, pictures } = fieldsOf(prize)
  return {
    ...{ name: both(name), value: text(value), kind: text(kind), about: both(about) },
    ...{ amount: amount === null ? null : whole(amount), copies: whole(copies) },
    facts: list(facts).map((fact) => ({
      name: both(fieldsOf(fact).name),
      value: both(fieldsOf(fact).value),
    })),
    pictures: list(pictures).map((picture) => text(fieldsOf(picture).sha256)),
  }
}

const fieldsOf = (value: unknown): Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)
    ? (value as Record<string, unknown>)
    : {}

const refuse = (): never => {
  throw new TypeError('This is no content.')
}
const both = (value: unknown): Canonical => ({ en: text(fieldsOf(value).en), ko: text(fieldsOf(value).ko) })
const text = (value: unknown): string => (typeof value === 'string' ? value : refuse())
const whole = (value: unknown): number => (Number.isSafeInteger(value) ? (value as number) : refuse())
const list = (value: unknown, most = 100): unknown[] =>
  Array.isArray(value) && value.length <= most ? value : refuse()
