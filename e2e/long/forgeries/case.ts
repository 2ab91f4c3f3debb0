// @ts-nocheck: written for another line of terms
import { commitmentOf } from '../../../core/draw/anchor.ts'
import type { Proof } from '../../../core/draw/proof.ts'
import { parseTerms, type TermsField } from '../../../core/event/terms.ts'
import type { KeptTerms } from '../../../core/event/terms-compare.ts'
import type { LedgerLine } from '../../../core/payment/ledger.ts'
import type { Verdict, VerifyStep } from '../../../core/verify/steps.ts'
import { drawnFrom, fittingTerms, forged } from '../../lab/forged-proof.ts'
import { testBeacon } from '../../lab/test-beacon.ts'
import type { Lie } from './server.ts'
import { termsWith } from './terms.ts'
import type { EventName, World } from './world.ts'

/** A proof with its list, an endpoint and what a buyer noted; and what every verifier must say of it. */
export type Case = {
  name: string
  proof: string
  ledger: string | Uint8Array
  verdict: Verdict
  /** The first step that fails, where the verdict is `contradicted`. */
  step?: VerifyStep
  /** Without an endpoint. */
  isOffline?: boolean
  lie?: Lie | undefined
  /** What a buyer kept; his event's own line unless said otherwise. */
  kept?: readonly KeptTerms[]
  args?: readonly string[]
  /** The saved answer of `raffle/content/{n}`. */
  content?: string
}
type Told = Pick<Case, 'isOffline' | 'lie' | 'kept' | 'args' | 'content'> & {
  ledger?: string | Uint8Array
}

/** Verbs that make cases of the honest events of a world. */
export function casesOf({ honest, rows, ledger }: World) {
  const keptOf = (event: EventName): KeptTerms[] => [noted(honest[event].terms)]
  const make = (
    name: string,
    event: EventName,
    proof: string,
    told: Told,
    rest: Pick<Case, 'verdict' | 'step'>,
  ): Case => ({
    ...{ name, proof, ledger, kept: keptOf(event) },
    ...(event === 'drand' && { args: ['--beacon-key', testBeacon.publicKey] }),
    ...{ ...told, ...rest },
  })
  const failing = (step: VerifyStep) => ({ verdict: 'contradicted', step }) as const
  return {
    /** An honest event; its proof as it is, or with fields that do not matter. */
    honestly: (
      name: string,
      event: EventName,
      verdict: Verdict,
      told: Told = {},
      change: Partial<Proof> = {},
    ): Case => make(name, event, JSON.stringify({ ...honest[event], ...change }), told, { verdict }),
    /** The proof's text is another one. */
    rewritten: (name: string, step: VerifyStep, event: EventName, change: (text: string) => string): Case =>
      make(name, event, change(JSON.stringify(honest[event])), {}, failing(step)),
    /** Some fields are others, and nothing else. */
    edited: (
      name: string,
      step: VerifyStep,
      event: EventName,
      change: Partial<Record<keyof Proof, unknown>>,
      told: Told = {},
    ): Case => make(name, event, JSON.stringify({ ...honest[event], ...change }), told, failing(step)),
    /** Some fields are others, and the forger saw to it that line, commitment and draw fit them. */
    fitted: async (
      name: string,
      step: VerifyStep,
      event: EventName,
      change: Partial<Proof>,
      told: Told = {},
    ): Promise<Case> => {
      const made = { ...honest[event], ...change }
      const terms = change.terms ?? fittingTerms(made)
      const drawn = await drawnFrom(rows as LedgerLine[], made, Number(parseTerms(terms)?.winners))
      const commitment = commitmentOf(terms, made.ledger.sha256)
      const proof = JSON.stringify({ ...made, ...drawn, terms, commitment, anchor: change.anchor ?? null })
      return make(name, event, proof, told, failing(step))
    },
    /** Another list, and a proof that fits it. */
    relisted: async (
      name: string,
      step: VerifyStep,
      lines: readonly string[],
      change: Partial<Proof> = {},
      told: Told = {},
    ): Promise<Case> => {
      const files = await forged(honest.plain, lines, { anchor: null, ...change })
      return make(name, 'plain', files.proof, { ...told, ledger: files.ledger }, failing(step))
    },
  }
}

/** The line of an event whose dates lay so many seconds earlier. */
export function datedEarlier(
  terms: string,
  seconds: number,
  change: Partial<Record<TermsField, string>> = {},
) {
  const line = parseTerms(terms)
  const earlier = (['saleEnd', 'drawDate', 'drawBy'] as const).map((name) => [
    name,
    `${Number(line?.[name]) - seconds}`,
  ])
  return termsWith(terms, { ...Object.fromEntries(earlier), ...change })
}

/** A line of which nothing but itself was noted. */
export const noted = (terms: string): KeptTerms => ({ terms, firstDrawDate: null, ownUntil: null })
