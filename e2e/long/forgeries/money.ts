import { type Address, type Hash, sha256, stringToHex } from 'viem'
import { type FlowLine, flowText } from '../../../core/flows/file.ts'
import { type Flows, flowsText } from '../../lab/flows-file.ts'
import { type Case, casesOf } from './case.ts'
import type { Lie } from './server.ts'
import type { World } from './world.ts'

const stranger = `0x${'5e'.repeat(20)}` as Address
const other = `0x${'77'.repeat(32)}` as Hash

/** Files of an event's money that are not what went in and out, and those that every verifier must believe. */
export function moneyCases(world: World): Case[] {
  const { honestly, beside } = casesOf(world)
  const { flows } = world
  const honest = flowsText(flows)
  const forge = (name: string, change: (made: Flows) => void): Case => {
    const made = structuredClone(flows)
    change(made)
    return beside(name, 'flows', { flows: { file: flowsText(made) } })
  }
  const rewrite = (name: string, change: (text: string) => string | Uint8Array): Case =>
    beside(name, 'flows', { flows: { file: change(honest) } })
  const first = (made: Flows, kind: FlowLine['class']) =>
    made.lines.find((line) => line.class === kind) as FlowLine
  const edit =
    (kind: FlowLine['class'], change: Partial<FlowLine> | ((line: FlowLine) => Partial<FlowLine>)) =>
    (made: Flows) => {
      const line = first(made, kind)
      Object.assign(line, typeof change === 'function' ? change(line) : change)
    }
  const leaveOut = (kind: FlowLine['class']) => (made: Flows) =>
    void made.lines.splice(made.lines.indexOf(first(made, kind)), 1)
  const opened = (change: Partial<Flows['head']['wallets'][number]>) => (made: Flows) => {
    made.head.wallets = made.head.wallets.map((each) => ({ ...each, ...change }))
  }
  const last = flows.lines.at(-1) as FlowLine
  const invented: FlowLine = {
    ...{ ...last, blockNumber: last.blockNumber + 1n, transactionHash: other, direction: 'out' },
    ...{ counterparty: stranger, units: 1n, class: 'other' },
  }
  const lines = honest.split('\n')
  return [
    honestly('an honest file of the money', 'plain', 'verified', { flows: { file: honest } }),
    honestly('an honest file of the money with what the site says of it', 'plain', 'verified', {
      flows: { file: honest, sha256: sha256(stringToHex(honest)) },
    }),
    honestly('an honest file of the money without an endpoint', 'plain', 'incomplete', {
      flows: { file: honest },
      isOffline: true,
    }),
    honestly('a file of the money at a node that has forgotten all balances', 'plain', 'incomplete', {
      flows: { file: honest },
      lie: withoutBalances(),
    }),
    honestly('a file of the money at a node that has forgotten old balances', 'plain', 'verified', {
      flows: { file: honest },
      lie: withoutBalances(Number(flows.head.until.number)),
    }),
    honestly('a file of the money at a node that has lost logs', 'plain', 'incomplete', {
      flows: { file: honest },
      lie: losingLogs,
    }),
    honestly('a file of the money at a node that has lost logs and receipts', 'plain', 'incomplete', {
      flows: { file: honest },
      lie: (method, params, ask) => (/Receipt/.test(method) ? null : losingLogs(method, params, ask)),
    }),
    honestly('a file of the money at a node without logs, in full', 'plain', 'verified', {
      flows: { file: honest },
      lie: withoutLogs,
      args: ['--full'],
    }),
    honestly('a file of the money whose opening nobody could tell', 'plain', 'incomplete', {
      flows: {
        file: flowsText({
          ...flows,
          head: {
            ...flows.head,
            wallets: flows.head.wallets.map((each) => ({ ...each, openingUnits: null })),
          },
        }),
      },
    }),
    // A line left out.
    forge('a payment left out of the money', leaveOut('credited')),
    forge('a payment without a ticket left out of the money', leaveOut('underpaid')),
    forge('the last transfer left out of the money', (made) => void made.lines.pop()),
    {
      ...forge('a payment left out of the money, without an endpoint', leaveOut('credited')),
      isOffline: true,
    },
    {
      ...forge('a payment without a ticket left out, at a node without logs', leaveOut('underpaid')),
      ...{ lie: withoutLogs, args: ['--full'] },
    },
    // A line changed.
    forge(
      'another amount in the money',
      edit('underpaid', ({ units }) => ({ units: units + 1n })),
    ),
    forge('another payer in the money', edit('credited', { counterparty: stranger })),
    forge('another payer without a ticket in the money', edit('underpaid', { counterparty: stranger })),
    forge('another transaction in the money', edit('underpaid', { transactionHash: other })),
    forge(
      'another place in the money',
      edit('underpaid', ({ logIndex }) => ({ logIndex: logIndex + 1 })),
    ),
    forge(
      'another time in the money',
      edit('underpaid', ({ blockTime }) => ({ blockTime: blockTime - 1 })),
    ),
    forge('money that went out instead of in', edit('underpaid', { direction: 'out', class: 'other' })),
    // The head.
    forge('an opening that was raised', opened({ openingUnits: 10n ** 24n })),
    forge('an opening that was raised by a unit', (made) => {
      const [wallet] = made.head.wallets
      if (wallet)
        made.head.wallets = [
          { ...wallet, openingUnits: (wallet.openingUnits ?? 0n) + 1n },
          ...made.head.wallets.slice(1),
        ]
    }),
    forge('an opening in another block', opened({ openingHash: other })),
    forge('another last block', (made) => {
      made.head.until = { ...made.head.until, hash: other }
    }),
    forge('another time of the last block', (made) => {
      made.head.until = { ...made.head.until, timestamp: made.head.until.timestamp + 1 }
    }),
    forge('the money of another event', (made) => {
      made.head.eventNumber = 2
    }),
    forge('the money of another token', (made) => {
      made.head.token = stranger
    }),
    forge('the money of another chain', (made) => {
      made.head.chainId = 97
    }),
    forge('the money of another wallet', (made) => {
      made.head.wallets = made.head.wallets.slice(0, 1).map((each) => ({ ...each, address: stranger }))
      made.lines = []
    }),
    // Classes.
    forge('a payment that is told to be late', edit('underpaid', { class: 'late' })),
    forge('a payment with a ticket that is told to be missed', edit('credited', { class: 'missed' })),
    forge('a payment without a ticket that is told to have one', edit('underpaid', { class: 'credited' })),
    forge('a payment that is told to be own', edit('underpaid', { class: 'own' })),
    {
      ...forge(
        'a payment that is told to be no debt, without an endpoint',
        edit('underpaid', { class: 'other' }),
      ),
      isOffline: true,
    },
    forge('a payment that is told to be a claim', edit('underpaid', { class: 'claim' })),
    forge('money that went to a wallet of his own, told as other', (made) => {
      made.lines = made.lines.map((each) =>
        each.class === 'own' && each.direction === 'out' ? { ...each, class: 'other' } : each,
      )
    }),
    forge('money that went to somebody, told as his own', edit('other', { class: 'own' })),
    forge('money that went to somebody who won nothing, told as a prize', edit('other', { class: 'prize' })),
    forge('a move between two wallets that came in nowhere', leaveOut('own')),
    forge('money that went out, left out', leaveOut('other')),
    forge('a second wallet left out, and what it sent', (made) => {
      const kept = world.honest.plain.operatorWallet
      made.head.wallets = made.head.wallets.filter(({ address }) => address === kept)
      made.lines = made.lines.filter(({ wallet }) => wallet === kept)
    }),
    forge('a move between two wallets that went out before it came in', (made) => {
      const at = made.lines.indexOf(first(made, 'own'))
      made.lines.splice(at, 2, made.lines[at + 1] as FlowLine, made.lines[at] as FlowLine)
    }),
    // Order, number and form of the lines.
    forge('money in another order', (made) => void made.lines.reverse()),
    forge('an invented transfer', (made) => void made.lines.push(invented)),
    forge('an invented prize', (made) => {
      made.lines.push({ ...invented, class: 'prize' })
    }),
    forge('a line of the money twice', (made) => {
      made.lines.splice(1, 0, made.lines[0] as FlowLine)
    }),
    forge('a refund without a debtor', (made) => {
      made.lines.push({ ...invented, class: 'refund' })
    }),
    forge('a debtor of what is no refund', (made) => {
      made.lines.push({ ...invented, debtor: stranger })
    }),
    beside('the money with another fingerprint', 'flows', { flows: { file: honest, sha256: other } }),
    beside('the money with another fingerprint, without an endpoint', 'flows', {
      ...{ flows: { file: honest, sha256: other }, isOffline: true },
    }),
    beside('a number of lines that is not so', 'flows', {
      flows: { file: flowsText(flows, flows.lines.length + 1) },
    }),
    rewrite('a line of the money behind those that are counted', (text) => text + flowText(invented)),
    rewrite('money that was cut off', (text) => text.slice(0, -40)),
    rewrite('money that was cut off behind a line', () => `${lines.slice(0, -2).join('\n')}\n`),
    rewrite('money without its last newline', (text) => text.slice(0, -1)),
    rewrite('money with a byte order mark', (text) => `\uFEFF${text}`),
    rewrite('money with two characters at line ends', (text) => text.replaceAll('\n', '\r\n')),
    rewrite('money with an empty line', (text) => `${text}\n`),
    rewrite(
      'money that is not UTF-8',
      (text) => new Uint8Array([...new TextEncoder().encode(text), 0xff, 10]),
    ),
    rewrite('no file of money', () => ''),
    rewrite('a list of tickets as the money', () => world.ledger),
    rewrite('a head of the money alone', () => `${lines[0]}\n`),
    rewrite('a wallet of the money twice', () => `${[lines[0], lines[1], ...lines.slice(1)].join('\n')}`),
    rewrite('an upper-case hash in the money', (text) =>
      text.replace(/(0x[0-9a-f]{64}),in/, (_, hash) => `${hash.toUpperCase().replace('X', 'x')},in`),
    ),
    rewrite('a number with a zero before it in the money', (text) =>
      text.replace(/\n(\d+),(\d+),0,/, '\n$1,$2,00,'),
    ),
    rewrite('a class that no money has', (text) => text.replace(',underpaid,', ',gift,')),
  ]
}

/** Refuses what was held at one block, or at all of them. */
const withoutBalances =
  (block?: number): Lie =>
  (method, params, ask) => {
    if (method === 'eth_call' && (block === undefined || Number(params[1]) === block))
      throw new Error('missing trie node')
    return ask(method, params)
  }

const withoutLogs: Lie = (method, params, ask) => {
  if (method === 'eth_getLogs') throw new Error('the method eth_getLogs does not exist')
  return ask(method, params)
}

/** As if the first of them had never been. */
const losingLogs: Lie = async (method, params, ask) => {
  const answer = await ask(method, params)
  return method === 'eth_getLogs' ? (answer as unknown[]).slice(1) : answer
}
