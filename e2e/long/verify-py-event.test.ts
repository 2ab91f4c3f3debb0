import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { numberToHex } from 'viem'
import { afterAll, describe, expect, onTestFinished, test } from 'vitest'
import { randomnessOf } from '../../core/draw/beacon.ts'
import type { Proof } from '../../core/draw/proof.ts'
import { openAnchoredEvents, termsWith } from '../lab/anchored-event.ts'
import { flowsOfChain, flowsText } from '../lab/flows-file.ts'
import { forgeries } from '../lab/forged-events.ts'
import { forFile, forTest } from '../lab/opened.ts'
import { lacksPython } from '../lab/python.ts'
import type { RpcFault } from '../lab/rpc-faults.ts'
import { startRpcProxy } from '../lab/rpc-proxy.ts'
import { signRound, testBeacon } from '../lab/test-beacon.ts'
import { type PyAnswer, type PyCase, runPython, verifyAllPy, verifyPy } from '../lab/verify-py.ts'

const event = await forFile(openAnchoredEvents())
const { world, proof, ledger, beacon, anchors, blockAt, proofOf } = event
const { round, after } = beacon

const noted = [
  ...['--wallet', proof.operatorWallet, '--price', '3'],
  ...['--sale-start', proof.saleStart, '--sale-end', proof.saleEndDate, '--draw-date', proof.drawDate],
]
const key = ['--beacon-key', testBeacon.publicKey]
const files = (change: Partial<Proof> | object = {}) => ({
  proof: JSON.stringify({ ...proof, ...change }),
  ledger,
})
/** Of the proof with a beacon, all that follows from it fits. */
const mixedWith = (change: object) => proofOf(2, { beacon: { ...beacon, ...change } as Proof['beacon'] })
const run = async (cases: Record<string, Omit<PyCase, 'id'>>): Promise<Record<string, PyAnswer>> => {
  // Each with the line of its own proof, unless it says otherwise: the others are compared with what was noted.
  const asked = Object.entries(cases).map(([id, rest]) => ({
    ...{ id, rpc: world.url, args: noted, terms: lineOf(rest.proof) },
    ...rest,
  }))
  return Object.fromEntries((await verifyAllPy(asked)).map((answer) => [answer.id, answer]))
}
const lineOf = (text: string): string[] => /"terms":"([^"]*)\\n"/.exec(text)?.slice(1) ?? []
const firstFailure = ({ steps }: PyAnswer) =>
  Object.entries(steps).find(([, status]) => status === 'failed')?.[0]

// The product needs no Python, so a machine may lack it; where CI is set, its absence fails.
describe.skipIf(lacksPython)('the second verifier', () => {
  test('passes every step of an honest draw, and names the steps that were not done', async () => {
    const told = await run({
      honest: files(),
      full: { ...files(), args: [...noted, '--full'] },
      'kept terms': { ...files(), args: [], terms: [proof.terms] },
      'nothing noted': { ...files(), args: [], terms: [] },
      'noted by hand': { ...files(), terms: [] },
      'no endpoint': { ...files(), rpc: null },
      'a beacon': { ...(await proofOf(2)), args: [...noted, ...key] },
      'a beacon without an endpoint': { ...(await proofOf(2)), args: [...noted, ...key], rpc: null },
    })
    const statuses = (id: string) => Object.values(told[id]?.steps ?? {})
    const open = (id: string) =>
      Object.entries(told[id]?.steps ?? {}).filter(([, status]) => status !== 'passed')
    expect([told.honest?.verdict, open('honest'), statuses('honest').length]).toEqual(['verified', [], 14])
    expect(told.full?.verdict).toBe('verified')
    expect([told['kept terms']?.verdict, open('kept terms')]).toEqual(['verified', []])
    expect([told['nothing noted']?.verdict, open('nothing noted')]).toEqual([
      'incomplete',
      [['terms', 'skipped']],
    ])
    expect([told['noted by hand']?.verdict, open('noted by hand')]).toEqual([
      'incomplete',
      [['terms', 'partial']],
    ])
    expect(told['no endpoint']?.verdict).toBe('incomplete')
    expect(open('no endpoint')).toHaveLength(6)
    expect([told['a beacon']?.verdict, open('a beacon')]).toEqual(['verified', []])
    expect(Object.keys(told['a beacon']?.steps ?? {})).toEqual([
      ...['form', 'terms', 'ledger', 'lines', 'seed', 'number', 'winner', 'winners'],
      ...['beacon-round', 'beacon', 'chain', 'draw-block', 'blocks', 'receipts', 'completeness', 'anchor'],
    ])
    expect(open('a beacon without an endpoint').map(([step]) => step)).toEqual([
      ...['beacon-round', 'chain', 'draw-block', 'blocks', 'receipts', 'completeness', 'anchor'],
    ])
  })

  test('counts the last anchor of the operator wallet, else of the anchor wallet, and of nobody else', async () => {
    const told = await run({
      'another came later': await proofOf(3),
      'the later one is told': await proofOf(3, { anchor: anchors['a later one'] as never }),
      'by the anchor wallet': await proofOf(4),
      'by both': await proofOf(5),
      'by both, the other is told': await proofOf(5, { anchor: anchors['of the anchor wallet'] as never }),
      'by a stranger': await proofOf(6, { anchor: anchors['of a stranger'] as never }),
      'by a stranger, not told': await proofOf(6),
      'not told': await proofOf(1, { anchor: null }),
      'another line': await proofOf(1, { terms: termsWith(proof.terms, { claimDays: '31' }) }),
    })
    const found = Object.entries(told).map(([name, { steps, verdict }]) => [name, steps.anchor, verdict])
    expect(found).toEqual([
      ['another came later', 'skipped', 'incomplete'],
      ['the later one is told', 'failed', 'contradicted'],
      ['by the anchor wallet', 'passed', 'verified'],
      ['by both', 'passed', 'verified'],
      ['by both, the other is told', 'failed', 'contradicted'],
      ['by a stranger', 'failed', 'contradicted'],
      ['by a stranger, not told', 'skipped', 'incomplete'],
      ['not told', 'passed', 'verified'],
      ['another line', 'failed', 'contradicted'],
    ])
    expect(told['another came later']?.texts.anchor).toContain(anchors['a later one']?.transactionHash)
  })

  test('finds every forgery, by the step that must find it', async () => {
    const cases = await forgeries(event)
    const told = await run(Object.fromEntries(cases.map(([, name, each]) => [name, each])))
    expect(
      cases.map(([, name]) => {
        const answer = told[name] as PyAnswer
        return [
          name,
          answer.verdict,
          firstFailure(answer),
          firstFailure(answer) && answer.texts[firstFailure(answer) ?? ''],
        ]
      }),
    ).toEqual(cases.map(([step, name]) => [name, 'contradicted', step, expect.any(String)]))
  })

  test('finds every forgery of a beacon', async () => {
    const other = signRound(round + 1)
    const next = await blockAt(after.number + 1)
    const cases: [step: string, name: string, Omit<PyCase, 'id'>][] = [
      ['beacon', 'no key named', { ...(await proofOf(2)), args: noted }],
      [
        'beacon',
        'another key',
        { ...(await proofOf(2)), args: [...noted, '--beacon-key', numberToHex(7, { size: 96 })] },
      ],
      ['beacon', 'another name', await mixedWith({ network: 'quicknet' })],
      ['beacon', 'another network', await mixedWith({ chainHash: `0x${'11'.repeat(32)}` })],
      [
        'beacon',
        'the signature of another round',
        await mixedWith({ signature: other, randomness: randomnessOf(other) }),
      ],
      ['beacon', 'another randomness', await mixedWith({ randomness: randomnessOf(other) })],
      [
        'beacon',
        'infinity',
        await mixedWith({
          signature: `0xc0${'0'.repeat(94)}`,
          randomness: randomnessOf(`0xc0${'0'.repeat(94)}`),
        }),
      ],
      [
        'beacon-round',
        'the next round',
        await mixedWith({
          round: round + 1,
          time: beacon.time + 3,
          signature: other,
          randomness: randomnessOf(other),
        }),
      ],
      ['beacon-round', 'another time', await mixedWith({ time: beacon.time + 3 })],
      ['beacon-round', 'a later block', await mixedWith({ after: next })],
      [
        'beacon-round',
        'another hash of the later block',
        await mixedWith({ after: { ...after, hash: next.hash } }),
      ],
      [
        'beacon-round',
        'another time of the later block',
        await mixedWith({ after: { ...after, timestamp: after.timestamp - 30 } }),
      ],
    ]
    const told = await run(
      Object.fromEntries(cases.map(([, name, each]) => [name, { args: [...noted, ...key], ...each }])),
    )
    expect(
      cases.map(([, name]) => [name, told[name]?.verdict, firstFailure(told[name] as PyAnswer)]),
    ).toEqual(cases.map(([step, name]) => [name, 'contradicted', step]))
  })
})

// The product needs no Python, so a machine may lack it; where CI is set, its absence fails.
describe.skipIf(lacksPython)('the second verifier at an endpoint', () => {
  test('that fails, lacks something or answers nonsense is never verified, and contradicts nothing', async () => {
    const faults: Record<string, RpcFault[]> = {
      'is down': ['down'],
      'answers a page': ['html'],
      'breaks off': ['cut-json'],
      'serves no logs': ['logs-disabled'],
      'serves a few blocks of logs': ['logs-limited-to-5-blocks'],
      'serves no block receipts': ['no-block-receipts'],
      'has forgotten': ['pruned-null'],
      'refuses old blocks': ['pruned-error'],
      'serves no logs, and shows empty filters': ['logs-disabled', 'empty-bloom'],
      'is of another chain': ['wrong-chain'],
    }
    const proxies = await Promise.all(
      Object.entries(faults).map(async ([name, set]) => {
        const proxy = await forTest(startRpcProxy(world.url))
        proxy.set(...set)
        return [name, { ...files(), rpc: proxy.url }] as const
      }),
    )
    const full = proxies
      .filter(([name]) => name.startsWith('serves no logs'))
      .map(([name, each]) => [`${name}, in full`, { ...each, args: [...noted, '--full'] }] as const)
    const told = await run(Object.fromEntries([...proxies, ...full]))
    const open = (name: string) =>
      Object.entries(told[name]?.steps ?? {})
        .filter(([, status]) => status !== 'passed')
        .map(([step, status]) => `${step} ${status}`)
    const onChain = ['chain', 'draw-block', 'blocks', 'receipts', 'completeness', 'anchor']
    const forgotten = onChain.slice(1).map((step) => `${step} skipped`)
    const silent = onChain.map((step) => `${step} unknown`)
    expect(Object.fromEntries(Object.keys(told).map((name) => [name, open(name)]))).toEqual({
      'is down': silent,
      'answers a page': silent,
      'breaks off': silent,
      'serves no logs': ['completeness skipped', 'anchor skipped'],
      'serves no logs, in full': [],
      'serves a few blocks of logs': [],
      'serves no block receipts': [],
      'has forgotten': forgotten,
      'refuses old blocks': forgotten,
      'serves no logs, and shows empty filters': ['completeness skipped', 'anchor skipped'],
      'serves no logs, and shows empty filters, in full': ['completeness unknown', 'anchor unknown'],
      'is of another chain': ['chain failed'],
    })
  })

  test('that shows headers which do not give their hash is not believed about the blocks', async () => {
    const liar = Bun.serve({
      port: 0,
      fetch: async (request) => {
        const body = await request.text()
        const answer = (await (
          await fetch(world.url, { method: 'POST', body, headers: request.headers })
        ).json()) as {
          result: object
        }
        if (!body.includes('eth_getBlockByNumber')) return Response.json(answer)
        return Response.json({ ...answer, result: { ...answer.result, extraData: '0x01' } })
      },
    })
    onTestFinished(() => liar.stop(true))
    const { lying } = await run({ lying: { ...files(), rpc: `http://127.0.0.1:${liar.port}` } })
    expect([lying?.verdict, lying?.steps.blocks]).toEqual(['incomplete', 'unknown'])
  })
})

// The product needs no Python, so a machine may lack it; where CI is set, its absence fails.
describe.skipIf(lacksPython)('the command', () => {
  const dir = mkdtempSync(join(tmpdir(), 'blockdraw-verify-'))
  afterAll(() => rmSync(dir, { recursive: true }))
  const write = (name: string, text: string): string => {
    writeFileSync(join(dir, name), text)
    return join(dir, name)
  }
  const saved = ['--proof', write('proof', files().proof), '--ledger', write('ledger', ledger)]
  const command = (...args: string[]) => runPython([verifyPy, ...args])

  test('ends with 0 where everything was checked, from files or from a site, with the terms as they were kept', async () => {
    const answers: Record<string, string> = {
      '/api/raffle/proof/1': files().proof,
      '/api/raffle/ledger/1': ledger,
    }
    const site = Bun.serve({
      port: 0,
      fetch: (request) => {
        const answer = answers[new URL(request.url).pathname]
        return new Response(answer, { status: answer === undefined ? 404 : 200 })
      },
    })
    onTestFinished(() => site.stop(true))
    const origin = `http://127.0.0.1:${site.port}`
    const terms = write('terms', proof.terms)
    const site1 = ['--site', origin, '--event', '1', '--rpc', world.url, '--terms', terms]
    const without = await command(...site1)
    expect([without.code, without.text]).toEqual([
      2,
      expect.stringContaining('1 of 15 steps was not checked'),
    ])
    const until = proof.blocks.at(-1)?.number as number
    const money = flowsText(await flowsOfChain(world.url, proof, ledger, { opening: 0, until }))
    answers['/api/raffle/flows/1'] = money
    const told = await command(...site1)
    expect(told.text).toContain('Verified: all 15 steps were done, and passed.')
    expect(told.code).toBe(0)
    answers['/api/raffle/flows/1'] = money.replace(',credited,', ',missed,')
    expect((await command(...site1)).code).toBe(1)
    expect(
      (await command(...saved, '--flows', write('flows', money), '--rpc', world.url, '--terms', terms)).code,
    ).toBe(0)
    expect((await command(...saved, '--rpc', world.url, ...noted)).code).toBe(2)
    expect((await command(...saved, '--rpc', world.url, '--terms', proof.terms.trim())).code).toBe(0)
    expect((await command('--site', origin, '--event', '2')).code).toBe(64)
  })

  test('what was cut off is taken up where it stopped, and a file of another proof is refused', async () => {
    const asked: string[] = []
    const node = Bun.serve({
      port: 0,
      fetch: async (request) => {
        const body = await request.text()
        asked.push((JSON.parse(body) as { method: string }).method)
        return fetch(world.url, { method: 'POST', body, headers: request.headers })
      },
    })
    onTestFinished(() => node.stop(true))
    const state = join(dir, 'state')
    const options = ['--rpc', `${node.url}`, '--full', '--state', state, '--terms', proof.terms]
    const check = async (of = saved) => {
      asked.length = 0
      const { code } = await command(...of, ...options)
      return [code, asked.filter((method) => method === 'eth_getBlockReceipts').length]
    }
    const lines = proof.ledger.lines
    expect(await check()).toEqual([0, lines])
    const done = JSON.parse(readFileSync(state, 'utf8')) as { lines: number; block: number }
    expect(await check()).toEqual([0, 0])
    writeFileSync(state, JSON.stringify({ ...done, lines: 1, block: done.block - 3 }))
    expect(await check()).toEqual([0, lines - 1])
    const other = write('other', JSON.stringify({ ...proof, secondReading: !proof.secondReading }))
    expect(await check(['--proof', other, ...saved.slice(2)])).toEqual([64, 0])
  })
})
