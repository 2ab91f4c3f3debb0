import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, onTestFinished, test } from 'vitest'
import { firstFailure, once, openDrawnEvent, statusOf } from '../../e2e/lab/drawn-event.ts'
import { forFile } from '../../e2e/lab/opened.ts'
import { lacksPython, python } from '../../e2e/lab/python.ts'
import {
  type Memory,
  type Progress,
  type Rpc,
  uncheckedSteps,
  type VerifyResult,
  verdictOf,
  verifyDraw,
} from './verify.ts'

const { proof, ledger, known, rpc, verify } = await forFile(openDrawnEvent())

describe('an honest draw', () => {
  test('passes every step', async () => {
    const results = await verify()
    expect(results.filter(({ status }) => status !== 'passed')).toEqual([])
    expect(results).toHaveLength(14)
    expect(verdictOf(results)).toBe('verified')
  })

  test('can be checked from saved files alone, and the report names what was not checked', async () => {
    const results = await verify({ rpc: undefined, known: {} })
    expect(results.map(({ status }) => status)).toEqual([
      ...['passed', 'skipped', 'passed', 'passed', 'passed', 'passed', 'passed', 'passed'],
      ...Array(6).fill('skipped'),
    ])
    expect(verdictOf(results)).toBe('incomplete')
  })

  // The product needs no Python, so a machine may lack it; where CI is set, its absence fails.
  test.skipIf(lacksPython)('I11: passes the second implementation, in another language', async () => {
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
    expect([statusOf(results, 'completeness'), statusOf(results, 'anchor')]).toEqual(['skipped', 'skipped'])
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
      expect(['unknown', 'skipped']).toContain(statusOf(results, 'draw-block'))
      expect(verdictOf(results)).toBe('incomplete')
    }
  })

  test('logs that are no hexadecimal text are nonsense of the endpoint: they stop nothing and contradict nothing', async () => {
    type Log = { address: string; topics: unknown[]; data: string }
    const noHex = `0x${'zz'.repeat(32)}`
    for (const twist of [
      (log: Log) => ({ ...log, data: noHex }),
      (log: Log) => ({ ...log, address: 'zz' }),
      (log: Log) => ({ ...log, topics: [log.topics[0], noHex, log.topics[2]] }),
      (log: Log) => ({
        ...log,
        topics: [log.topics[0], Array.from({ length: 66 }, () => 'a'), log.topics[2]],
      }),
      (log: Log) => ({ ...log, topics: [log.topics[0], 7, null] }),
    ]) {
      const hostile: Rpc = async (method, params) => {
        const answer = await rpc(method, params)
        if (method === 'eth_getLogs') return (answer as Log[]).map(twist)
        if (method !== 'eth_getBlockReceipts') return answer
        return (answer as { logs: Log[] }[]).map((each) => ({ ...each, logs: each.logs.map(twist) }))
      }
      const results = await verify({ rpc: hostile })
      const told = results.filter(({ status }) => status !== 'passed')
      expect(told.map(({ step, status }) => [step, status])).toEqual([
        ['receipts', 'unknown'],
        ['completeness', 'unknown'],
        ['anchor', 'unknown'],
      ])
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
      ['receipts', 'completeness', 'anchor'],
    ])
    expect([verdictOf(all), uncheckedSteps(all)]).toEqual(['incomplete', ['completeness', 'anchor']])
    // A node that returns logs of one block per call, with a limit of two calls.
    const results = await verify({ rpc: oneBlockOfLogs, logCalls: 2 })
    expect(statusOf(results, 'completeness')).toBe('partial')
    expect([verdictOf(results), uncheckedSteps(results)]).toEqual(['incomplete', ['completeness', 'anchor']])
    expect(verdictOf(await verify({ rpc: oneBlockOfLogs }))).toBe('verified')
  })

  test('is incomplete without the line of the terms, whatever else was noted', async () => {
    const results = await verify({ known: { ...known, kept: [] } })
    expect([verdictOf(results), uncheckedSteps(results)]).toEqual(['incomplete', ['terms']])
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

  test('is verified without logs too, by bloom filters and block receipts, if that is asked for', async () => {
    const results = await verify({ rpc: without('eth_getLogs'), byBlooms: true })
    expect(results.filter(({ status }) => status !== 'passed')).toEqual([])
    const lied: Rpc = async (method, params) => {
      if (method === 'eth_getLogs') throw new Error('method not found')
      const answer = await rpc(method, params)
      const isBlock = method === 'eth_getBlockByNumber' && answer
      return isBlock ? { ...answer, logsBloom: `0x${'00'.repeat(256)}` } : answer
    }
    const told = await verify({ rpc: lied, byBlooms: true })
    expect(statusOf(told, 'completeness')).toBe('unknown')
    const silent = await verify({ rpc: without('eth_getLogs', 'eth_getBlockReceipts'), byBlooms: true })
    expect([statusOf(silent, 'completeness'), verdictOf(silent)]).toEqual(['unknown', 'incomplete'])
  })

  test('what was cut off is taken up where it stopped, and says beforehand how much it asks', async () => {
    let progress: Partial<Progress> = {}
    const memory: Memory = {
      load: () => progress,
      keep: (change) => {
        progress = { ...progress, ...change }
      },
    }
    const run = async (most: number) => {
      let asked = 0
      const limited: Rpc = (method, params) => {
        const { fromBlock, toBlock } = (params[0] ?? {}) as { fromBlock?: string; toBlock?: string }
        if (method !== 'eth_getLogs' || fromBlock !== toBlock) return oneBlockOfLogs(method, params)
        asked += 1
        return asked > most ? Promise.reject(new Error('gone')) : oneBlockOfLogs(method, params)
      }
      const told = verifyDraw({
        ...{ proof: JSON.stringify(proof), ledger, known, rpc: limited, memory },
      })
      const events = await Array.fromAsync(told)
      const requests = events.flatMap((event) => (event.kind === 'progress' ? (event.requests ?? []) : []))
      return { requests, results: events.filter((event) => event.kind === 'result') }
    }
    const cut = await run(4)
    expect(statusOf(cut.results, 'completeness')).toBe('unknown')
    const [lines, blocks = 0] = cut.requests
    expect(lines).toBe(8)
    const whole = await run(1_000)
    expect(verdictOf(whole.results)).toBe('verified')
    expect(whole.requests).toEqual([0, expect.any(Number)])
    expect(whole.requests[1]).toBeLessThan(blocks)
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
  const finders: Record<string, string | string[]> = {
    version: 'form',
    eventNumber: 'terms',
    chainId: 'terms',
    token: 'terms',
    operatorWallet: 'terms',
    ticketPrice: 'terms',
    saleStart: 'terms',
    saleEndDate: 'terms',
    drawDate: 'terms',
    // What the rules let an event change in its line, the line that was anchored shows.
    terms: ['terms', 'anchor'],
    ticketsSold: 'lines',
    'ledger.sha256': 'ledger',
    'ledger.lines': 'lines',
    commitment: 'anchor',
    ownWallets: 'terms',
    secondReading: 'form',
    anchor: 'anchor',
    entropy: 'form',
    blockSeed: 'seed',
    beacon: 'form',
    miners: 'blocks',
    winners: 'winners',
    reserves: 'winners',
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
  })

  test('of the proof is found by the step for that field', async () => {
    const text = JSON.stringify(proof)
    const bytes = new TextEncoder().encode(text)
    const kept = { ...known, kept: [{ terms: proof.terms, firstDrawDate: null, ownUntil: 0 }] }
    for (let at = 0; at < bytes.length; at++) {
      const changed = new TextDecoder().decode(flip(bytes, at))
      const step = firstFailure(await verify({ proof: changed, known: kept }))
      expect([
        at,
        changed.slice(Math.max(0, at - 30), at + 10),
        ['form', finders[fieldAt(text, at)]].flat(),
      ]).toEqual([at, expect.any(String), expect.arrayContaining([step])])
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
