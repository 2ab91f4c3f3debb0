import type { Proof } from '../../../core/draw/proof.ts'
import type { Verdict, VerifyStep } from '../../../core/verify/steps.ts'
import { fitted, forged } from '../../lab/forged-proof.ts'
import { testBeacon } from '../../lab/test-beacon.ts'
import type { Lie } from './server.ts'
import type { EventName, World } from './world.ts'

/** A proof with its list, an endpoint and what a buyer kept; and what every verifier must say of it. */
export type Case = {
  name: string
  event: EventName
  proof: string
  ledger: string | Uint8Array
  verdict: Verdict
  /** The first step that fails, where the verdict is `contradicted`. */
  step?: VerifyStep
  /** Without an endpoint. */
  isOffline?: boolean
  lie?: Lie | undefined
  /** Lines that a buyer kept; his event's own unless said otherwise. */
  kept?: readonly string[]
  args?: readonly string[]
}
type Told = Pick<Case, 'isOffline' | 'lie' | 'kept' | 'args'> & { ledger?: string | Uint8Array }

/** Verbs that make cases of the honest events of a world. */
export function casesOf({ honest, rows, ledger }: World) {
  const make = (
    name: string,
    event: EventName,
    proof: string,
    told: Told,
    rest: Pick<Case, 'verdict' | 'step'>,
  ): Case => ({
    ...{ name, event, proof, ledger, kept: [honest[event].terms] },
    ...(event === 'drand' && { args: ['--beacon-key', testBeacon.publicKey] }),
    ...{ ...told, ...rest },
  })
  const failing = (step: VerifyStep) => ({ verdict: 'contradicted', step }) as const
  const nobody = { terms: null, list: null }
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
    /** Some fields are others, and the forger saw to it that hashes and draw fit them; he names no anchors. */
    refitted: async (
      name: string,
      step: VerifyStep | 'incomplete',
      event: EventName,
      change: Partial<Proof>,
      told: Told = {},
    ): Promise<Case> => {
      const made = { ...honest[event], anchors: nobody, ...change }
      const proof = JSON.stringify({ ...made, ...(await fitted(made, rows)) })
      return make(name, event, proof, told, step === 'incomplete' ? { verdict: step } : failing(step))
    },
    /** Another list, and a proof that fits it. */
    relisted: async (
      name: string,
      step: VerifyStep,
      lines: readonly string[],
      change: Partial<Proof> = {},
      told: Told = {},
    ): Promise<Case> => {
      const files = await forged(honest.plain, lines, { anchors: nobody, ...change })
      return make(name, 'plain', files.proof, { ...told, ledger: files.ledger }, failing(step))
    },
  }
}
