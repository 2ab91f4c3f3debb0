// @ts-nocheck: written for another line of terms
import type { Proof } from '../../../core/draw/proof.ts'
import { forged, renumbered } from '../../lab/forged-proof.ts'
import { type Case, casesOf, noted } from './case.ts'
import { termsWith } from './terms.ts'
import type { World } from './world.ts'

/** Lists that go beyond the caps of their terms, or leave somebody out for a cap that he did not meet. */
export async function cappedCases(world: World): Promise<Case[]> {
  const { honestly, edited, relisted } = casesOf(world)
  const { capped, lines, honest } = world
  const { maxTickets, maxPerWallet } = capped.caps
  const [a1, a2, , b5, b6, again] = lines as [string, string, string, string, string, string]
  /** A list under these caps, which its buyers were promised. */
  const under = (caps: Caps, name: string, step: 'lines' | 'completeness', list: readonly string[]) => {
    const terms = termsWith(honest.plain.terms, fieldsOf(caps))
    return relisted(name, step, renumbered(list), { terms }, { kept: [noted(terms)] })
  }
  /** An honest list under these caps, which nobody anchored. */
  const honestUnder = async (caps: Caps, name: string, list: readonly string[]): Promise<Case> => {
    const terms = termsWith(honest.unanchored.terms, fieldsOf(caps))
    const { proof, ledger } = await forged(honest.unanchored, renumbered(list), { terms })
    const told = { ledger, kept: [noted(terms)] }
    return honestly(name, 'unanchored', 'incomplete', told, JSON.parse(proof) as Partial<Proof>)
  }
  const both = { maxTickets, maxPerWallet }
  const { ledger } = capped
  return [
    honestly('a sale that met both of its caps to the ticket', 'capped', 'verified', { ledger }),
    await honestUnder(
      { maxTickets: 36 },
      'a cap that the second payer of a block meets, and whoever comes later',
      [a1, a2, b5],
    ),
    await honestUnder({ maxPerWallet: 34 }, 'a cap that one wallet meets, and no other', [a1, a2, b5, b6]),
    await under({ maxTickets: 38 }, 'one ticket above the cap of all', 'lines', [a1, a2, b5, b6]),
    await under({ maxPerWallet: 34 }, 'one ticket above the cap of a wallet', 'lines', [
      a1,
      a2,
      b5,
      b6,
      again,
    ]),
    await under(both, 'caps that the list does not know of', 'lines', lines),
    await under(both, 'a later and smaller payment that is left out though it fits', 'completeness', [
      a1,
      a2,
      b5,
    ]),
    await under(both, 'the second payer of a block in the place of the first', 'completeness', [a1, a2, b6]),
    await under(
      { maxTickets: 137 },
      'a payment that is left out though the cap has room for it',
      'completeness',
      [...[a1, a2, b5, b6, again]],
    ),
    await under({}, 'payments that are left out for caps of no terms', 'completeness', [a1, a2, b5, again]),
    edited(
      'a higher cap than was promised',
      'terms',
      'capped',
      {},
      { ledger, kept: [noted(termsWith(honest.capped.terms, { maxTickets: '37' }))] },
    ),
  ]
}

type Caps = { maxTickets?: number; maxPerWallet?: number }
const fieldsOf = ({ maxTickets, maxPerWallet }: Caps) => ({
  maxTickets: `${maxTickets ?? 'none'}`,
  maxPerWallet: `${maxPerWallet ?? 'none'}`,
})
