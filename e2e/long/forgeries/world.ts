import { type Address, type Hex, numberToHex } from 'viem'
import { register } from '../../../core/chain/register.ts'
import { commitmentOf, encodeAnchor } from '../../../core/draw/anchor.ts'
import { beaconDepth, beaconRoundOf, randomnessOf, roundTime } from '../../../core/draw/beacon.ts'
import type { Proof, ProofAnchor, ProofBeacon } from '../../../core/draw/proof.ts'
import { parseTerms, type TermsField, termsSha256 } from '../../../core/event/terms.ts'
import { type LedgerLine, parseLedgerLine } from '../../../core/payment/ledger.ts'
import { termsOf } from '../../../db/event/terms.ts'
import { rpc as ask } from '../../../infra/local/rpc.ts'
import { setNextTime } from '../../lab/chain-verbs.ts'
import { type DrawWorld, saleEndAt } from '../../lab/draw-story.ts'
import { openDrawnEvent } from '../../lab/drawn-event.ts'
import { fitted, termsWith } from '../../lab/forged-proof.ts'
import { signRound, testBeacon } from '../../lab/test-beacon.ts'

export type World = Awaited<ReturnType<typeof openForgeryWorld>>
/** Events that were all sold in the one sale, by what is theirs alone. */
export type EventName = keyof typeof eventNumbers
const eventNumbers = {
  plain: 1,
  drand: 2,
  several: 3,
  /** Nobody anchored anything. */
  unanchored: 4,
  byAnchorWallet: 5,
  /** The anchor wallet anchored the terms, the operator the list. */
  byBoth: 6,
  /** The terms came after the sale end. */
  lateTerms: 7,
  /** The list came before the sale end. */
  earlyList: 8,
  /** The list came after the draw. */
  lateList: 9,
  secondList: 10,
  secondTerms: 11,
  /** Who stole the anchor wallet's key anchored garbage too. */
  stolenKey: 12,
  byStranger: 13,
  /** Both under another book; by the anchor wallet, as a house whose operator wallet has two is shut. */
  otherBook: 14,
  /** Something else alone. */
  otherOnly: 15,
} as const

const names = Object.keys(eventNumbers) as EventName[]
/** Both anchors by the operator, in time. */
const anchoredByOperator: readonly EventName[] = ['drand', 'several', 'secondList', 'secondTerms']

export const otherBook = `0x${'b0'.repeat(32)}` as const
const garbage = `0x${'ab'.repeat(32)}` as const

/** An honest sale on a chain of its own, and honest proofs of it in all forms. */
export async function openForgeryWorld() {
  const anchors: Partial<Record<EventName, Partial<Proof['anchors']>>> = {}
  const terms = {} as Record<EventName, string>
  let at = 30
  let book: Hex | undefined
  async function send(world: DrawWorld, name: EventName, commitment: Hex, from = 0): Promise<ProofAnchor> {
    await setNextTime(world.url, world.start + ++at)
    const data = encodeAnchor(book as Hex, eventNumbers[name], commitment)
    const transactionHash = await world.send(from, data, register.address)
    const wallet = (world.accounts[from] as Address).toLowerCase() as Address
    const blockNumber = Number(await world.height())
    return { wallet, transactionHash, blockNumber, timestamp: world.start + at }
  }
  const note = (name: EventName, anchor: Partial<Proof['anchors']>) => {
    anchors[name] = { ...anchors[name], ...anchor }
  }
  async function anchorTerms(world: DrawWorld): Promise<void> {
    const line = await termsOf(world.db, await world.event())
    const ofPlain = parseTerms(line) as Record<TermsField, string>
    const anchorWallet = (world.accounts[9] as Address).toLowerCase()
    const own = ofPlain.book as Hex
    for (const name of names) terms[name] = termsWith(line, changesOf(name, ofPlain, anchorWallet))
    book = own
    for (const name of [...anchoredByOperator, 'earlyList', 'lateList'] as const)
      note(name, { terms: await send(world, name, termsSha256(terms[name])) })
    for (const name of ['byAnchorWallet', 'byBoth', 'stolenKey'] as const)
      note(name, { terms: await send(world, name, termsSha256(terms[name]), 9) })
    await send(world, 'secondTerms', termsSha256(termsWith(terms.secondTerms, { minTickets: '9' })))
    await send(world, 'stolenKey', garbage, 9)
    await send(world, 'byStranger', termsSha256(terms.byStranger), 5)
    await send(world, 'otherOnly', garbage)
    book = otherBook
    await send(world, 'otherBook', termsSha256(terms.otherBook), 9)
    book = own
  }
  let later = async (): Promise<void> => {}
  async function anchorLists(world: DrawWorld, listSha256: Hex): Promise<void> {
    at = saleEndAt + 20
    const sendList = (name: EventName, from = 0) =>
      send(world, name, commitmentOf(terms[name], listSha256), from)
    for (const name of [...anchoredByOperator, 'byBoth', 'earlyList', 'lateTerms'] as const)
      note(name, { list: await sendList(name) })
    for (const name of ['byAnchorWallet', 'stolenKey'] as const) note(name, { list: await sendList(name, 9) })
    note('lateTerms', { terms: await send(world, 'lateTerms', termsSha256(terms.lateTerms)) })
    await send(world, 'secondList', commitmentOf(terms.secondList, garbage))
    await sendList('byStranger', 5)
    const own = book
    book = otherBook
    await sendList('otherBook', 9)
    book = own
    later = async () => {
      at = 300
      note('lateList', { list: await sendList('lateList') })
    }
  }
  const opened = await openDrawnEvent({ pay: anchorTerms, beforeDraw: anchorLists })
  const { world, proof, ledger } = opened
  await later()
  await world.mine(40)

  const lines = ledger.trim().split('\n').slice(1)
  const rows = lines.map((line) => parseLedgerLine(line) as LedgerLine)
  const honest = {} as Record<EventName, Proof>
  const mixed = await beaconOf(world, proof)
  for (const name of names) {
    const isMixed = name === 'drand'
    const made: Proof = {
      ...proof,
      ...{ terms: terms[name], entropy: isMixed ? 'blocks+drand' : 'blocks', beacon: isMixed ? mixed : null },
      ...(name !== 'plain' && { anchors: { terms: null, list: null, ...anchors[name] } }),
    }
    honest[name] = { ...made, ...(await fitted(made, rows)) }
  }
  return { world, honest, lines, rows, ledger, close: opened.close }
}

function changesOf(
  name: EventName,
  { saleEnd }: Record<TermsField, string>,
  anchorWallet: string,
): Partial<Record<TermsField, string>> {
  return {
    eventNumber: `${eventNumbers[name]}`,
    ...(name === 'drand' && { entropy: 'blocks+drand' }),
    ...(name === 'several' && { winners: '3' }),
    // Nobody pays between both moments.
    ...(name === 'earlyList' && { saleEnd: `${Number(saleEnd) + 50}` }),
    ...(['byAnchorWallet', 'stolenKey', 'byBoth', 'otherBook'].includes(name) && { anchorWallet }),
  }
}

async function beaconOf({ url }: DrawWorld, { blocks, terms }: Proof): Promise<ProofBeacon> {
  const number = (blocks.at(-1)?.number ?? 0) + beaconDepth
  const { hash, timestamp } = await ask<{ hash: Hex; timestamp: Hex }>(url, 'eth_getBlockByNumber', [
    numberToHex(number),
    false,
  ])
  const after = { number, hash, timestamp: Number(timestamp) }
  return beaconFor(beaconRoundOf(Number(parseTerms(terms)?.drawDate), after.timestamp, testBeacon), after)
}

/** A round of the beacon as a proof tells it. */
export function beaconFor(round: number, after: ProofBeacon['after']): ProofBeacon {
  const signature = signRound(round)
  const { name: network, chainHash } = testBeacon
  return {
    ...{ network, chainHash, round, time: roundTime(round, testBeacon), after, signature },
    randomness: randomnessOf(signature),
  }
}
