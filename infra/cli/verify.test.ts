import { execFileSync, spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { mkdtempSync, readFileSync, rmSync, truncateSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { concat, type Hex, numberToHex, pad } from 'viem'
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest'
import { commitmentOf } from '../../core/anchor.ts'
import type { Proof } from '../../core/draw/proof.ts'
import { transferTopic } from '../../core/payment.ts'
import { loadProof } from '../../db/draw/proof.ts'
import { ledgerPages } from '../../db/payment/ledger.ts'
import { events } from '../../db/schema/index.ts'
import { type DrawWorld, openDrawWorld, saleEndAt } from '../../e2e/lab/draw-story.ts'
import { fittingTerms, forged } from '../../e2e/lab/forged-proof.ts'
import { rpc } from '../local/rpc.ts'
import { shellCheck, verifyCommand } from './verify/command.ts'
import { httpRpc } from './verify/node.ts'
import { buildVerifier } from './verify.ts'

const proof = new URL('../../core/draw/vectors/event.proof.json', import.meta.url).pathname
const ledger = new URL('../../core/draw/vectors/event.ledger.csv', import.meta.url).pathname

async function run(...args: string[]) {
  const lines: string[] = []
  const code = await verifyCommand(args, (line) => lines.push(line))
  return { code, text: lines.join('\n') }
}

/** A temporary directory, removed after the test. */
function newPlace(): (name: string, text: string) => string {
  const dir = mkdtempSync(join(tmpdir(), 'blockdraw-verify-'))
  onTestFinished(() => rmSync(dir, { recursive: true }))
  return (name, text) => {
    writeFileSync(join(dir, name), text)
    return join(dir, name)
  }
}

function serve(fetch: (request: Request) => Response | Promise<Response>): string {
  const server = Bun.serve({ port: 0, fetch })
  onTestFinished(() => server.stop(true))
  return `http://127.0.0.1:${server.port}`
}

test('checks saved files without a site or an endpoint, and names what was not checked', async () => {
  const { code, text } = await run('--proof', proof, '--ledger', ledger)
  expect(text).toContain('ok   The seed follows from the five block hashes')
  expect(text).toContain('Incomplete: nothing contradicts this draw, but 7 of 14 steps were not checked')
  expect(text).toContain('No payment on the chain is missing from the list')
  expect(text).not.toContain('Verified')
  expect(code).toBe(2)
})

test('prints a shell command that computes the seed', () => {
  const text = readFileSync(proof, 'utf8')
  const command = shellCheck(text)
  const seed = execFileSync('sh', ['-c', command], { encoding: 'utf8' }).slice(0, 64)
  expect(`0x${seed}`).toBe(JSON.parse(text).seed)
})

test('ends with 1 and names the step when the ledger was changed, or a term is not as noted', async () => {
  const write = newPlace()
  const changed = write('changed.csv', readFileSync(ledger, 'utf8').replace('135,2,', '135,3,'))
  const broken = await run('--proof', proof, '--ledger', changed)
  expect(broken.code).toBe(1)
  expect(broken.text).toContain('FAIL The ticket list has the published fingerprint')
  expect(broken.text).toContain('Contradicted')
  const noted = await run('--proof', proof, '--ledger', ledger, '--price', '5')
  expect(noted.code).toBe(1)
  expect(noted.text).toContain('FAIL The terms are those shown while tickets were sold')
})

test('prints its usage for arguments it does not know', async () => {
  const files = ['--proof', proof, '--ledger', ledger]
  for (const args of [
    [],
    ['--site', 'http://localhost'],
    ['--nonsense'],
    ['--help'],
    ['--proof', '/nowhere', '--ledger', ledger],
    ['--proof', proof, '--ledger', '/nowhere'],
    [...files, '--draw-date', '2026-02-30'],
    [...files, '--draw-date', '12 Nov'],
    [...files, '--wallet', '0x12'],
    [...files, '--token', 'USDT'],
    [...files, '--chain', 'bsc'],
    // No token is built in for other chains.
    [...files, '--chain', '97'],
  ])
    expect([args, await run(...args)]).toEqual([
      args,
      { code: 64, text: expect.stringContaining('bun run verify --site') },
    ])
})

test('knows chain 56 and its USDT; another chain or token passes only if it is named', async () => {
  const write = newPlace()
  const token = `0x${'ee'.repeat(20)}` as const
  const vector = JSON.parse(readFileSync(proof, 'utf8')) as Proof
  const fitting = (name: string, change: Partial<Proof>) => {
    const terms = fittingTerms({ ...vector, ...change })
    const commitment = commitmentOf(terms, vector.ledger.sha256)
    return write(name, JSON.stringify({ ...vector, ...change, terms, commitment }))
  }
  const ownToken = fitting('token', { token })
  const test = fitting('chain', { token, chainId: 97 })
  for (const [file, args, code] of [
    [ownToken, [], 1],
    [test, [], 1],
    [test, ['--token', token], 1],
    [ownToken, ['--token', token], 2],
    [test, ['--chain', '97', '--token', token], 2],
    [proof, ['--token', token], 1],
  ] as const) {
    const told = await run('--proof', file, '--ledger', ledger, ...args)
    expect([args, told.code]).toEqual([args, code])
    if (code === 1) expect(told.text).toContain('FAIL The terms are those shown while tickets were sold')
  }
})

test('an endpoint that is down leaves the draw unverified, and its address is not printed', async () => {
  const { code, text } = await run(
    '--proof',
    proof,
    '--ledger',
    ledger,
    '--rpc',
    'http://127.0.0.1:9/secret-key',
  )
  expect(code).toBe(2)
  expect(text).toContain('??   The draw block is the first one at or after the draw date')
  expect(text).not.toContain('secret-key')
})

test('I35: no text in the files can forge a verdict on the terminal', async () => {
  const lie = '\u001b[2J\u001b[1;1H\r\u2028Verified'
  const list = readFileSync(ledger, 'utf8').replace('135,2,', `${lie},2,`)
  const field = readFileSync(proof, 'utf8').replace(
    '"version"',
    `"${lie.replaceAll('\u001b', '\\u001b').replace('\r', '\\r')}": 1, "version"`,
  )
  const write = newPlace()
  for (const args of [
    ['--proof', proof, '--ledger', write('list', list)],
    ['--proof', write('field', field), '--ledger', ledger],
  ]) {
    const { code, text } = await run(...args)
    expect(code).toBe(1)
    expect(text).toContain('Verified')
    expect(text.match(/[^\P{C}\n]|[\u2028\u2029]/gu)).toBe(null)
  }
})

test('saved files of another event than the requested one are contradicted', async () => {
  expect((await run('--proof', proof, '--ledger', ledger, '--event', '1')).code).toBe(2)
  expect((await run('--proof', proof, '--ledger', ledger, '--event', '7')).code).toBe(1)
})

test('a download above 512 MiB stops with one sentence', async () => {
  const write = newPlace()
  const big = write('big', '')
  truncateSync(big, 512 * 2 ** 20 + 1)
  const bigLedger = serve(({ url }) => new Response(Bun.file(url.includes('/proof/') ? proof : big)))
  const bigProof = serve(({ url }) => new Response(Bun.file(url.includes('/proof/') ? big : ledger)))
  for (const site of [bigLedger, bigProof]) {
    const { code, text } = await run('--site', site, '--event', '1')
    expect(text.split('\n')[0]).toMatch(/^\S+ is larger than 512 MiB\.$/)
    expect(code).toBe(64)
  }
})

test('is built as one file that Node runs alone', async () => {
  const write = newPlace()
  const file = write('verify.mjs', '')
  const sha256 = await buildVerifier(file)
  expect(createHash('sha256').update(readFileSync(file)).digest('hex')).toBe(sha256)
  const node = (...args: string[]) => spawnSync('node', [file, ...args], { encoding: 'utf8', cwd: tmpdir() })
  const honest = node('--proof', proof, '--ledger', ledger)
  expect([honest.status, honest.stderr]).toEqual([2, ''])
  expect(honest.stdout).toContain('Incomplete: nothing contradicts this draw')
  const changed = write('list', readFileSync(ledger, 'utf8').replace('135,2,', '135,3,'))
  expect(node('--proof', proof, '--ledger', changed).status).toBe(1)
  expect(node().status).toBe(64)
})

test('a date without a zone is UTC wherever the command runs, as dates of the page and of the proof are', async () => {
  const file = newPlace()('verify.mjs', '')
  await buildVerifier(file)
  const args = [file, '--proof', proof, '--ledger', ledger, '--draw-date', '2026-11-21T01:15:55']
  expect(spawnSync('node', args, { env: { ...process.env, TZ: 'Asia/Seoul' } }).status).toBe(2)
})

test('terms of an editor that marks the beginning of a file and ends lines with two characters are read', async () => {
  const { terms } = JSON.parse(readFileSync(proof, 'utf8')) as Proof
  const file = newPlace()('terms', `\uFEFF${terms.trimEnd()}\r\n\r\n`)
  const { text } = await run('--proof', proof, '--ledger', ledger, '--terms', file)
  expect(text).toContain('ok   The terms are those shown while tickets were sold')
})

test('an endpoint whose answer would fill the memory has not answered', async () => {
  const node = serve(() => Response.json({ jsonrpc: '2.0', id: 1, result: '0'.repeat(2_000) }))
  expect(await httpRpc(node)('eth_chainId', [])).toHaveLength(2_000)
  await expect(httpRpc(node, 1_000)('eth_chainId', [])).rejects.toThrow('was not answered')
})

describe('on a chain', () => {
  let world: DrawWorld
  let made: Proof
  let list: string
  let noted: string[]
  /** The only line of a list paid in a token that the operator made. */
  let ownTokenLine: string
  const ownToken = `0x${'70'.repeat(20)}` as const

  beforeAll(async () => {
    world = await openDrawWorld()
    const { url, accounts, start } = world
    // The contract emits its calldata as a log: topics, then the amount.
    await rpc(url, 'anvil_setCode', [ownToken, '0x6020606060003760403560203560003560206000a300'])
    await world.pay(1, 99_00, 10)
    await world.pay(2, 3_50, 20)
    await rpc(url, 'evm_setNextBlockTimestamp', [start + 30])
    const [friend, operator] = [accounts[6] as Hex, accounts[0] as Hex]
    const value = 30n * 10n ** 18n
    const sent = await world.send(
      6,
      concat([transferTopic, pad(friend), pad(operator), numberToHex(value, { size: 32 })]),
      ownToken,
    )
    await world.pay(3, 300_00, 190)
    await world.endSale()
    await world.sendAnchor(await world.commitment(), { at: saleEndAt + 20 })
    await world.reachDraw()
    await world.draw()
    await world.db.update(events).set({ redrawnAt: new Date(Date.now() - 20_000) })
    made = (await loadProof(world.db, 1)) as Proof
    list = (await Array.fromAsync(ledgerPages(world.db, 1))).map(({ text }) => text).join('')
    const { blockNumber, logs } = await rpc<{ blockNumber: Hex; logs: unknown[] }>(
      url,
      'eth_getTransactionReceipt',
      [sent],
    )
    expect(logs).toHaveLength(1)
    ownTokenLine = `1,10,${sent},${friend.toLowerCase()},${value},${Number(blockNumber)},0`
    noted = [
      ...['--wallet', made.operatorWallet, '--price', '3', '--sale-start', made.saleStart],
      ...['--sale-end', made.saleEndDate, '--draw-date', made.drawDate, '--terms', made.terms],
    ]
  }, 60_000)
  afterAll(() => world?.close())

  function check(files: { proof: string; ledger: string }, ...args: string[]) {
    const write = newPlace()
    return run('--proof', write('proof', files.proof), '--ledger', write('ledger', files.ledger), ...args)
  }
  const honest = (change: Partial<Proof> = {}) => ({
    proof: JSON.stringify({ ...made, ...change }),
    ledger: list,
  })
  /** The test's node, which refuses these methods as real nodes do. */
  const nodeWithout = (...methods: string[]) =>
    serve(async (request) => {
      const body = await request.text()
      const { id, method } = JSON.parse(body) as { id: number; method: string }
      if (methods.includes(method))
        return Response.json({ jsonrpc: '2.0', id, error: { code: -32005, message: 'limit exceeded' } })
      return fetch(world.url, { method: 'POST', headers: { 'content-type': 'application/json' }, body })
    })

  test('an honest draw, with noted terms and a node that serves every method, is verified', async () => {
    const { code, text } = await check(honest(), '--rpc', world.url, ...noted)
    expect(text).toContain('\nVerified: ')
    expect(code).toBe(0)
  })

  test('a node without logs is enough with --full, and what was done is not done again with --state', async () => {
    const state = newPlace()('state', '')
    rmSync(state)
    const node = nodeWithout('eth_getLogs')
    const args = ['--rpc', node, '--full', '--state', state, ...noted]
    const first = await check(honest(), ...args)
    expect([first.code, first.text]).toEqual([0, expect.stringContaining('the sale: exactly')])
    expect(first.text).toMatch(/missing from the list: requests to the endpoint: about \d+\./)
    const again = await check(honest(), ...args)
    expect(again.code).toBe(0)
    expect(JSON.parse(readFileSync(state, 'utf8'))).toMatchObject({ block: expect.any(Number), lines: 3 })
    const other = await check(honest({ secondReading: !made.secondReading }), ...args)
    expect([other.code, other.text]).toEqual([64, expect.stringContaining('is of another proof')])
  })

  test('the line that a buyer noted settles the terms; another promise contradicts', async () => {
    const line = made.terms.trim()
    expect((await check(honest(), '--rpc', world.url, '--terms', line)).code).toBe(0)
    const write = newPlace()
    const lower = write('terms', line.replace(',10,true,', ',5,true,'))
    const raised = await check(honest(), '--rpc', world.url, '--terms', lower)
    expect([raised.code, raised.text]).toEqual([
      1,
      expect.stringContaining('minTickets is not what was promised'),
    ])
    const kept = [{ terms: made.terms, firstDrawDate: null, ownUntil: 0 }]
    expect(
      (await check(honest(), '--rpc', world.url, '--terms', write('kept', JSON.stringify(kept)))).code,
    ).toBe(0)
  })

  test('I35: payments in a token that the operator made are contradicted', async () => {
    for (const anchor of [null, made.anchor]) {
      const files = await forged(made, [ownTokenLine], { token: ownToken, anchor })
      const { code, text } = await check(files, '--rpc', world.url, '--full', ...noted)
      expect(text).toContain('FAIL The terms are those shown while tickets were sold')
      expect(text).toContain('\nContradicted: ')
      expect(code).toBe(1)
    }
  })

  test('I35: a node without logs, no endpoint or a term not noted leave it incomplete', async () => {
    const logless = await check(honest(), '--rpc', nodeWithout('eth_getLogs'), ...noted)
    expect(logless.code).toBe(2)
    expect(logless.text).toContain('but 2 of 14 steps were not checked, or not in full:')
    expect(logless.text).toContain('The endpoint serves no logs')
    const offline = await check(honest(), ...noted)
    expect(offline.code).toBe(2)
    const byHand = await check(honest(), '--rpc', world.url, ...noted.slice(0, -2))
    expect([byHand.code, byHand.text]).toEqual([2, expect.stringContaining('keep the whole terms line')])
  })
})
