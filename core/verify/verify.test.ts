import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { sha256 as hashOf, stringToHex } from 'viem'
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest'
import { loadProof } from '../../db/draw/proof.ts'
import { ledgerPages } from '../../db/payment/ledger.ts'
import { events } from '../../db/schema/index.ts'
import { type DrawWorld, openDrawWorld, saleEndAt } from '../../e2e/lab/draw-story.ts'
import { python } from '../../e2e/lab/python.ts'
import { rpc as ask } from '../../infra/local/rpc.ts'
import { drawWinner } from '../draw/draw.ts'
import type { Proof } from '../draw/proof.ts'
import {
  isVerified,
  type KnownTerms,
  type Rpc,
  type VerifyInput,
  type VerifyResult,
  verifyDraw,
} from './verify.ts'

let world: DrawWorld
let proof: Proof
let ledger: string
let known: KnownTerms
let rpc: Rpc

beforeAll(async () => {
  world = await openDrawWorld()
  await world.pay(1, 99_00, 10)
  await world.pay(4, 2_00, 12)
  await world.pay(2, 3_50, 20)
  await world.pay(3, 300_00, 21)
  await world.pay(1, 6_00, 190)
  const { ledgerSha256 } = await world.endSale()
  await world.sendAnchor(ledgerSha256 as `0x${string}`, { at: saleEndAt + 20 })
  await world.pay(5, 30_00, saleEndAt + 30)
  await world.reachDraw()
  await world.draw()
  await world.db.update(events).set({ redrawnAt: new Date(Date.now() - 20_000) })
  proof = (await loadProof(world.db, 1)) as Proof
  const { eventNumber, chainId, token, operatorWallet, ticketPrice, saleStart, saleEndDate, drawDate } = proof
  known = { eventNumber, chainId, token, operatorWallet, ticketPrice, saleStart, saleEndDate, drawDate }
  ledger = (await Array.fromAsync(ledgerPages(world.db, 1))).map(({ text }) => text).join('')
  const answers = new Map<string, Promise<unknown>>()
  rpc = (method, params) => {
    const key = JSON.stringify([method, params])
    const answer = answers.get(key) ?? ask(world.url, method, params)
    answers.set(key, answer)
    return answer
  }
}, 60_000)
afterAll(() => world?.close())

async function verify(change: Partial<VerifyInput> = {}): Promise<VerifyResult[]> {
  const events = verifyDraw({ proof: JSON.stringify(proof), ledger, rpc, known, ...change })
  return (await Array.fromAsync(events)).filter((event): event is VerifyResult => event.kind === 'result')
}
const firstFailure = (results: VerifyResult[]) => results.find(({ status }) => status === 'failed')?.step
const statusOf = (results: VerifyResult[], step: string) =>
  results.find((result) => result.step === step)?.status

describe('an honest draw', () => {
  test('passes every step', async () => {
    const results = await verify()
    expect(results.filter(({ status }) => status !== 'passed')).toEqual([])
    expect(results).toHaveLength(13)
    expect(isVerified(results)).toBe(true)
  })

  test('can be checked from saved files alone, and says what was not checked', async () => {
    const results = await verify({ rpc: undefined, known: {} })
    expect(results.map(({ status }) => status)).toEqual([
      ...['passed', 'skipped', 'passed', 'passed', 'passed', 'passed', 'passed'],
      ...Array(6).fill('skipped'),
    ])
    expect(isVerified(results)).toBe(true)
  })

  test('I11: passes the second implementation, in another language', async () => {
    const dir = mkdtempSync(join(tmpdir(), 'blockdraw-verify-'))
    onTestFinished(() => rmSync(dir, { recursive: true }))
    const [proofFile, ledgerFile] = [join(dir, 'proof'), join(dir, 'ledger')]
    writeFileSync(proofFile, JSON.stringify(proof))
    writeFileSync(ledgerFile, ledger)
    const script = new URL('../draw/vectors/draw.py', import.meta.url).pathname
    expect(python(script, ['proof', proofFile, ledgerFile])).toContain('agree')
    writeFileSync(ledgerFile, ledger.replace(',33,', ',34,'))
    expect(() => python(script, ['proof', proofFile, ledgerFile])).toThrow('ledger fingerprint')
  })

  test('passes on nodes that serve no block receipts, and says so where they serve no logs', async () => {
    const results = await verify({ rpc: without('eth_getBlockReceipts', 'eth_getLogs') })
    expect(statusOf(results, 'receipts')).toBe('passed')
    expect(statusOf(results, 'completeness')).toBe('skipped')
    expect(firstFailure(results)).toBeUndefined()
  })

  test('passes on nodes that have forgotten transaction hashes', async () => {
    const forgetful: Rpc = (method, params) =>
      method === 'eth_getTransactionByHash' || method === 'eth_getTransactionReceipt'
        ? Promise.resolve(null)
        : rpc(method, params)
    expect((await verify({ rpc: forgetful })).filter(({ status }) => status !== 'passed')).toEqual([])
  })

  test('is neither right nor wrong to an endpoint that is gone or answers nonsense', async () => {
    for (const broken of [
      () => Promise.reject(new Error('gone')),
      async () => 'hello',
      async () => null,
      async () => ({}),
    ]) {
      const results = await verify({ rpc: broken as Rpc })
      expect(firstFailure(results)).toBeUndefined()
      expect(statusOf(results, 'draw-block')).toBe('unknown')
      expect(isVerified(results)).toBe(false)
    }
  })

  test('a long list is checked by a random sample that holds the first, the last and the winner', async () => {
    const results = await verify({ sample: 3, logCalls: 1 })
    expect(results.find(({ step }) => step === 'receipts')?.text).toContain(
      '3 of 4 payments, chosen at random',
    )
    expect(isVerified(results)).toBe(true)
  })
})

describe('one flipped byte', () => {
  /** The step that has to find it, by the proof's field; a byte may also break the form. */
  const finders: Record<string, string> = {
    version: 'form',
    eventNumber: 'terms',
    chainId: 'terms',
    token: 'terms',
    operatorWallet: 'terms',
    ticketPrice: 'terms',
    saleStart: 'terms',
    saleEndDate: 'terms',
    drawDate: 'terms',
    ticketsSold: 'lines',
    'ledger.sha256': 'ledger',
    'ledger.lines': 'lines',
    anchor: 'anchor',
    'blocks.hash': 'seed',
    'blocks.timestamp': 'blocks',
    'blocks.number': 'form',
    seed: 'seed',
    counter: 'seed',
    randomNumber: 'number',
    winningTicket: 'number',
    winner: 'winner',
  }

  test('of the ledger is found by its fingerprint', async () => {
    const bytes = new TextEncoder().encode(ledger)
    for (let at = 0; at < bytes.length; at++)
      expect([at, firstFailure(await verify({ ledger: once(flip(bytes, at)), rpc: undefined }))]).toEqual([
        at,
        'ledger',
      ])
  }, 60_000)

  test('of the proof is found by the step that is about it', async () => {
    const text = JSON.stringify(proof)
    const bytes = new TextEncoder().encode(text)
    for (let at = 0; at < bytes.length; at++) {
      const changed = new TextDecoder().decode(flip(bytes, at))
      const step = firstFailure(await verify({ proof: changed }))
      expect([
        at,
        changed.slice(Math.max(0, at - 30), at + 10),
        ['form', finders[fieldAt(text, at)]],
      ]).toEqual([at, expect.any(String), expect.arrayContaining([step])])
    }
  }, 120_000)
})

describe('an operator who cheats', () => {
  /** A proof and ledger that fit each other, made anew from other lines. */
  async function forge(lines: string[], change: Partial<Proof> = {}) {
    const text = `${ledger.split('\n')[0]}\n${lines.join('\n')}\n`
    const last = (lines.at(-1) as string).split(',')
    const ticketsSold = Number(last[0]) + Number(last[1]) - 1
    const { randomNumber, ...result } = drawWinner(
      proof.blocks.map(({ hash }) => hash),
      ticketsSold,
    )
    const parts = lines
      .map((line) => line.split(','))
      .findLast(([first]) => Number(first) <= result.winningTicket) as string[]
    return verify({
      ledger: text,
      proof: JSON.stringify({
        ...proof,
        ...result,
        ticketsSold,
        randomNumber: `${randomNumber}`,
        ledger: { sha256: hashOf(stringToHex(text)), lines: lines.length },
        winner: {
          walletAddress: parts[3],
          transactionHash: parts[2],
          ticketNumber: Number(parts[0]),
          ticketCount: Number(parts[1]),
        },
        ...change,
      }),
    })
  }
  const lines = () => ledger.trim().split('\n').slice(1)

  test('by leaving out a payment is found by the logs of the chain, and by the anchor', async () => {
    const results = await forge(lines().slice(0, -1))
    expect(firstFailure(results)).toBe('completeness')
    expect(statusOf(results, 'anchor')).toBe('failed')
  })

  test('by adding a payment that nobody made is found by the receipts', async () => {
    const [first, count, hash, , ...rest] = (lines().at(-1) as string).split(',')
    const fake = [Number(first) + Number(count), count, hash, `0x${'ee'.repeat(20)}`, ...rest].join(',')
    expect(firstFailure(await forge([...lines(), fake], { anchor: null }))).toBe('receipts')
  })

  test('by another amount is found by the receipts', async () => {
    const last = (lines().at(-1) as string).replace(',6000000000000000000,', ',6000000000000000001,')
    expect(firstFailure(await forge([...lines().slice(0, -1), last], { anchor: null }))).toBe('receipts')
  })

  test('by drawing from other blocks is found by the search for the draw block', async () => {
    const number = (proof.blocks[0]?.number ?? 0) + 1
    const blocks = await Promise.all(
      Array.from({ length: 5 }, async (_, i) => {
        const header = await world.deps.chain.header(BigInt(number + i))
        return { number: number + i, hash: header?.hash ?? '0x', timestamp: header?.timestamp ?? 0 }
      }),
    )
    const { randomNumber, ...result } = drawWinner(
      blocks.map(({ hash }) => hash),
      proof.ticketsSold,
    )
    const line = lines()
      .map((text) => text.split(','))
      .findLast(([first]) => Number(first) <= result.winningTicket) as string[]
    const winner = {
      walletAddress: line[3],
      transactionHash: line[2],
      ticketNumber: Number(line[0]),
      ticketCount: Number(line[1]),
    }
    const results = await verify({
      proof: JSON.stringify({ ...proof, ...result, blocks, winner, randomNumber: `${randomNumber}` }),
    })
    expect(firstFailure(results)).toBe('draw-block')
  })

  test('by hashes that no block has is found by the chain', async () => {
    const blocks = proof.blocks.map((block, i) =>
      i === 2 ? { ...block, hash: `0x${'11'.repeat(32)}` as const } : block,
    )
    const { randomNumber, ...result } = drawWinner(
      blocks.map(({ hash }) => hash),
      proof.ticketsSold,
    )
    const results = await verify({
      proof: JSON.stringify({ ...proof, ...result, blocks, randomNumber: `${randomNumber}` }),
    })
    expect(results.filter(({ status }) => status === 'failed').map(({ step }) => step)).toContain('blocks')
  })

  test('with another draw date, wallet or chain is found even by somebody who noted nothing', async () => {
    const later = new Date(Date.parse(proof.drawDate) + 1000).toISOString()
    for (const [change, step] of [
      [{ drawDate: later }, 'draw-block'],
      [{ chainId: 1 }, 'chain'],
      [{ operatorWallet: `0x${'ee'.repeat(20)}` }, 'receipts'],
      [{ saleEndDate: new Date(Date.parse(proof.saleStart) + 15_000).toISOString() }, 'receipts'],
    ] as const)
      expect(firstFailure(await verify({ known: {}, proof: JSON.stringify({ ...proof, ...change }) }))).toBe(
        step,
      )
  })
})

function without(...methods: string[]): Rpc {
  return (method, params) =>
    methods.includes(method) ? Promise.reject(new Error('method not found')) : rpc(method, params)
}

async function* once(bytes: Uint8Array): AsyncGenerator<Uint8Array> {
  yield bytes
}

/** One bit of it, a different one from byte to byte. */
function flip(bytes: Uint8Array, at: number): Uint8Array {
  const changed = Uint8Array.from(bytes)
  changed[at] = (changed[at] as number) ^ (1 << (at % 7))
  return changed
}

/** Which field of the proof a character of its text belongs to, its name included. */
function fieldAt(text: string, at: number): string {
  const before = [...text.matchAll(/"([a-zA-Z0-9]+)":/g)].filter((match) => match.index <= at)
  const names = before.map((match) => match[1] as string)
  const outer = names.findLast((name) => name in proof) as string
  const inner = names.at(-1) as string
  if (outer === 'blocks') return inner === 'blocks' ? 'blocks.number' : `blocks.${inner}`
  return outer === 'ledger' && inner !== 'ledger' ? `ledger.${inner}` : outer
}
