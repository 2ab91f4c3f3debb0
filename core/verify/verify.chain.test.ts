import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, onTestFinished, test } from 'vitest'
import { findingOf, firstFailure, once, openDrawnEvent } from '../../e2e/lab/drawn-event.ts'
import { forFile } from '../../e2e/lab/opened.ts'
import { lacksPython, verifyPy } from '../../e2e/lab/python.ts'
import { type Rpc, verdictOf } from './verify.ts'

const { proof, ledger, rpc, verify } = await forFile(openDrawnEvent())
const ofLogs = ['completeness', 'terms-anchor', 'list-anchor'] as const

describe('an honest draw', () => {
  test('passes every step', async () => {
    const results = await verify()
    expect(results.filter(({ status }) => status !== 'passed')).toEqual([])
    expect(results).toHaveLength(14)
    expect(verdictOf(results)).toBe('verified')
  })

  // The product needs no Python, so a machine may lack it; where CI is set, its absence fails.
  test.skipIf(lacksPython)('I11: passes the second implementation, in another language', async () => {
    const dir = mkdtempSync(join(tmpdir(), 'blockdraw-verify-'))
    onTestFinished(() => rmSync(dir, { recursive: true }))
    const [proofFile, ledgerFile] = [join(dir, 'proof'), join(dir, 'ledger')]
    writeFileSync(proofFile, JSON.stringify(proof))
    writeFileSync(ledgerFile, ledger)
    expect(verifyPy(proofFile, ledgerFile)).toContain('Incomplete: 7 of 14 steps passed.')
    writeFileSync(ledgerFile, ledger.replace(',33,', ',34,'))
    expect(verifyPy(proofFile, ledgerFile)).toContain('FAIL list')
  })

  test('passes on nodes without block receipts or transaction hashes, and by one block of logs a call', async () => {
    for (const node of [
      without('eth_getBlockReceipts', 'eth_getTransactionByHash', 'eth_getTransactionReceipt'),
      oneBlockOfLogs,
    ])
      expect((await verify({ rpc: node })).filter(({ status }) => status !== 'passed')).toEqual([])
  })

  test('is incomplete if the endpoint is gone or answers nonsense', async () => {
    for (const broken of [
      () => Promise.reject(new Error('gone')),
      async () => 'hello',
      async () => null,
      async () => ({}),
    ]) {
      const results = await verify({ rpc: broken as Rpc })
      expect(results.filter(({ status }) => status === 'open').map(({ step }) => step)).toEqual([
        ...['chain', 'draw-block', 'blocks', ...ofLogs],
      ])
      expect(verdictOf(results)).toBe('incomplete')
    }
  })

  test('logs that are no hexadecimal text, or were not asked for, stop nothing and contradict nothing', async () => {
    type Log = { address: string; topics: unknown[]; data: string; blockNumber: string }
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
      (log: Log) => ({ ...log, blockNumber: '0x1' }),
    ]) {
      const hostile: Rpc = async (method, params) => {
        const answer = await rpc(method, params)
        return method === 'eth_getLogs' ? (answer as Log[]).map(twist) : answer
      }
      const results = await verify({ rpc: hostile })
      expect(results.filter(({ status }) => status !== 'passed').map(({ step }) => step)).toEqual([...ofLogs])
      expect(verdictOf(results)).toBe('incomplete')
    }
  })

  test('a node that leaves a payment or an anchor out of its logs, and shows it in its receipts, contradicts nothing', async () => {
    const quiet: Rpc = async (method, params) => (method === 'eth_getLogs' ? [] : rpc(method, params))
    const results = await verify({ rpc: quiet })
    expect(ofLogs.map((step) => findingOf(results, step))).toEqual(Array(3).fill('logsLeaveOut'))
    expect(verdictOf(results)).toBe('incomplete')
  })

  test('needs the kept line', async () => {
    expect(verdictOf(await verify({ known: { kept: [] } }))).toBe('incomplete')
  })

  test('passes on a node that keeps only the newest blocks, and reports it if they are too few', async () => {
    const first = Number((ledger.split('\n')[1] as string).split(',')[5]) - 1
    expect(first).toBeGreaterThan(Number(proof.blocks[4]?.number) / 2)
    const results = await verify({ rpc: keepingFrom(first) })
    expect(results.filter(({ status }) => status !== 'passed')).toEqual([])
    for (const from of [first + 2, Number(proof.blocks[4]?.number)]) {
      const told = await verify({ rpc: keepingFrom(from) })
      expect([verdictOf(told), findingOf(told, 'completeness')]).toEqual(['incomplete', 'noHistory'])
    }
  })

  test('a node without logs lacks logs, one whose logs begin too late lacks an archive', async () => {
    const none = await verify({ rpc: without('eth_getLogs') })
    expect(ofLogs.map((step) => findingOf(none, step))).toEqual(Array(3).fill('noLogs'))
    const newLogs: Rpc = (method, params) =>
      method === 'eth_getLogs' &&
      Number((params[0] as { fromBlock: string }).fromBlock) < Number(proof.blocks[0]?.number)
        ? Promise.reject(new Error('History has been pruned for this block'))
        : rpc(method, params)
    expect(findingOf(await verify({ rpc: newLogs }), 'completeness')).toBe('noOldLogs')
  })

  test('reading stops at the size limit, whatever the list holds', async () => {
    let given = 0
    const endless = async function* () {
      for (; given < 100; given++) yield new Uint8Array(65_536).fill(0x31)
    }
    const results = await verify({ list: endless(), listLimit: 2 ** 20 })
    expect(results.find(({ step }) => step === 'list')).toMatchObject({
      ...{ status: 'open', finding: 'listUnread', values: { problem: 'It is larger than 1 MiB.' } },
    })
    expect(given).toBe(16)
    expect(verdictOf(results)).toBe('incomplete')
  })
})

describe('one flipped byte', () => {
  /** The step that must find the change, by field of the proof; a byte may also break the form. */
  const finders: Record<string, string | string[]> = {
    version: 'form',
    // The line of the buyer is another one.
    terms: ['terms', 'form'],
    termsSha256: 'terms',
    commitment: 'form',
    'list.sha256': 'form',
    'list.lines': 'lines',
    formerWallets: 'terms',
    anchors: ['terms-anchor', 'list-anchor'],
    ticketsSold: 'lines',
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
      expect([at, firstFailure(await verify({ list: once(flip(bytes, at)), rpc: undefined }))]).toEqual([
        at,
        'list',
      ])
  })

  test('of the proof is found by the step for that field', async () => {
    const text = JSON.stringify(proof)
    const bytes = new TextEncoder().encode(text)
    for (let at = 0; at < bytes.length; at++) {
      const changed = new TextDecoder().decode(flip(bytes, at))
      const step = firstFailure(await verify({ proof: changed }))
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
  const isAnchor = names.includes('anchors') && !names.includes('ticketsSold')
  const outer = isAnchor ? 'anchors' : (names.findLast((name) => name in proof) as string)
  const inner = names.at(-1) as string
  if (outer === 'blocks') return inner === 'blocks' ? 'blocks.number' : `blocks.${inner}`
  return outer === 'list' && inner !== 'list' ? `list.${inner}` : outer
}
