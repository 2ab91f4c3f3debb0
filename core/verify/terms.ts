import { bscChainId, usdtOnBsc } from '../chain/usdt.ts'
import type { Proof } from '../draw/proof.ts'
import { parseTerms, termsFields } from '../event/terms.ts'
import type { KeptTerms } from '../event/terms-compare.ts'
import { contradictedContent, promisesContent } from './content.ts'
import { failed, type KnownTerms, lacking, partial, passed, type VerifyResult } from './steps.ts'
import { comparePromises, contradictionWithin, missedMinimum } from './terms-line.ts'

/** Terms that only a person who noted them while tickets were sold can know. */
const promised = ['operatorWallet', 'ticketPrice', 'saleStart', 'saleEndDate', 'drawDate'] as const

/** Without the lines of other events, as a browser keeps those of all; all of them where none is of this event. */
function ofItsEvent({ eventNumber }: Proof, kept: readonly KeptTerms[]): readonly KeptTerms[] {
  const own = kept.filter(
    ({ terms }) => (parseTerms(terms)?.eventNumber ?? `${eventNumber}`) === `${eventNumber}`,
  )
  return own.length > 0 ? own : kept
}

/**
 * Compares the proof with terms noted while tickets were sold, or with what a buyer's browser kept: a proof alone
 * cannot show that its terms were changed. Only a kept line settles all of them. Chain 56 and its USDT need not be noted: any other is wrong unless the
 * caller names it. Where the line names the SHA-256 of a content, the content is compared with it.
 */
export function checkTerms(proof: Proof, { content, ...known }: KnownTerms): VerifyResult {
  const wrong = content === undefined ? undefined : contradictedContent(proof, content)
  if (wrong) return wrong
  const result = checkPromises(proof, known)
  if (result.status !== 'passed' || !promisesContent(proof)) return result
  const shown = result.text.slice('As shown: '.length, -1)
  if (content !== undefined) return passed('terms', `As shown: content, ${shown}.`)
  return { ...partial('terms', `As shown: ${shown}. Nothing to compare with: content.`), lacks: 'content' }
}

function checkPromises(
  proof: Proof,
  { kept = [], shown = {}, ...noted }: Omit<KnownTerms, 'content'>,
): VerifyResult {
  const within = contradictionWithin(proof)
  if (within)
    return failed(
      'terms',
      `The terms line has another ${within.field} than the proof.`,
      within.from,
      within.to,
    )
  const minimum = missedMinimum(proof)
  if (minimum)
    return failed(
      'terms',
      'With fewer tickets than the minimum nothing is drawn, and the money goes back.',
      `at least ${minimum}`,
      proof.ticketsSold,
    )
  const chainId = noted.chainId ?? bscChainId
  const known: typeof noted = { ...(chainId === bscChainId && { token: usdtOnBsc }), ...noted, chainId }
  const names = (Object.keys(known) as (keyof typeof noted)[]).filter((name) => known[name] !== undefined)
  for (const name of names) {
    const [ours, theirs] = [String(known[name]).toLowerCase(), String(proof[name]).toLowerCase()]
    if (ours === theirs) continue
    return noted[name] === undefined
      ? failed('terms', 'This is not USDT on BNB Smart Chain, and no other token was named.', ours, theirs)
      : failed('terms', `${name} is not what was shown.`, ours, theirs)
  }
  for (const name of Object.keys(shown) as (keyof typeof shown)[])
    if (shown[name] !== undefined && String(shown[name]).toLowerCase() !== String(proof[name]).toLowerCase())
      return failed('terms', `${name} is not what was shown.`, shown[name], proof[name])
  const promise = kept.length === 0 ? undefined : comparePromises(proof, ofItsEvent(proof, kept))
  if (promise && !promise.areLines) return failed('terms', 'The terms that were kept are no terms line.')
  if (promise?.broken) {
    const { field, from, to } = promise.broken
    return failed('terms', `${field} is not what was promised at the purchase.`, from, to)
  }
  const settled = new Set<string>([...names, ...(promise?.settles ?? [])])
  if (promised.every((name) => !settled.has(name)))
    return lacking(
      'terms',
      'skipped',
      'Nothing to compare with: keep the terms line while tickets are sold.',
      'line',
    )
  const wanted = ['token', ...promised, ...(promise ? [] : inLineAlone)]
  const missing = wanted.filter((name) => !settled.has(name)).join(', ')
  const asShown = [...settled].join(', ')
  const changed = promise?.changed.join(', ')
  if (!missing)
    return passed(
      'terms',
      changed ? `As shown: ${asShown}. Changed as the rules allow: ${changed}.` : `As shown: ${asShown}.`,
    )
  const open = partial(
    'terms',
    changed
      ? `As shown: ${asShown}. Changed as the rules allow: ${changed}. Nothing to compare with: ${missing}.`
      : `As shown: ${asShown}. Nothing to compare with: ${missing}.`,
  )
  return { ...open, lacks: promise ? 'dates' : 'line' }
}

/** What nobody notes by hand: the kept line alone says it. */
const inLineAlone = termsFields.filter(
  (field) => !['eventNumber', 'chainId', 'saleEnd', 'drawBy', 'token', ...promised].includes(field),
)
