import { type Address, type Hex, numberToHex, sha256, stringToHex } from 'viem'
import { register } from '../../../core/chain/register.ts'
import { contentSha256 } from '../../../core/content/promised.ts'
import { commitmentOf, encodeAnchor } from '../../../core/draw/anchor.ts'
import { beaconDepth, beaconRoundOf, randomnessOf, roundTime } from '../../../core/draw/beacon.ts'
import type { Proof, ProofBeacon } from '../../../core/draw/proof.ts'
import { parseTerms, type TermsField } from '../../../core/event/terms.ts'
import { unitsOf } from '../../../core/money.ts'
import { type LedgerLine, ledgerHeader, parseLedgerLine } from '../../../core/payment/ledger.ts'
import { usdtOnBsc } from '../../../core/server/env.ts'
import { ledgerPages } from '../../../db/payment/ledger.ts'
import { operatorAccount } from '../../../infra/local/chain.ts'
import { rpc as ask } from '../../../infra/local/rpc.ts'
import { sendInOneBlock, setNextTime } from '../../lab/chain-verbs.ts'
import { aContent, aPicture, aPrize } from '../../lab/content.ts'
import { type DrawWorld, saleEndAt } from '../../lab/draw-story.ts'
import { commit, openDrawnEvent } from '../../lab/drawn-event.ts'
import { drawnFrom, forged, renumbered } from '../../lab/forged-proof.ts'
import { signRound, testBeacon } from '../../lab/test-beacon.ts'
import { transferData, usdtGas } from '../../lab/usdt.ts'
import { termsWith } from './terms.ts'

export type World = Awaited<ReturnType<typeof openForgeryWorld>>
/** Events that were all sold in the one sale, by what is theirs alone. */
export type EventName = keyof typeof eventNumbers
const eventNumbers = {
  plain: 1,
  drand: 2,
  several: 3,
  unanchored: 4,
  byAnchorWallet: 5,
  anotherLater: 6,
  late: 7,
  anotherOnly: 8,
  stolenKey: 9,
  byBoth: 10,
  byStranger: 11,
  raffled: 12,
  capped: 13,
  moved: 14,
  movedByOther: 15,
  underTwoBooks: 16,
} as const

/** What the event `raffled` promises. */
export const raffled = aContent({
  prizes: [aPrize({ pictures: [{ ...aPicture, sha256: `0x${'5a'.repeat(32)}` }] })],
})

/** An honest sale on a chain of its own, and honest proofs of it in all forms. */
export async function openForgeryWorld() {
  const anchors: Partial<Record<EventName, Proof['anchor']>> = {}
  const terms = {} as Record<EventName, string>
  let cappedLedger = ''
  let later: ((name: EventName) => Promise<void>) | undefined
  async function anchorAll(world: DrawWorld, ledgerSha256: Hex, line: string): Promise<void> {
    const anchorWallet = world.accounts[9]?.toLowerCase() as Address
    const names = Object.keys(eventNumbers) as EventName[]
    for (const name of names) terms[name] = termsWith(line, changesOf(name, line, anchorWallet))
    cappedLedger = ledgerText(withinCaps(linesOf(await ledgerOf(world))))
    let at = saleEndAt + 20
    const send = async (name: EventName, from = 0, commitment = commitmentOf(terms[name], ledgerSha256)) => {
      at += 1
      return commit(world, { eventNumber: eventNumbers[name], commitment, at, from })
    }
    for (const name of [
      'drand',
      'several',
      'anotherLater',
      'byBoth',
      'raffled',
      'moved',
      'movedByOther',
      'underTwoBooks',
    ] as const)
      anchors[name] = await send(name)
    anchors.capped = await send('capped', 0, commitmentOf(terms.capped, sha256(stringToHex(cappedLedger))))
    for (const name of ['byAnchorWallet', 'stolenKey'] as const) anchors[name] = await send(name, 9)
    anchors.byStranger = await send('byStranger', 5)
    const garbage = `0x${'ab'.repeat(32)}` as const
    await send('anotherLater', 0, garbage)
    await send('anotherOnly', 0, garbage)
    await send('stolenKey', 9, garbage)
    await send('byBoth', 9, garbage)
    const otherBook = `0x${'b0'.repeat(32)}`
    await setNextTime(world.url, world.start + ++at)
    await world.send(0, encodeAnchor(otherBook, eventNumbers.underTwoBooks, garbage), register.address)
    later = async (name) => {
      at = 300
      anchors[name] = await send(name)
    }
  }
  const opened = await openDrawnEvent({ beforeDraw: anchorAll, pay: payInOneBlock })
  const { world, proof, ledger } = opened
  await later?.('late')
  await world.mine(40)
  anchors.plain = proof.anchor

  const lines = linesOf(ledger)
  const rows = lines.map((line) => parseLedgerLine(line) as LedgerLine)
  const honest = {} as Record<EventName, Proof>
  const mixed = await beaconOf(world, proof)
  for (const name of Object.keys(eventNumbers) as EventName[]) {
    const made: Proof = {
      ...proof,
      ...{ eventNumber: eventNumbers[name], terms: terms[name], anchor: anchors[name] ?? null },
      ...{ entropy: name === 'drand' ? 'blocks+drand' : 'blocks', beacon: name === 'drand' ? mixed : null },
      commitment: commitmentOf(terms[name], proof.ledger.sha256),
    }
    honest[name] = { ...made, ...(await drawnFrom(rows, made, name === 'several' ? 3 : 1)) }
  }
  const capped = await cappedEvent(honest.capped, linesOf(cappedLedger))
  honest.capped = capped.proof
  return {
    world,
    honest,
    lines,
    rows,
    ledger,
    capped,
    close: opened.close,
  }
}

/**
 * Two payers of the same block, of whom the second goes beyond the cap of the event that has one. Then commitments, as if
 * two events had been over already.
 */
async function payInOneBlock(world: DrawWorld): Promise<void> {
  const { url, accounts, start } = world
  const pay = (buyer: number, cents: number) => ({
    ...{ from: accounts[buyer] as Address, to: usdtOnBsc, gas: usdtGas },
    data: transferData(operatorAccount, unitsOf(cents)),
  })
  await sendInOneBlock(url, start + 100, [pay(5, 6_00), pay(6, 9_00)])
  const commitment = `0x${'cd'.repeat(32)}` as const
  await commit(world, { eventNumber: eventNumbers.moved, commitment, at: 150 })
  await commit(world, { eventNumber: eventNumbers.movedByOther, commitment, at: 151, from: 9 })
}

/** Met to the ticket, in all and by a payer: 100 tickets of one block and 3 of another are over, the 2 behind them fit. */
const caps = { maxTickets: 38, maxPerWallet: 35 }
const isOver = ({ ticketCount }: LedgerLine) => ticketCount === 100 || ticketCount === 3
const withinCaps = (lines: readonly string[]) =>
  renumbered(lines.filter((line) => !isOver(parseLedgerLine(line) as LedgerLine)))

const linesOf = (ledger: string): string[] => ledger.trim().split('\n').slice(1)
const ledgerText = (lines: readonly string[]) => `${ledgerHeader}${lines.join('\n')}\n`
const ledgerOf = async ({ db }: DrawWorld) =>
  (await Array.fromAsync(ledgerPages(db, 1))).map(({ text }) => text).join('')

/** The event whose terms have caps, as the same sale makes it. */
async function cappedEvent(made: Proof, lines: readonly string[]) {
  const { anchor, terms } = made
  const { proof, ledger } = await forged(made, lines, { anchor, terms })
  return { proof: JSON.parse(proof) as Proof, lines, ledger, caps }
}

function changesOf(
  name: EventName,
  line: string,
  anchorWallet: Address,
): Partial<Record<TermsField, string>> {
  const drawDate = Number(parseTerms(line)?.drawDate)
  return {
    eventNumber: `${eventNumbers[name]}`,
    ...(name === 'drand' && { entropy: 'blocks+drand', drawBy: `${drawDate + 8 * 86_400}` }),
    ...(name === 'several' && { winners: '3' }),
    ...(name === 'raffled' && { contentSha256: contentSha256(raffled) }),
    ...(name === 'capped' && { maxTickets: `${caps.maxTickets}`, maxPerWallet: `${caps.maxPerWallet}` }),
    ...(['byAnchorWallet', 'stolenKey', 'byBoth'].includes(name) && { anchorWallet }),
  }
}

async function beaconOf({ url }: DrawWorld, { blocks, drawDate }: Proof): Promise<ProofBeacon> {
  const number = (blocks.at(-1)?.number ?? 0) + beaconDepth
  const { hash, timestamp } = await ask<{ hash: Hex; timestamp: Hex }>(url, 'eth_getBlockByNumber', [
    numberToHex(number),
    false,
  ])
  const after = { number, hash, timestamp: Number(timestamp) }
  return beaconFor(beaconRoundOf(Date.parse(drawDate) / 1000, after.timestamp, testBeacon), after)
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
