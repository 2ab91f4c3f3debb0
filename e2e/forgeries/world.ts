import { type Address, type Hex, numberToHex } from 'viem'
import { commitmentOf } from '../../core/anchor.ts'
import { beaconDepth, beaconRoundOf, randomnessOf, roundTime } from '../../core/draw/beacon.ts'
import type { Proof, ProofBeacon } from '../../core/draw/proof.ts'
import { type LedgerLine, parseLedgerLine } from '../../core/ledger.ts'
import { parseTerms, type TermsField } from '../../core/terms.ts'
import { rpc as ask } from '../../infra/local/rpc.ts'
import { termsWith } from '../lab/anchored-event.ts'
import { type DrawWorld, saleEndAt } from '../lab/draw-story.ts'
import { commit, openDrawnEvent } from '../lab/drawn-event.ts'
import { drawnFrom } from '../lab/forged-proof.ts'
import { signRound, testBeacon } from '../lab/test-beacon.ts'

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
} as const

/** An honest sale on a chain of its own, and honest proofs of it in all forms. */
export async function openForgeryWorld() {
  const anchors: Partial<Record<EventName, Proof['anchor']>> = {}
  const terms = {} as Record<EventName, string>
  let later: ((name: EventName) => Promise<void>) | undefined
  const opened = await openDrawnEvent(async (world, ledgerSha256, line) => {
    const anchorWallet = world.accounts[9]?.toLowerCase() as Address
    const names = Object.keys(eventNumbers) as EventName[]
    for (const name of names) terms[name] = termsWith(line, changesOf(name, line, anchorWallet))
    let at = saleEndAt + 20
    const send = async (name: EventName, from = 0, commitment = commitmentOf(terms[name], ledgerSha256)) => {
      at += 1
      return commit(world, { eventNumber: eventNumbers[name], commitment, at, from })
    }
    for (const name of ['drand', 'several', 'anotherLater', 'byBoth'] as const)
      anchors[name] = await send(name)
    for (const name of ['byAnchorWallet', 'stolenKey'] as const) anchors[name] = await send(name, 9)
    anchors.byStranger = await send('byStranger', 5)
    const garbage = `0x${'ab'.repeat(32)}` as const
    await send('anotherLater', 0, garbage)
    await send('anotherOnly', 0, garbage)
    await send('stolenKey', 9, garbage)
    await send('byBoth', 9, garbage)
    later = async (name) => {
      at = 300
      anchors[name] = await send(name)
    }
  })
  const { world, proof, ledger } = opened
  await later?.('late')
  await world.mine(40)
  anchors.plain = proof.anchor

  const lines = ledger.trim().split('\n').slice(1)
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
  return { world, honest, lines, rows, ledger, close: opened.close }
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
