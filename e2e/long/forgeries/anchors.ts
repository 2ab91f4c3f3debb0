// @ts-nocheck: written for another line of terms
import { register } from '../../../core/chain/register.ts'
import type { Proof } from '../../../core/draw/proof.ts'
import { parseTerms } from '../../../core/event/terms.ts'
import { type Case, casesOf, datedEarlier, noted } from './case.ts'
import type { Lie } from './server.ts'
import { termsWith } from './terms.ts'
import type { World } from './world.ts'

const other = `0x${'11'.repeat(32)}` as const

/** What was on the chain before the draw, or was not. */
export function anchorCases(world: World): Case[] {
  const { edited, honestly } = casesOf(world)
  const { plain, late, byStranger } = world.honest
  const anchor = plain.anchor as NonNullable<Proof['anchor']>
  return [
    edited('an anchor that is not there', 'anchor', 'unanchored', { anchor }),
    edited('an anchor after the draw', 'anchor', 'late', { anchor: late.anchor }),
    honestly(
      'an anchor after the draw that the proof does not name',
      'late',
      'incomplete',
      {},
      { anchor: null },
    ),
    edited('an anchor of a stranger', 'anchor', 'byStranger', { anchor: byStranger.anchor }),
    honestly(
      'an anchor of a stranger that the proof does not name',
      'byStranger',
      'incomplete',
      {},
      { anchor: null },
    ),
    honestly('an anchor after which another came', 'anotherLater', 'incomplete'),
    honestly('an anchor after which another came under another book', 'underTwoBooks', 'incomplete'),
    edited('another commitment alone', 'anchor', 'anotherOnly', {}),
    honestly("garbage by who stole the anchor wallet's key", 'stolenKey', 'incomplete'),
    honestly("garbage of the anchor wallet behind the operator's own anchor", 'byBoth', 'verified'),
    ...movedDates(world),
    edited('another commitment in the proof', 'anchor', 'plain', { commitment: other }),
    edited(
      'another commitment in the proof, without an endpoint',
      'anchor',
      'plain',
      { commitment: other },
      { isOffline: true },
    ),
    edited('an anchor of another transaction', 'anchor', 'plain', {
      anchor: { ...anchor, transactionHash: other },
    }),
    edited('an anchor of another time', 'anchor', 'plain', {
      anchor: { ...anchor, timestamp: anchor.timestamp - 1 },
    }),
    edited('an anchor of another block', 'anchor', 'plain', {
      anchor: { ...anchor, blockNumber: anchor.blockNumber - 1 },
    }),
  ]
}

/** Dates that were moved, of events of which something was put on the chain before the sale end. */
function movedDates(world: World): Case[] {
  const { honestly } = casesOf(world)
  const { plain, moved, movedByOther } = world.honest
  const before = (terms: string, anchorWallet = 'none') => ({
    kept: [noted(datedEarlier(terms, 100, { anchorWallet }))],
  })
  const wallet = parseTerms(world.honest.byAnchorWallet.terms)?.anchorWallet
  const inFull = { lie: refuse('eth_getLogs'), args: ['--full'] }
  return [
    honestly('a date moved after a commitment had been made', 'moved', 'incomplete', before(moved.terms)),
    honestly('a date moved after a commitment, at a node without logs', 'moved', 'incomplete', {
      ...{ ...before(moved.terms), ...inFull },
    }),
    honestly('a date moved after a commitment of another event', 'plain', 'verified', before(plain.terms)),
    honestly('a date moved, at a node without logs', 'plain', 'verified', {
      ...{ ...before(plain.terms), ...inFull },
    }),
    honestly('a commitment before a sale end that was never another', 'moved', 'verified'),
    honestly(
      'a date moved after a commitment of the wallet for anchors that was promised',
      'movedByOther',
      'incomplete',
      before(movedByOther.terms, wallet),
    ),
    honestly(
      'a date moved after a commitment of a wallet that nobody was promised',
      'movedByOther',
      'verified',
      before(movedByOther.terms),
    ),
    honestly('a date moved, at a node that answers anchors of other blocks', 'plain', 'incomplete', {
      ...before(plain.terms),
      lie: async (method, params, ask) => {
        const [filter] = params as [{ address?: string }]
        if (method !== 'eth_getLogs' || !isRegister(filter)) return ask(method, params)
        const all = { ...filter, fromBlock: '0x0', toBlock: 'latest' }
        const asked = (await ask(method, params)) as unknown[]
        return asked.length > 0 ? asked : ask(method, [all])
      },
    }),
  ]
}

/** Verifiers write addresses in different cases. */
const isRegister = ({ address }: { address?: string }): boolean =>
  address?.toLowerCase() === register.address.toLowerCase()

const refuse =
  (...methods: string[]): Lie =>
  (method, params, ask) => {
    if (methods.includes(method)) throw new Error(`the method ${method} does not exist`)
    return ask(method, params)
  }

/** What every verifier must not call forged. */
export function honestCases(world: World): Case[] {
  const { honestly, edited } = casesOf(world)
  const { plain } = world.honest
  const pretty = JSON.stringify(plain, null, 2)
  const drawDate = Date.parse(plain.drawDate) / 1000
  const none = { saleEnd: 'none', drawDate: 'none', drawBy: 'none' } as const
  return [
    honestly('an honest draw', 'plain', 'verified'),
    honestly('an honest draw with a beacon', 'drand', 'verified'),
    honestly('an honest draw of several winners', 'several', 'verified'),
    honestly('an honest draw that the anchor wallet anchored', 'byAnchorWallet', 'verified'),
    honestly('an honest draw without an anchor', 'unanchored', 'incomplete'),
    honestly('an anchor that the proof does not name', 'plain', 'verified', {}, { anchor: null }),
    honestly('a proof without a second reading', 'plain', 'verified', {}, { secondReading: false }),
    { ...honestly('a proof with white space', 'plain', 'verified'), proof: pretty },
    honestly('files alone', 'plain', 'incomplete', { isOffline: true }),
    honestly('files alone, with a beacon', 'drand', 'incomplete', { isOffline: true }),
    honestly('nothing noted', 'plain', 'incomplete', { kept: [] }),
    honestly('terms noted by hand', 'plain', 'incomplete', {
      kept: [],
      args: [
        ...['--wallet', plain.operatorWallet, '--price', '3', '--sale-start', plain.saleStart],
        ...['--sale-end', plain.saleEndDate, '--draw-date', plain.drawDate, '--event', '1'],
      ],
    }),
    honestly('a line of before the date was set', 'plain', 'incomplete', {
      kept: [noted(termsWith(plain.terms, none))],
    }),
    honestly('a minimum that was lowered', 'plain', 'verified', {
      kept: [noted(termsWith(plain.terms, { minTickets: '20' }))],
    }),
    honestly('a draw date that was put off within the rules', 'plain', 'verified', {
      kept: [
        noted(
          termsWith(plain.terms, {
            ...{ drawDate: `${drawDate - 86_400}`, saleEnd: `${drawDate - 86_460}` },
            drawBy: `${drawDate + 6 * 86_400}`,
          }),
        ),
      ],
    }),
    honestly('a date put off before the sale end, kept line not told after it', 'plain', 'verified', {
      kept: [{ ...noted(datedEarlier(plain.terms, 100)), toldUntil: drawDate - 161 }],
    }),
    honestly('a minimum lowered before the sale end, kept line not told after it', 'plain', 'verified', {
      kept: [{ ...noted(termsWith(plain.terms, { minTickets: '20' })), toldUntil: drawDate - 61 }],
    }),
    honestly('a date brought forward before the sale end, kept line not told after it', 'plain', 'verified', {
      kept: [{ ...noted(datedEarlier(plain.terms, -100)), toldUntil: drawDate - 61 }],
    }),
    honestly('a line of before the date was set, told for long', 'plain', 'incomplete', {
      kept: [{ ...noted(termsWith(plain.terms, none)), toldUntil: drawDate - 61 }],
    }),
    edited(
      'a draw date that was put off too far',
      'terms',
      'plain',
      {},
      {
        kept: [
          noted(
            termsWith(plain.terms, {
              ...{ drawDate: `${drawDate - 31 * 86_400}`, saleEnd: `${drawDate - 31 * 86_400 - 60}` },
              drawBy: `${drawDate - 24 * 86_400}`,
            }),
          ),
        ],
      },
    ),
    honestly('another wallet for anchors than was promised', 'byAnchorWallet', 'verified', {
      kept: [noted(termsWith(world.honest.byAnchorWallet.terms, { anchorWallet: 'none' }))],
    }),
    honestly('a node without logs', 'plain', 'incomplete', { lie: refuse('eth_getLogs') }),
    honestly('a node without logs, in full', 'plain', 'verified', {
      ...{ lie: refuse('eth_getLogs'), args: ['--full'] },
    }),
    honestly('a node without block receipts', 'plain', 'verified', { lie: refuse('eth_getBlockReceipts') }),
    honestly('a node that has forgotten hashes', 'plain', 'verified', {
      lie: refuse('eth_getTransactionByHash', 'eth_getTransactionReceipt'),
    }),
    honestly('a node that knows no finalized block', 'plain', 'incomplete', {
      lie: (method, params, ask) => {
        if (params[0] === 'finalized' || params[0] === 'latest') throw new Error('invalid block tag')
        return ask(method, params)
      },
    }),
    honestly('a node of narrow ranges', 'plain', 'verified', {
      lie: (method, params, ask) => {
        const { fromBlock, toBlock } = (params[0] ?? {}) as { fromBlock?: string; toBlock?: string }
        if (method === 'eth_getLogs' && Number(toBlock) - Number(fromBlock) > 2)
          throw new Error('3 blocks at most')
        return ask(method, params)
      },
    }),
    honestly('a node that has pruned the sale', 'plain', 'incomplete', {
      lie: (method, params, ask) =>
        Number(params[0]) < (plain.blocks[0]?.number ?? 0) ? null : ask(method, params),
    }),
    honestly('a node that answers nonsense', 'plain', 'incomplete', { lie: () => 'hello' }),
    honestly('a node that answers nothing', 'plain', 'incomplete', { lie: () => null }),
    honestly('a node whose headers do not give their hash', 'plain', 'incomplete', {
      lie: async (method, params, ask) => {
        const answer = await ask(method, params)
        return method === 'eth_getBlockByNumber' ? { ...(answer as object), stateRoot: other } : answer
      },
    }),
    honestly('a node whose logs are lost, as if there had been none', 'plain', 'incomplete', {
      lie: (method, params, ask) => (method === 'eth_getLogs' ? [] : ask(method, params)),
    }),
    honestly('a node that has lost the logs of half the sale', 'plain', 'incomplete', {
      lie: async (method, params, ask) => {
        const answer = await ask(method, params)
        return method === 'eth_getLogs' ? (answer as unknown[]).slice(1) : answer
      },
    }),
    // Headers alone are left of these blocks, and none of it says so.
    honestly('a node that has lost logs, receipts and transactions', 'plain', 'incomplete', {
      lie: (method, params, ask) => {
        if (method === 'eth_getLogs') return []
        return /Receipt|ByBlockNumberAndIndex/.test(method) ? null : ask(method, params)
      },
    }),
    honestly('a node that has lost logs, and answers no receipts', 'plain', 'incomplete', {
      lie: (method, params, ask) => {
        if (method === 'eth_getLogs') return []
        if (/Receipt/.test(method)) throw new Error(`the method ${method} does not exist`)
        return ask(method, params)
      },
    }),
    honestly(
      'a node that has lost the logs of the register, and answers no receipts',
      'plain',
      'incomplete',
      {
        lie: (method, params, ask) => {
          if (method === 'eth_getBlockReceipts') throw new Error(`the method ${method} does not exist`)
          const [filter] = params as [{ address?: string }]
          return method === 'eth_getLogs' && isRegister(filter) ? [] : ask(method, params)
        },
      },
    ),
    edited(
      'an anchor that is not there, at a node that answers no block receipts',
      'anchor',
      'unanchored',
      {
        anchor: {
          ...(plain.anchor as NonNullable<Proof['anchor']>),
          blockNumber: plain.blocks[0]?.number ?? 0,
        },
      },
      { lie: refuse('eth_getBlockReceipts') },
    ),
    edited('an anchor that is not there, at a node that has none', 'anchor', 'unanchored', {
      anchor: plain.anchor,
    }),
    honestly('a node that hides an anchor of its own', 'unanchored', 'incomplete', {
      lie: (method, params, ask) =>
        method === 'eth_getLogs' && isRegister(params[0] as { address?: string }) ? [] : ask(method, params),
    }),
  ]
}
