import type { Proof, ProofBlock } from '../../../core/draw/proof.ts'
import { formerWalletsSha256, parseTerms, type TermsField } from '../../../core/event/terms.ts'
import type { VerifyStep } from '../../../core/verify/steps.ts'
import { rpc as ask } from '../../../infra/local/rpc.ts'
import { renumbered, termsWith } from '../../lab/forged-proof.ts'
import { type Case, casesOf } from './case.ts'
import { otherBook, type World } from './world.ts'

type Change = Partial<Record<TermsField, string>>

const stranger = `0x${'ee'.repeat(20)}` as const

/** Terms that were others while tickets were sold, and lists that are not what was paid. */
export async function promiseCases(world: World): Promise<Case[]> {
  const { edited, refitted, relisted } = casesOf(world)
  const { lines } = world
  const { plain, several } = world.honest
  const { drawDate, saleStart, saleEnd } = parseTerms(plain.terms) as Record<TermsField, string>
  const later = (value: string, seconds: number) => `${Number(value) + seconds}`
  const terms = (change: Change, of = plain) => ({
    terms: termsWith(of.terms, change),
  })
  const payer = (line = '') => line.split(',')[3] as `0x${string}`
  const former = (wallets: `0x${string}`[]) => ({
    formerWallets: wallets,
    ...terms({ formerWalletsSha256: `${formerWalletsSha256(wallets)}` }),
  })
  const last = lines.at(-1) as string
  const [first = 0, count = 0] = last.split(',').map(Number)
  const oneMore = (change: (rest: string[]) => string[]) => [
    ...lines,
    [first + count, ...change(last.split(',').slice(1))].join(','),
  ]
  const nobody = { kept: [] }
  const unkept = (name: string, step: VerifyStep, change: Change) =>
    refitted(name, step, 'plain', terms(change), nobody)
  const kept = (name: string, ...lines: string[]) => edited(name, 'terms', 'plain', {}, { kept: lines })
  const dated = (change: Change) => termsWith(plain.terms, change)
  const changes: [name: string, change: Change, of?: Proof][] = [
    ['another book', { book: otherBook }],
    ['another wallet', { operatorWallet: stranger }],
    ['another wallet for anchors', { anchorWallet: stranger }],
    ['a lower price', { ticketPrice: `${10n ** 18n}` }],
    ['an earlier sale start', { saleStart: later(saleStart, -60) }],
    ['an earlier sale end', { saleEnd: later(saleEnd, -20) }],
    ['a lower minimum', { minTickets: '1' }],
    ['a draw by hand', { autoDraw: 'false' }],
    ['more winners', { winners: '3' }],
    ['fewer winners', { winners: '1' }, several],
    ['fewer days to claim', { claimDays: '7' }],
    ['another prize', { contentSha256: `0x${'cd'.repeat(32)}` }],
  ]
  const otherTerms = changes.map(([name, change, of = plain]) =>
    refitted(`${name} than was promised`, 'terms', of === several ? 'several' : 'plain', terms(change, of)),
  )
  return [
    ...(await Promise.all(otherTerms)),
    ...(await redrawn(world)),
    await refitted('another event than was bought', 'incomplete', 'plain', terms({ eventNumber: '99' })),
    await unkept('a token of the operator', 'terms', { token: stranger }),
    await unkept('another chain', 'terms', { chainId: '97' }),
    await unkept('fewer tickets than the minimum', 'terms', { minTickets: '100000' }),
    await unkept('a wallet that nobody paid, and no line kept', 'completeness', { operatorWallet: stranger }),
    await unkept('a later draw date, and no line kept', 'draw-block', { drawDate: later(drawDate, 11) }),
    await unkept('an earlier draw date, and no line kept', 'draw-block', { drawDate: later(drawDate, -3) }),
    edited('another hash of the terms', 'terms', 'plain', { termsSha256: `0x${'11'.repeat(32)}` }),
    kept(
      'a kept line of another date',
      dated({ drawDate: later(drawDate, -100), saleEnd: later(saleEnd, -100) }),
    ),
    kept('two kept lines of other dates', plain.terms, dated({ drawDate: later(drawDate, 100) })),
    kept(
      'a line of before the date, of another minimum',
      dated({ saleEnd: 'none', drawDate: 'none', minTickets: '20' }),
    ),
    kept('a kept line that is none', 'anything\n'),
    edited('earlier wallets that its terms do not name', 'terms', 'plain', { formerWallets: [stranger] }),
    await refitted('a source of chance that its terms do not have', 'terms', 'drand', {
      ...terms({ entropy: 'blocks' }, world.honest.drand),
    }),
    await relisted('a list without the last buyer', 'completeness', lines.slice(0, -1)),
    await relisted('a list without the first buyer', 'completeness', renumbered(lines.slice(1))),
    await relisted(
      'a buyer who is called an earlier wallet of the operator',
      'terms',
      renumbered(lines.filter((line) => payer(line) !== payer(lines[1]))),
      former([payer(lines[1])]),
    ),
    await relisted(
      'an earlier wallet of the operator that has a line',
      'completeness',
      lines,
      former([payer(lines[1])]),
      nobody,
    ),
    await relisted(
      'a payment that nobody made',
      'completeness',
      oneMore(([tickets = '', , ...rest]) => [tickets, `0x${'12'.repeat(32)}`, ...rest]),
    ),
    await relisted(
      'a friend in the transaction of a buyer',
      'completeness',
      oneMore(([tickets = '', hash = '', , ...rest]) => [tickets, hash, stranger, ...rest]),
    ),
    await relisted('a friend in the place of a buyer', 'completeness', [
      ...lines.slice(0, -1),
      last.replace(payer(last), stranger),
    ]),
    await relisted('another amount', 'completeness', [
      ...lines.slice(0, -1),
      last.replace(',6000000000000000000,', ',6000000000000000001,'),
    ]),
    await relisted(
      'a line twice',
      'completeness',
      oneMore((rest) => rest),
    ),
    await relisted('a payment of another block', 'completeness', [
      ...lines.slice(0, -1),
      last.replace(/,(\d+),(\d+)$/, (_, block, index) => `,${Number(block) + 1},${index}`),
    ]),
    await relisted('a payment of after the sale', 'completeness', [
      ...lines.slice(0, -1),
      last.replace(/,(\d+),(\d+)$/, `,${plain.blocks[0]?.number},0`),
    ]),
  ]
}

/** One sale drawn by five dates, of which the operator likes one; the line that a buyer kept lets one of the five pass. */
async function redrawn(world: World): Promise<Case[]> {
  const { refitted } = casesOf(world)
  const { plain } = world.honest
  const { drawDate } = parseTerms(plain.terms) as Record<TermsField, string>
  return Promise.all(
    [1, 2, 3, 4].map(async (later) => {
      const told = await Promise.all(plain.blocks.map(({ number }) => blockAt(world, number + later)))
      const date = told.at(-1)?.block.timestamp as number
      const change = {
        blocks: told.map(({ block }) => block),
        miners: told.map(({ miner }) => miner),
        terms: termsWith(plain.terms, { drawDate: `${date}` }),
      }
      return refitted(`the same sale drawn ${date - Number(drawDate)} s later`, 'terms', 'plain', change)
    }),
  )
}

export async function blockAt({ world }: World, number: number) {
  type Told = { hash: `0x${string}`; timestamp: string; miner: `0x${string}` }
  const { hash, timestamp, miner } = await ask<Told>(world.url, 'eth_getBlockByNumber', [
    `0x${number.toString(16)}`,
    false,
  ])
  const block: ProofBlock = { number, hash, timestamp: Number(timestamp) }
  return { block, miner: miner.toLowerCase() as `0x${string}` }
}
