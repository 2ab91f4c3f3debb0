import { type Address, encodeFunctionData, type Hex, numberToHex } from 'viem'
import { register, registerAbi } from '../../core/chain/register.ts'
import { commitmentOf } from '../../core/draw/anchor.ts'
import { beaconRoundOf, randomnessOf, roundTime } from '../../core/draw/beacon.ts'
import type { Proof } from '../../core/draw/proof.ts'
import { parseTerms, type TermsField, termsFields } from '../../core/event/terms.ts'
import { rpc as ask } from '../../infra/local/rpc.ts'
import { type DrawWorld, saleEndAt } from './draw-story.ts'
import { openDrawnEvent } from './drawn-event.ts'
import { forged } from './forged-proof.ts'
import { signRound, testBeacon } from './test-beacon.ts'

/** The line with other values. */
export const termsWith = (line: string, change: Partial<Record<TermsField, string>>): string => {
  const values = { ...parseTerms(line), ...change } as Record<TermsField, string>
  return `blockdraw-terms-1,${termsFields.map((field) => values[field]).join()}\n`
}

/** Events that differ from the drawn one in their terms alone, as nothing but the anchor tells their numbers on the chain. */
const promises = (line: string, anchorWallet: Address): string[] => {
  const { drawBy } = parseTerms(line) as Record<TermsField, string>
  const wallet = { anchorWallet: anchorWallet.toLowerCase() }
  return [
    line,
    // With a beacon.
    termsWith(line, { eventNumber: '2', drawBy: `${Number(drawBy) + 86_400}`, entropy: 'blocks+drand' }),
    // Anchored twice, the second time another line.
    termsWith(line, { eventNumber: '3' }),
    // Anchored by the anchor wallet alone; by both wallets; by a stranger.
    termsWith(line, { eventNumber: '4', ...wallet }),
    termsWith(line, { eventNumber: '5', ...wallet }),
    termsWith(line, { eventNumber: '6' }),
  ]
}

/** A sold, drawn event on a real chain, and others that rest on the same blocks; `proofs` by their numbers. */
export async function openAnchoredEvents() {
  const anchors: Record<string, NonNullable<Proof['anchor']>> = {}
  let lines: string[] = []

  async function anchorAll(world: DrawWorld, ledgerSha256: Hex): Promise<void> {
    const wallet = world.accounts[7] as Address
    lines = promises((await world.event()).terms as string, wallet)
    const commit = (event: number) => commitmentOf(lines[event - 1] as string, ledgerSha256)
    const sent: [name: string, event: number, from: number, commitment: Hex][] = [
      ...([1, 2, 3] as const).map((event) => [`${event}`, event, 0, commit(event)] as const),
      ['a later one', 3, 0, commit(1)],
      ['4', 4, 7, commit(4)],
      ['5', 5, 0, commit(5)],
      ['of the anchor wallet', 5, 7, commit(1)],
      ['of a stranger', 6, 7, commit(6)],
    ].map((each) => [...each] as [string, number, number, Hex])
    for (const [at, [name, event, from, commitment]] of sent.entries()) {
      const timestamp = world.start + saleEndAt + 31 + at
      await ask(world.url, 'evm_setNextBlockTimestamp', [timestamp])
      const args = [BigInt(event), commitment] as const
      const data = encodeFunctionData({ abi: registerAbi, functionName: 'anchor', args })
      const transactionHash = await world.send(from, data, register.address)
      anchors[name] = { transactionHash, blockNumber: Number(await world.height()), timestamp }
    }
  }

  const { world, proof: drawn, ledger, close } = await openDrawnEvent({ beforeDraw: anchorAll })
  await world.mine(40)
  const ledgerLines = ledger.trim().split('\n').slice(1)
  type Header = { hash: Hex; timestamp: Hex }
  const blockAt = async (number: number) => {
    const { hash, timestamp } = await ask<Header>(world.url, 'eth_getBlockByNumber', [
      numberToHex(number),
      false,
    ])
    return { number, hash, timestamp: Number(timestamp) }
  }
  const after = await blockAt((drawn.blocks[4]?.number ?? 0) + 32)
  const round = beaconRoundOf(Date.parse(drawn.drawDate) / 1000, after.timestamp, testBeacon)
  const beacon: NonNullable<Proof['beacon']> = {
    ...{ network: testBeacon.name, chainHash: testBeacon.chainHash, round },
    ...{ time: roundTime(round, testBeacon), after, signature: signRound(round) },
    randomness: randomnessOf(signRound(round)),
  }
  /** Event `number` as it was promised, with these changes; what follows from the blocks and the list fits. */
  const proofOf = (number: number, change: Partial<Proof> = {}, list: readonly string[] = ledgerLines) =>
    forged({ ...drawn, eventNumber: number }, list, {
      ...(number === 2 && { entropy: 'blocks+drand', beacon }),
      ...{ anchor: anchors[number] ?? null, terms: lines[number - 1] as string },
      ...change,
    })
  const proof = JSON.parse((await proofOf(1)).proof) as Proof
  return { world, proof, ledger, lines: ledgerLines, beacon, anchors, blockAt, proofOf, close }
}
