import type { Hash } from 'viem'
import type { Proof } from '../../../core/draw/proof.ts'
import { type Flows, flowsText } from '../../lab/flows-file.ts'
import { type Case, casesOf } from './case.ts'
import type { World } from './world.ts'

const other = `0x${'77'.repeat(32)}` as Hash

/** What a site says that it holds and owes beside an honest file of the money. */
export function heldCases(world: World): Case[] {
  const { honestly, beside } = casesOf(world)
  const { flows } = world
  const honest = flowsText(flows)
  const solvency = solvencyOf(flows, world.honest.plain)
  const said = (change: object) => ({
    flows: { file: honest, solvency: JSON.stringify({ ...solvency, ...change }) },
  })
  const [one, two] = solvency.wallets as [Held, Held]
  const outflow = { ...solvency.outflow, other: '0' }
  const lowest = (more: bigint) => ({
    ...solvency.lowest,
    cover: `${BigInt(solvency.lowest?.cover ?? 0) + more}`,
  })
  const owing = (part: 'leftovers', more: bigint) => ({
    owed: { ...solvency.owed, [part]: `${BigInt(solvency.owed[part]) + more}` },
    required: `${BigInt(solvency.required) + more}`,
    cover: `${BigInt(solvency.cover) - more}`,
  })
  return [
    honestly('an honest answer of what is held', 'plain', 'verified', said({})),
    honestly(
      'an answer of what is held of another event',
      'plain',
      'verified',
      said({ eventNumber: 2, held: '1' }),
    ),
    honestly(
      'an answer of what is held before anything was reckoned',
      'plain',
      'verified',
      said({ block: null }),
    ),
    beside(
      'more held than by the file',
      'flows',
      said({ wallets: [{ ...one, held: `${BigInt(one.held) + 1n}` }, two] }),
    ),
    beside('more held in all than by wallet', 'flows', said({ held: `${BigInt(solvency.held) + 1n}` })),
    beside('more cover than is held', 'flows', said({ cover: `${BigInt(solvency.cover) + 1n}` })),
    beside('less required than is owed', 'flows', said({ required: '0', cover: solvency.held })),
    beside('less owed without a ticket than came in', 'flows', said(owing('leftovers', -1n))),
    honestly('more owed than the file shows', 'plain', 'incomplete', said(owing('leftovers', 1n))),
    beside(
      'a debt that is told as dust',
      'flows',
      said({ ...owing('leftovers', -BigInt(solvency.required)) }),
    ),
    honestly(
      'an answer that counts debts of more than a ticket for nothing, and says so',
      'plain',
      'incomplete',
      said(solvencyOf(flows, world.honest.plain, 10n ** 30n)),
    ),
    beside('a lowest cover that is a unit higher', 'flows', said({ lowest: lowest(1n) })),
    beside(
      'a lowest cover by another transaction',
      'flows',
      said({ lowest: { ...lowest(0n), transactionHash: other } }),
    ),
    beside('a lowest cover that is not told', 'flows', said({ lowest: null })),
    honestly('a lowest cover below that of the file', 'plain', 'incomplete', said({ lowest: lowest(-1n) })),
    beside('a prize that is promised and not owed', 'flows', said({ promised: ['7'] })),
    honestly(
      'an answer without the rules of what is owed',
      'plain',
      'incomplete',
      said({ dust: undefined, promised: undefined }),
    ),
    beside('an answer with half of these rules', 'flows', said({ dust: undefined })),
    beside('an outflow that is not told', 'flows', said({ outflow })),
    beside('an answer of what is held without amounts', 'flows', said({ held: 7 })),
    beside('an answer of what is held that is no JSON', 'flows', { flows: { file: honest, solvency: '{' } }),
  ]
}

/** By hand: behind each transaction, what is held less what is owed then, looked at from the beginning each time. */
function lowestOf({ head, lines }: Flows, start: number, drawBlock: bigint, isDust: boolean) {
  const opened = head.wallets.reduce((sum, { openingUnits }) => sum + (openingUnits ?? 0n), 0n)
  const ends = lines.filter(
    ({ transactionHash, blockTime }, at) =>
      transactionHash !== lines[at + 1]?.transactionHash && blockTime >= start,
  )
  const covers = ends.map((end) => {
    const before = lines.slice(0, lines.indexOf(end) + 1)
    const isOwed = (kind: string) =>
      (kind === 'underpaid' && !isDust) || (kind === 'credited' && end.blockNumber <= drawBlock)
    const cover = before.reduce(
      (sum, { direction, units, class: kind }) =>
        (direction === 'out' ? sum - units : sum + units) - (isOwed(kind) ? units : 0n),
      opened,
    )
    return { cover, block: Number(end.blockNumber), transactionHash: end.transactionHash }
  })
  const lowest = covers.reduce<(typeof covers)[number] | undefined>(
    (low, one) => (low && low.cover <= one.cover ? low : one),
    undefined,
  )
  return lowest ? { ...lowest, cover: `${lowest.cover}`, at: new Date(0).toISOString() } : null
}

export type Held = { address: string; held: string }

/** What an honest site tells of the file's last block, if all that came in without a ticket is owed. */
export function solvencyOf({ head, lines: all }: Flows, { saleStart, blocks }: Proof, dust = 0n) {
  // No payer is owed so much: with such a dust limit nothing without a ticket counts.
  const isDust = dust > 10n ** 24n
  const lines = all
  const start = Date.parse(saleStart) / 1000
  const drawBlock = BigInt(blocks.at(-1)?.number ?? 0)
  const sum = (units: readonly bigint[]) => units.reduce((total, each) => total + each, 0n)
  const wallets = head.wallets.map(({ address, openingUnits }) => {
    const moved = lines.filter(({ wallet }) => wallet === address)
    const signed = moved.map(({ direction, units }) => (direction === 'in' ? units : -units))
    return { address, held: `${(openingUnits ?? 0n) + sum(signed)}` }
  })
  const out = (kind: string) =>
    `${sum(lines.filter((each) => each.direction === 'out' && each.class === kind && each.blockTime >= start).map(({ units }) => units))}`
  const owed = isDust ? 0n : sum(lines.filter((each) => each.class === 'underpaid').map(({ units }) => units))
  const held = sum(wallets.map((each) => BigInt(each.held)))
  return {
    ...{ eventNumber: head.eventNumber, block: { number: Number(head.until.number) }, wallets },
    ...{ held: `${held}`, required: `${owed}`, cover: `${held - owed}` },
    owed: { leftovers: `${owed}`, refunds: '0', credited: '0', prizes: '0' },
    ...{ dust: `${dust}`, promised: [], lowest: lowestOf({ head, lines }, start, drawBlock, isDust) },
    outflow: { refund: '0', prize: '0', own: out('own'), other: out('other') },
  }
}
