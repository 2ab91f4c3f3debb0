import type { Address, Hex } from 'viem'
import type { Proof } from '../../core/draw/proof.ts'
import type { openAnchoredEvents } from './anchored-event.ts'
import { forged } from './forged-proof.ts'
import type { PyCase } from './verify-py.ts'

type Forgery = [step: string, name: string, Omit<PyCase, 'id'>]

/** Proofs and lists that are not right, each with the first step that must find it. */
export async function forgeries({
  proof,
  ledger,
  lines,
  beacon,
  anchors,
  blockAt,
}: Awaited<ReturnType<typeof openAnchoredEvents>>): Promise<Forgery[]> {
  const files = (change: Partial<Proof> | object = {}) => ({
    proof: JSON.stringify({ ...proof, ...change }),
    ledger,
  })
  const other = `0x${'ee'.repeat(32)}` as Hex
  const stranger = `0x${'ee'.repeat(20)}` as Address
  const last = lines.at(-1) as string
  const [first = '', count = '', hash, , ...rest] = last.split(',')
  const invented = [Number(first) + Number(count), count, hash, stranger, ...rest].join()
  const text = files().proof
  const late = new Date(Date.parse(proof.drawDate) + 1000).toISOString()
  const moved = await Promise.all(proof.blocks.map(({ number }) => blockAt(number + 1)))
  const blocks = proof.blocks.map((block, at) => (at === 2 ? { ...block, hash: other } : block))
  return [
    ['form', 'no JSON', { proof: text.slice(0, -1), ledger }],
    ['form', 'a field twice', { proof: text.replace('{', '{"version":2,'), ledger }],
    ['form', 'a field of its own', { proof: text.replace('{', '{"note":2,'), ledger }],
    ['form', 'a number as text', files({ ticketsSold: `${proof.ticketsSold}` })],
    ['form', 'a number with a fraction', { proof: text.replace('"counter":0', '"counter":0.0'), ledger }],
    ['form', 'an infinite number', { proof: text.replace('"counter":0', '"counter":1e999'), ledger }],
    ['form', 'an upper-case hash', files({ seed: proof.seed.toUpperCase().replace('0X', '0x') })],
    ['form', 'version 1', files({ version: 1 })],
    ['form', 'a beacon without its entropy', files({ beacon })],
    ['form', 'a day that does not exist', files({ drawDate: '2026-02-30T12:00:00.000Z' })],
    ['form', 'an escape', { proof: text.replace('blocks', '\\u0062locks'), ledger }],
    ['form', 'deep nesting', { proof: '['.repeat(200_000), ledger }],
    ['form', 'another form of the date', files({ drawDate: proof.drawDate.replace('.000', '') })],
    ['terms', 'another price', files({ ticketPrice: '1' })],
    [
      'terms',
      'another entropy than promised',
      await forged(proof, lines, { entropy: 'blocks+drand', beacon, terms: proof.terms }),
    ],
    ['terms', 'another wallet than noted', { ...files(), args: ['--wallet', stranger] }],
    [
      'terms',
      'fewer tickets than promised',
      await forged(proof, lines, { terms: proof.terms.replace(/,\d+,true,/, ',1000,true,') }),
    ],
    ['terms', 'another event than asked for', { ...files(), args: ['--event', '2'] }],
    ['terms', 'another token', await forged({ ...proof, token: stranger }, lines)],
    ['terms', 'another promise', { ...files(), args: [], terms: [proof.terms.replace(',true,', ',false,')] }],
    ['ledger', 'a changed list', { ...files(), ledger: ledger.replace('135,2,', '135,3,') }],
    ['lines', 'a line too few', { ...files({ ledger: { ...proof.ledger, lines: 3 } }) }],
    ['seed', 'another seed', files({ seed: other })],
    ['seed', 'another block seed', files({ blockSeed: other })],
    ['seed', 'a refused seed that was none', files({ counter: 1 })],
    ['number', 'another number', files({ randomNumber: '1' })],
    ['number', 'another ticket', files({ winningTicket: (proof.winningTicket % proof.ticketsSold) + 1 })],
    ['winner', 'another winner', files({ winner: { ...proof.winner, walletAddress: stranger } })],
    ['winners', 'a winner more', files({ winners: [proof.winner, ...proof.reserves.slice(0, 1)] })],
    ['winners', 'reserves in another order', files({ reserves: [...proof.reserves].reverse() })],
    ['winners', 'a reserve less', files({ reserves: proof.reserves.slice(1) })],
    ['draw-block', 'later blocks', await forged(proof, lines, { blocks: moved })],
    ['draw-block', 'a later draw date', { ...(await forged({ ...proof, drawDate: late }, lines)), args: [] }],
    ['blocks', 'an invented hash', await forged(proof, lines, { blocks })],
    [
      'blocks',
      'another miner',
      files({ miners: proof.miners.map((miner, at) => (at === 4 ? stranger : miner)) }),
    ],
    ['receipts', 'an invented payment', await forged(proof, [...lines, invented], { anchor: null })],
    ['completeness', 'a payment left out', await forged(proof, lines.slice(0, -1), { anchor: null })],
    ['anchor', 'another commitment', files({ commitment: other })],
    ['anchor', 'an anchor that is another one', files({ anchor: await anchors['2'] })],
    ['anchor', 'an invented anchor', files({ anchor: { ...proof.anchor, transactionHash: other } })],
  ]
}
