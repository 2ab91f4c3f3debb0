import type { Address, Hash } from 'viem'
import { type FlowLine, inClasses } from '../../../core/flows/file.ts'
import { type Flows, flowsText } from '../../lab/flows-file.ts'
import { type Case, casesOf } from './case.ts'
import { type Held, solvencyOf } from './held.ts'
import type { World } from './world.ts'

const stranger = `0x${'5e'.repeat(20)}` as Address
const other = `0x${'77'.repeat(32)}` as Hash

/** Files that look odd and are honest, files that leave something open, and the lies closest to both. */
export function oddMoneyCases(world: World): Case[] {
  return [...classCases(world), ...earlierCases(world), ...endCases(world), ...toldCases(world)]
}

/** What a stranger gave to a wallet that takes no payments was judged by terms that no proof has; a ticket it never bought. */
function classCases(world: World): Case[] {
  const { honestly, beside } = casesOf(world)
  const { given } = world
  const { operatorWallet } = world.honest.plain
  const told = (kind: FlowLine['class']) => {
    const lines = given.lines.map((line) => {
      const isGift = line.wallet !== operatorWallet && line.direction === 'in' && line.class !== 'own'
      return isGift ? { ...line, class: kind } : line
    })
    return { flows: { file: flowsText({ ...given, lines }) } }
  }
  return inClasses.map((kind) =>
    kind === 'credited' || kind === 'own' || kind === 'claim'
      ? beside(`a gift to a wallet that sells nothing, told as ${kind}`, 'flows', told(kind))
      : honestly(`a gift to a wallet that sells nothing, told as ${kind}`, 'plain', 'verified', told(kind)),
  )
}

/** Tickets before the sale are those of an earlier event, and of the first event there is none before. */
function earlierCases(world: World): Case[] {
  const { honestly, beside } = casesOf(world)
  const { honest, flows } = world
  const first = flows.lines[0] as FlowLine
  const early: FlowLine = {
    ...{ ...first, blockNumber: (flows.head.wallets[0]?.openingBlock ?? 0n) + 1n, class: 'credited' },
    ...{ blockTime: Date.parse(honest.plain.saleStart) / 1000 - 1, transactionHash: other },
    ...{ transactionIndex: 0, logIndex: 0, counterparty: stranger, wallet: honest.plain.operatorWallet },
  }
  const file = (eventNumber: number, line: FlowLine) =>
    flowsText({ head: { ...flows.head, eventNumber }, lines: [line, ...flows.lines] })
  const { eventNumber } = honest.unanchored
  const missed: FlowLine = { ...early, class: 'missed' }
  return [
    honestly('a ticket of an earlier event, without an endpoint', 'unanchored', 'incomplete', {
      ...{ flows: { file: file(eventNumber, early) }, isOffline: true },
    }),
    honestly('a payment under earlier terms, without an endpoint', 'plain', 'incomplete', {
      ...{ flows: { file: file(1, missed) }, isOffline: true },
    }),
    beside('a ticket before the first sale, without an endpoint', 'flows', {
      ...{ flows: { file: file(1, early) }, isOffline: true },
    }),
  ]
}

/** A file that ends before the draw, or before the block that the site tells of, is not the whole story. */
function endCases(world: World): Case[] {
  const { honestly } = casesOf(world)
  const { flows, short } = world
  const solvency = solvencyOf(flows, world.honest.plain)
  const later = { ...solvency, block: { number: solvency.block.number + 1 } }
  return [
    honestly('money that ends before the draw block', 'plain', 'incomplete', {
      flows: { file: flowsText(short) },
    }),
    honestly('an answer of what is held behind the end of the file', 'plain', 'incomplete', {
      flows: { file: flowsText(flows), solvency: JSON.stringify(later) },
    }),
  ]
}

/** What money went out for may be told anew between two answers; how much went out may not. */
function toldCases(world: World): Case[] {
  const { honestly, beside } = casesOf(world)
  const { flows } = world
  const solvency = solvencyOf(flows, world.honest.plain)
  const file = flowsText(flows)
  const said = (change: object) => ({ flows: { file, solvency: JSON.stringify({ ...solvency, ...change }) } })
  const { other, ...outflow } = solvency.outflow
  const less = `${BigInt(other) - 1n}`
  const [one, two] = solvency.wallets as [Held, Held]
  return [
    honestly('an outflow that was told for a refund before', 'plain', 'incomplete', {
      ...said({ outflow: { ...outflow, other: '0', refund: other } }),
    }),
    beside('an outflow told for a refund before, less a unit', 'flows', {
      ...said({ outflow: { ...outflow, other: '0', refund: less } }),
    }),
    beside('a wallet that is told twice', 'flows', said({ wallets: [one, two, { ...one, held: '0' }] })),
    beside('more wallets than anyone has', 'flows', { flows: { file: crowded(flows) } }),
  ]
}

/** Each wallet costs whoever checks the file a question. */
function crowded({ head, lines }: Flows): string {
  const [wallet] = head.wallets
  const address = (at: number) => `0xffff${`${at}`.padStart(36, '0')}` as Address
  const more = wallet
    ? Array.from({ length: 1_000 }, (_, at) => ({ ...wallet, address: address(at), openingUnits: null }))
    : []
  return flowsText({ head: { ...head, wallets: [...head.wallets, ...more] }, lines })
}
