import { commitmentOf } from '../../../core/draw/anchor.ts'
import type { Proof, ProofAnchor } from '../../../core/draw/proof.ts'
import { type Case, casesOf } from './case.ts'
import { hideRegister, refuse, telling } from './server.ts'
import type { World } from './world.ts'

const hiding = telling({ eth_getLogs: hideRegister })
const other = `0x${'11'.repeat(32)}` as const

/** What the chain was told of terms and list, or was not. */
export function anchorCases(world: World): Case[] {
  const { edited, honestly } = casesOf(world)
  const { plain, unanchored } = world.honest
  const { terms, list } = plain.anchors as Record<'terms' | 'list', ProofAnchor>
  const offline = { isOffline: true }
  const unnamed = { anchors: { terms: null, list: null } }
  const named = (change: Partial<Proof['anchors']>) => ({ anchors: { ...plain.anchors, ...change } })
  return [
    honestly('terms and list by the anchor wallet', 'byAnchorWallet', 'verified'),
    honestly('terms by the anchor wallet, list by the operator', 'byBoth', 'verified'),
    honestly('anchors that the proof does not name', 'plain', 'verified', {}, unnamed),
    honestly('nothing on the chain', 'unanchored', 'incomplete'),
    honestly('terms anchored after the sale end', 'lateTerms', 'incomplete'),
    honestly('a list anchored before the sale end', 'earlyList', 'incomplete'),
    honestly('a list anchored after the draw', 'lateList', 'incomplete', {}, unnamed),
    honestly('both anchored by a stranger', 'byStranger', 'incomplete'),
    honestly('both anchored under another book', 'otherBook', 'incomplete'),
    honestly("garbage by who stole the anchor wallet's key", 'stolenKey', 'incomplete'),
    edited('a second list', 'list-anchor', 'secondList', {}),
    edited('two terms', 'list-anchor', 'secondTerms', {}),
    edited('something else alone', 'list-anchor', 'otherOnly', {}),
    edited('anchors that are not there', 'terms-anchor', 'unanchored', { anchors: plain.anchors }),
    honestly('a list anchored after the draw that the proof names', 'lateList', 'incomplete'),
    edited('another commitment in the proof', 'form', 'plain', { commitment: other }),
    edited(
      'another commitment in the proof, without an endpoint',
      'form',
      'plain',
      { commitment: other },
      offline,
    ),
    edited('the commitment of another list', 'form', 'plain', {
      commitment: commitmentOf(plain.terms, other),
    }),
    edited('terms anchored by another transaction', 'terms-anchor', 'plain', {
      ...named({ terms: { ...terms, transactionHash: other } }),
    }),
    edited('a list anchored by another transaction', 'list-anchor', 'plain', {
      ...named({ list: { ...list, transactionHash: other } }),
    }),
    edited('a list anchored in another block', 'list-anchor', 'plain', {
      ...named({ list: { ...list, blockNumber: list.blockNumber - 1 } }),
    }),
    edited(
      'anchors that are not there, at a node that answers no block receipts',
      'terms-anchor',
      'unanchored',
      { anchors: { terms: { ...terms, blockNumber: plain.blocks[0]?.number ?? 0 }, list: null } },
      { lie: refuse('eth_getBlockReceipts') },
    ),
    honestly('a node that hides the anchors that the proof names', 'plain', 'incomplete', { lie: hiding }),
    honestly('a node that hides what the proof does not name', 'unanchored', 'incomplete', {
      lie: hiding,
      kept: [unanchored.terms],
    }),
  ]
}
