import { numberToHex, sha256 } from 'viem'
import { quicknet, roundTime } from '../../../core/draw/beacon.ts'
import type { Proof, ProofBeacon, ProofBlock } from '../../../core/draw/proof.ts'
import { signRound, testBeacon } from '../../lab/test-beacon.ts'
import { type Case, casesOf } from './case.ts'
import { blockAt } from './promises.ts'
import { telling } from './server.ts'
import { beaconFor, type World } from './world.ts'

const other = `0x${'11'.repeat(32)}` as const
const stranger = `0x${'ee'.repeat(20)}` as const
/** Points that are none: infinity, and one outside the subgroup. */
const infinity = `0xc0${'00'.repeat(47)}` as const
const outside = `0x80${'00'.repeat(46)}04` as const

/** Results that do not follow from blocks, beacon and list. */
export async function drawCases(world: World): Promise<Case[]> {
  const { edited, refitted, honestly } = casesOf(world)
  const { plain, several } = world.honest
  const winner = { ...plain.winner, walletAddress: stranger }
  const [first, second, third] = several.winners as [Proof['winner'], Proof['winner'], Proof['winner']]
  const changed = (at: number, change: Partial<ProofBlock>) =>
    plain.blocks.map((block, index) => (index === at ? { ...block, ...change } : block))
  const shifted = await Promise.all(plain.blocks.map(({ number }) => blockAt(world, number + 1)))
  return [
    edited('another block seed', 'seed', 'plain', { blockSeed: other }),
    edited('another seed', 'seed', 'plain', { seed: other }),
    edited('a seed that was refused', 'seed', 'plain', { counter: 1 }),
    edited('another number', 'number', 'plain', { randomNumber: '7' }),
    edited('another ticket', 'number', 'plain', {
      winningTicket: (plain.winningTicket % plain.ticketsSold) + 1,
    }),
    edited('a ticket that nobody has', 'number', 'plain', { winningTicket: plain.ticketsSold + 1 }),
    edited('another winner', 'winner', 'plain', { winner, winners: [winner] }),
    edited('another payment of the winner', 'winner', 'plain', {
      winner: { ...plain.winner, transactionHash: other },
    }),
    edited('another first of the winners', 'winners', 'plain', { winners: [winner] }),
    edited('winners in another order', 'winners', 'several', { winners: [first, third, second] }),
    edited('a winner twice', 'winners', 'several', { winners: [first, second, second] }),
    edited('fewer winners than the terms promise', 'winners', 'several', { winners: [first, second] }),
    edited('more winners than the terms promise', 'winners', 'plain', {
      winners: [plain.winner, ...plain.reserves.slice(0, 1)],
    }),
    edited('another reserve', 'winners', 'plain', {
      reserves: plain.reserves.map((reserve) => ({ ...reserve, walletAddress: stranger })),
    }),
    edited('reserves in another order', 'winners', 'plain', { reserves: [...plain.reserves].reverse() }),
    edited('no reserves', 'winners', 'plain', { reserves: [] }),
    edited('another hash of a block', 'seed', 'plain', { blocks: changed(1, { hash: other }) }),
    await refitted('an invented block, drawn from', 'blocks', 'plain', {
      blocks: changed(2, { hash: other }),
    }),
    await refitted('the five blocks behind D, drawn from', 'draw-block', 'plain', {
      blocks: shifted.map(({ block }) => block),
      miners: shifted.map(({ miner }) => miner),
    }),
    edited('another time of a block', 'blocks', 'plain', {
      blocks: changed(0, { timestamp: 1_600_000_000 }),
    }),
    edited('another miner', 'blocks', 'plain', { miners: plain.miners.with(3, stranger) }),
    edited(
      'a chain that has another block there',
      'blocks',
      'plain',
      {},
      {
        lie: telling({
          eth_getBlockByNumber: async ([at], ask) =>
            Number(at) === plain.blocks[2]?.number ? { ...(await ask()), hash: other } : ask(),
        }),
      },
    ),
    honestly('a chain whose D is not final', 'plain', 'incomplete', {
      lie: telling({
        eth_getBlockByNumber: ([at], ask) =>
          at === 'finalized' ? ask([numberToHex((plain.blocks[4]?.number ?? 0) - 1), false]) : ask(),
      }),
    }),
    honestly('another chain than the endpoint serves', 'plain', 'incomplete', {
      lie: telling({ eth_chainId: () => '0x61' }),
    }),
  ]
}

/** Beacons that are not the one of the rule. */
export async function beaconCases(world: World): Promise<Case[]> {
  const { edited, refitted } = casesOf(world)
  const { drand, plain } = world.honest
  const honest = drand.beacon as ProofBeacon
  const { after, round } = honest
  const withBeacon = (name: string, step: Case['step'] & string, beacon: ProofBeacon) =>
    refitted(name, step, 'drand', { beacon, anchors: drand.anchors })
  const signed = (signature: `0x${string}`): ProofBeacon => ({
    ...honest,
    signature,
    randomness: sha256(signature),
  })
  const next = (await blockAt(world, after.number + 1)).block
  return [
    edited('a beacon that the caller does not trust', 'beacon', 'drand', {}, { args: [] }),
    await withBeacon('a round earlier, with its signature', 'beacon-round', beaconFor(round - 1, after)),
    await withBeacon('a round later, with its signature', 'beacon-round', beaconFor(round + 1, after)),
    await withBeacon('the signature of another round', 'beacon', signed(signRound(round + 1))),
    await withBeacon('a signature at infinity', 'beacon', signed(infinity)),
    await withBeacon('a signature outside the subgroup', 'beacon', signed(outside)),
    await withBeacon('a signature that is no point', 'beacon', signed(`0x${'ff'.repeat(48)}`)),
    await withBeacon('a signature with one bit flipped', 'beacon', signed(flipped(honest.signature))),
    await withBeacon('the name and hash of quicknet over the signature of another key', 'beacon-round', {
      ...honest,
      ...{ network: 'quicknet', chainHash: quicknet.chainHash },
    }),
    await withBeacon('a chain hash of nobody', 'beacon', { ...honest, chainHash: other }),
    await withBeacon('the name of another network', 'beacon', { ...honest, network: 'quicknet' }),
    await withBeacon('a randomness that lies', 'beacon', { ...honest, randomness: other }),
    await withBeacon('a block before D+32', 'beacon-round', {
      ...honest,
      after: (await blockAt(world, after.number - 1)).block,
    }),
    await withBeacon('a block behind D+32', 'beacon-round', { ...honest, after: next }),
    await withBeacon('an invented D+32', 'beacon-round', { ...honest, after: { ...after, hash: other } }),
    await withBeacon(
      'a later time of D+32, and its round',
      'beacon-round',
      beaconFor(round + 10, { ...after, timestamp: after.timestamp + 30 }),
    ),
    await withBeacon('another time of the round', 'beacon-round', {
      ...honest,
      time: roundTime(round + 1, testBeacon),
    }),
    edited('a draw without the beacon', 'seed', 'drand', {
      ...{ seed: plain.seed, randomNumber: plain.randomNumber, winningTicket: plain.winningTicket },
      ...{ winner: plain.winner, winners: plain.winners, reserves: plain.reserves },
    }),
  ]
}

function flipped(signature: `0x${string}`): `0x${string}` {
  const last = Number.parseInt(signature.slice(-1), 16) ^ 1
  return `${signature.slice(0, -1)}${last.toString(16)}` as `0x${string}`
}
