import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { concat, encodeFunctionData, erc20Abi, type Hash, type Hex, pad, sha256 } from 'viem'
import { afterAll, beforeAll, describe, expect, onTestFinished, test, vi } from 'vitest'
import { loadProof } from '../../db/draw/proof.ts'
import { ledgerPages } from '../../db/payment/ledger.ts'
import { events } from '../../db/schema/index.ts'
import { type DrawWorld, openDrawWorld, saleEndAt } from '../../e2e/lab/draw-story.ts'
import { fittingTerms, forged } from '../../e2e/lab/forged-proof.ts'
import { python } from '../../e2e/lab/python.ts'
import { rpc as ask } from '../../infra/local/rpc.ts'
import { drawWinner } from '../draw/draw.ts'
import type { Proof } from '../draw/proof.ts'
import { unitsOf } from '../money.ts'
import { parseTerms, type TermsField } from '../terms.ts'
import { usdtOnBsc } from '../usdt.ts'
import {
  type KnownTerms,
  type Rpc,
  uncheckedSteps,
  type VerifyInput,
  type VerifyResult,
  verdictOf,
  verifyDraw,
} from './verify.ts'

let world: DrawWorld
let proof: Proof
let ledger: string
let known: KnownTerms
let rpc: Rpc
/** Sent by the operator in time, with the right fingerprint, but not in the button's form. */
const otherAnchors: Record<string, NonNullable<Proof['anchor']>> = {}
/** A line for a payment after the sale. */
let lateLine: string

beforeAll(async () => {
  world = await openDrawWorld()
  // More blocks before the sale than since.
  await world.mine(40)
  await world.pay(1, 99_00, 10)
  await world.pay(4, 2_00, 12)
  await world.pay(2, 3_50, 20)
  await world.pay(3, 300_00, 21)
  await world.pay(1, 6_00, 190)
  const { ledgerSha256 } = await world.endSale()
  await world.sendAnchor(ledgerSha256 as `0x${string}`, { at: saleEndAt + 20 })
  const late = await placeOf(await world.pay(5, 30_00, saleEndAt + 30))
  lateLine = `${late.transactionHash},${late.from},${unitsOf(30_00)},${late.blockNumber},0`
  const { accounts } = world
  const operator = accounts[0] as `0x${string}`
  const transferOf = (value: bigint, to = operator) =>
    encodeFunctionData({ abi: erc20Abi, functionName: 'transfer', args: [to, value] })
  const others: Record<string, [to: `0x${string}`, data: Hex]> = {
    'no transfer': [operator, ledgerSha256 as Hex],
    'to another contract': [accounts[9] as `0x${string}`, concat([transferOf(0n), ledgerSha256 as Hex])],
    'an amount': [usdtOnBsc, concat([transferOf(1n), ledgerSha256 as Hex])],
    'to somebody else': [usdtOnBsc, concat([transferOf(0n, accounts[9]), ledgerSha256 as Hex])],
    'two fingerprints': [usdtOnBsc, concat([transferOf(0n), pad('0x1'), ledgerSha256 as Hex])],
  }
  for (const [at, [name, [to, data]]] of Object.entries(others).entries()) {
    await ask(world.url, 'evm_setNextBlockTimestamp', [world.start + saleEndAt + 31 + at])
    const { from: _, ...anchor } = await placeOf(await world.send(0, data, to))
    otherAnchors[name] = anchor
  }
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

/** Where a transaction was mined; anvil returns the hash before that. */
async function placeOf(transactionHash: Hash) {
  const receipt = await vi.waitFor(
    async () => {
      const found = await ask<{ blockNumber: Hex; from: string } | null>(
        world.url,
        'eth_getTransactionReceipt',
        [transactionHash],
      )
      if (!found) throw new Error('not mined yet')
      return found
    },
    { interval: 5 },
  )
  const block = await ask<{ timestamp: Hex }>(world.url, 'eth_getBlockByNumber', [receipt.blockNumber, false])
  const { from, blockNumber } = receipt
  return {
    transactionHash,
    blockNumber: Number(blockNumber),
    timestamp: Number(block.timestamp),
    from: from.toLowerCase(),
  }
}

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
    expect(verdictOf(results)).toBe('verified')
  })

  test('can be checked from saved files alone, and the report names what was not checked', async () => {
    const results = await verify({ rpc: undefined, known: {} })
    expect(results.map(({ status }) => status)).toEqual([
      ...['passed', 'skipped', 'passed', 'passed', 'passed', 'passed', 'passed'],
      ...Array(6).fill('skipped'),
    ])
    expect(verdictOf(results)).toBe('incomplete')
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

  test('passes on nodes that serve no block receipts, and the report names nodes without logs', async () => {
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

  test('is neither passed nor failed if the endpoint is gone or answers nonsense', async () => {
    for (const broken of [
      () => Promise.reject(new Error('gone')),
      async () => 'hello',
      async () => null,
      async () => ({}),
    ]) {
      const results = await verify({ rpc: broken as Rpc })
      expect(firstFailure(results)).toBeUndefined()
      expect(statusOf(results, 'draw-block')).toBe('unknown')
      expect(verdictOf(results)).toBe('incomplete')
    }
  })

  test('a long list is checked by a random sample that holds the first, the last and the winner', async () => {
    const results = await verify({ sample: 3, logCalls: 1 })
    expect(results.find(({ step }) => step === 'receipts')?.text).toContain(
      '3 of 4 payments, chosen at random',
    )
    // The logs of the whole sale fit one call here, and prove each line.
    expect(statusOf(results, 'receipts')).toBe('partial')
    expect(verdictOf(results)).toBe('verified')
  })

  test('I35: a sample proves only its own lines', async () => {
    const [sampled, all] = await Promise.all([
      verify({ sample: 3, rpc: without('eth_getLogs') }),
      verify({ rpc: without('eth_getLogs') }),
    ])
    expect([verdictOf(sampled), uncheckedSteps(sampled)]).toEqual([
      'incomplete',
      ['receipts', 'completeness'],
    ])
    expect([verdictOf(all), uncheckedSteps(all)]).toEqual(['incomplete', ['completeness']])
    // A node that returns logs of one block per call, with a limit of two calls.
    const results = await verify({ rpc: oneBlockOfLogs, logCalls: 2 })
    expect(statusOf(results, 'completeness')).toBe('partial')
    expect([verdictOf(results), uncheckedSteps(results)]).toEqual(['incomplete', ['completeness']])
    expect(verdictOf(await verify({ rpc: oneBlockOfLogs }))).toBe('verified')
  })

  test('is incomplete without one of the terms, or without an anchor', async () => {
    for (const name of ['operatorWallet', 'ticketPrice', 'saleStart', 'saleEndDate', 'drawDate'] as const) {
      const results = await verify({ known: { ...known, [name]: undefined } })
      expect([verdictOf(results), uncheckedSteps(results)]).toEqual(['incomplete', ['terms']])
    }
    const results = await verify({ proof: JSON.stringify({ ...proof, anchor: null }) })
    expect([verdictOf(results), uncheckedSteps(results)]).toEqual(['incomplete', ['anchor']])
  })

  test('passes on a node that keeps only the newest blocks, and reports it if they are too few', async () => {
    const first = Number((ledger.split('\n')[1] as string).split(',')[5]) - 1
    expect(first).toBeGreaterThan(Number(proof.blocks[4]?.number) / 2)
    const results = await verify({ rpc: keepingFrom(first) })
    expect(results.filter(({ status }) => status !== 'passed')).toEqual([])
    for (const from of [first + 2, Number(proof.blocks[4]?.number)]) {
      const told = await verify({ rpc: keepingFrom(from) })
      expect(verdictOf(told)).toBe('incomplete')
      expect(told.find(({ step }) => step === 'completeness')).toMatchObject({ lacks: 'archive' })
    }
  })

  test('a node without logs lacks logs, one whose logs begin too late lacks an archive', async () => {
    const lackOf = (results: VerifyResult[]) => results.find(({ step }) => step === 'completeness')?.lacks
    expect(lackOf(await verify({ rpc: without('eth_getLogs') }))).toBe('logs')
    const newLogs: Rpc = (method, params) =>
      method === 'eth_getLogs' &&
      Number((params[0] as { fromBlock: string }).fromBlock) < Number(proof.blocks[0]?.number)
        ? Promise.reject(new Error('History has been pruned for this block'))
        : rpc(method, params)
    expect(lackOf(await verify({ rpc: newLogs }))).toBe('archive')
  })

  test('reading stops at the size limit, whatever the list holds', async () => {
    let given = 0
    const endless = async function* () {
      for (; given < 100; given++) yield new Uint8Array(65_536).fill(0x31)
    }
    const results = await verify({ ledger: endless(), ledgerLimit: 2 ** 20 })
    expect(results.find(({ step }) => step === 'ledger')).toMatchObject({
      status: 'unknown',
      text: 'The file could not be read. It is larger than 1 MiB.',
    })
    expect(given).toBe(16)
    expect(verdictOf(results)).toBe('incomplete')
  })
})

describe('one flipped byte', () => {
  /** The step that must find the change, by field of the proof; a byte may also break the form. */
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
    terms: 'terms',
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

  test('of the ledger is found by the fingerprint', async () => {
    const bytes = new TextEncoder().encode(ledger)
    for (let at = 0; at < bytes.length; at++)
      expect([at, firstFailure(await verify({ ledger: once(flip(bytes, at)), rpc: undefined }))]).toEqual([
        at,
        'ledger',
      ])
  }, 60_000)

  test('of the proof is found by the step for that field', async () => {
    const text = JSON.stringify(proof)
    const bytes = new TextEncoder().encode(text)
    const kept = { ...known, terms: proof.terms }
    // The fingerprint of the own wallets may change after a purchase; what it stands for is not in the proof.
    const { ownWalletsSha256 } = parseTerms(proof.terms) as Record<TermsField, string>
    const free = text.indexOf(ownWalletsSha256)
    for (let at = 0; at < bytes.length; at++) {
      if (at >= free && at < free + ownWalletsSha256.length) continue
      const changed = new TextDecoder().decode(flip(bytes, at))
      const step = firstFailure(await verify({ proof: changed, known: kept }))
      expect([
        at,
        changed.slice(Math.max(0, at - 30), at + 10),
        ['form', finders[fieldAt(text, at)]],
      ]).toEqual([at, expect.any(String), expect.arrayContaining([step])])
    }
  }, 120_000)
})

describe('an operator who cheats', () => {
  /** A matching proof and ledger made from other lines. */
  const forge = (lines: string[], change: Partial<Proof> = {}) => verify(forged(proof, lines, change))
  const lines = () => ledger.trim().split('\n').slice(1)

  test('by leaving out a payment is found by the logs of the chain, and by the anchor', async () => {
    const results = await forge(lines().slice(0, -1))
    expect(firstFailure(results)).toBe('completeness')
    expect(statusOf(results, 'anchor')).toBe('failed')
  })

  test('by adding an invented payment is found by the receipts', async () => {
    const [first, count, hash, , ...rest] = (lines().at(-1) as string).split(',')
    const fake = [Number(first) + Number(count), count, hash, `0x${'ee'.repeat(20)}`, ...rest].join(',')
    expect(firstFailure(await forge([...lines(), fake], { anchor: null }))).toBe('receipts')
  })

  test('by another amount is found by the receipts', async () => {
    const last = (lines().at(-1) as string).replace(',6000000000000000000,', ',6000000000000000001,')
    expect(firstFailure(await forge([...lines().slice(0, -1), last], { anchor: null }))).toBe('receipts')
  })

  test('I35: by half a character after the last line is found by both implementations', async () => {
    const bytes = new Uint8Array([...new TextEncoder().encode(ledger), 0xe2, 0x82])
    const changed = { ...proof, ledger: { ...proof.ledger, sha256: sha256(bytes) }, anchor: null }
    const results = await verify({ ledger: once(bytes), proof: JSON.stringify(changed) })
    expect(firstFailure(results)).toBe('lines')
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

  test('I35: by lines from outside the sale is found even if a sample misses them', async () => {
    const honest = lines()
    const [first, count] = (honest.at(-1) as string).split(',').map(Number) as [number, number]
    const many = [...honest, `${first + count},10,${lateLine}`]
    // Only the logs could show it, and they are queried only for the time of the sale.
    const results = await verify({ ...forged(proof, many, { anchor: null }), sample: 0, random: () => 0 })
    expect(statusOf(results, 'completeness')).toBe('failed')
  })

  test('by invented block hashes is found by the chain', async () => {
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

  const refitted = (change: Partial<Proof>) => {
    const made = { ...proof, ...change }
    return JSON.stringify({ ...made, terms: fittingTerms(made) })
  }

  test('with another draw date, wallet or chain is found even without noted terms', async () => {
    const later = new Date(Date.parse(proof.drawDate) + 1000).toISOString()
    for (const [change, step] of [
      [{ drawDate: later }, 'draw-block'],
      [{ chainId: 1 }, 'terms'],
      [{ operatorWallet: `0x${'ee'.repeat(20)}` }, 'receipts'],
      [{ saleEndDate: new Date(Date.parse(proof.saleStart) + 15_000).toISOString() }, 'receipts'],
    ] as const)
      expect(firstFailure(await verify({ known: {}, proof: refitted(change) }))).toBe(step)
  })
})

describe('an anchor', () => {
  test('counts only between the end of the sale and the draw date', async () => {
    const { timestamp } = proof.anchor as NonNullable<Proof['anchor']>
    const at = (seconds: number) => new Date((timestamp + seconds) * 1000).toISOString()
    for (const [change, status] of [
      [{ saleEndDate: at(0) }, 'passed'],
      [{ saleEndDate: at(1) }, 'failed'],
      [{ drawDate: at(1) }, 'passed'],
      [{ drawDate: at(0) }, 'failed'],
    ] as const) {
      const results = await verify({ proof: JSON.stringify({ ...proof, ...change }) })
      expect([change, statusOf(results, 'anchor')]).toEqual([change, status])
    }
  })

  test("counts only in the button's form, whose log others can find", async () => {
    for (const [name, anchor] of Object.entries(otherAnchors)) {
      const results = await verify({ proof: JSON.stringify({ ...proof, anchor }) })
      expect([name, statusOf(results, 'anchor'), verdictOf(results)]).toEqual([name, 'skipped', 'incomplete'])
    }
  })
})

/** Logs of one block per call, as on the free plan of some providers. */
const oneBlockOfLogs: Rpc = (method, params) => {
  const { fromBlock, toBlock } = (params[0] ?? {}) as { fromBlock?: string; toBlock?: string }
  return method === 'eth_getLogs' && fromBlock !== toBlock
    ? Promise.reject(new Error('limited to a 1 block range'))
    : rpc(method, params)
}

/** A node that has dropped every block below `from`. */
function keepingFrom(from: number): Rpc {
  return (method, params) => {
    const [first] = params as [unknown]
    const { fromBlock } = (first ?? {}) as { fromBlock?: string }
    const isOld = (value: unknown) => typeof value === 'string' && /^0x/.test(value) && Number(value) < from
    if (method === 'eth_getBlockByNumber' && isOld(first)) return Promise.resolve(null)
    if (method === 'eth_getBlockReceipts' && isOld(first)) return Promise.resolve(null)
    if (method === 'eth_getLogs' && isOld(fromBlock))
      return Promise.reject(new Error('History has been pruned for this block'))
    return rpc(method, params)
  }
}

function without(...methods: string[]): Rpc {
  return (method, params) =>
    methods.includes(method) ? Promise.reject(new Error('method not found')) : rpc(method, params)
}

async function* once(bytes: Uint8Array): AsyncGenerator<Uint8Array> {
  yield bytes
}

/** Flips one bit of the byte at `at`, a different bit from byte to byte. */
function flip(bytes: Uint8Array, at: number): Uint8Array {
  const changed = Uint8Array.from(bytes)
  changed[at] = (changed[at] as number) ^ (1 << (at % 7))
  return changed
}

/** The field of the proof that a character of its text belongs to, including the field's name. */
function fieldAt(text: string, at: number): string {
  const before = [...text.matchAll(/"([a-zA-Z0-9]+)":/g)].filter((match) => match.index <= at)
  const names = before.map((match) => match[1] as string)
  const outer = names.findLast((name) => name in proof) as string
  const inner = names.at(-1) as string
  if (outer === 'blocks') return inner === 'blocks' ? 'blocks.number' : `blocks.${inner}`
  return outer === 'ledger' && inner !== 'ledger' ? `ledger.${inner}` : outer
}
