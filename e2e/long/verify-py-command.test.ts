import { once } from 'node:events'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { type AddressInfo, createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { afterAll, describe, expect, test } from 'vitest'
import { lacksPython } from '../lab/python.ts'
import { toldUntil } from '../lab/verify-command.ts'
import { runPython, verifyAllPy, verifyPy } from '../lab/verify-py.ts'

const at = (name: string) => new URL(`../../core/draw/vectors/${name}`, import.meta.url).pathname
const proof = readFileSync(at('event.proof.json'), 'utf8')
const ledger = readFileSync(at('event.ledger.csv'), 'utf8')
const files = { proof, ledger }

/** A server whose answer never ends: a space every so many milliseconds. */
const serveDrops = (everyMs: number) =>
  Bun.serve({
    port: 0,
    fetch: () =>
      new Response(
        new ReadableStream({
          async pull(stream) {
            await Bun.sleep(everyMs)
            stream.enqueue(' ')
          },
        }),
      ),
  })

// The product needs no Python, so a machine may lack it; where CI is set, its absence fails.
describe.skipIf(lacksPython)('the command of the second verifier', () => {
  const dir = mkdtempSync(join(tmpdir(), 'blockdraw-verify-'))
  afterAll(() => rmSync(dir, { recursive: true }))
  const write = (name: string, text: string): string => {
    writeFileSync(join(dir, name), text)
    return join(dir, name)
  }
  const saved = ['--proof', at('event.proof.json'), '--ledger', at('event.ledger.csv')]
  const command = (...args: string[]) => runPython([verifyPy, ...args])

  test('ends with 2 without an endpoint, with 1 for a changed list, and with 64 where nothing could be checked', async () => {
    const told = await command(...saved)
    expect([told.code, told.text]).toEqual([2, expect.stringContaining('7 of 14 steps were not checked')])
    const changed = write('changed', ledger.replace('135,2,', '135,3,'))
    const broken = await command(...saved.slice(0, 3), changed)
    expect([broken.code, broken.text]).toEqual([1, expect.stringContaining('FAIL The ticket list')])
    const silent = await command(...saved, '--rpc', 'http://127.0.0.1:9/secret-key')
    expect([silent.code, silent.text]).toEqual([2, expect.not.stringContaining('secret-key')])
    for (const args of [[], ['--help'], ['--nonsense'], ['--proof', '/nowhere', '--ledger', '/nowhere']]) {
      const { code, text } = await command(...args)
      expect([args, code, text]).toEqual([args, 64, expect.stringContaining('python3 verify.py --site')])
    }
  })

  test('a line is given with the time up to which it was told; what is no time is refused', async () => {
    const told = []
    for (const args of toldUntil(write)) {
      const { code, text } = await command(...saved, ...args)
      told.push([code, /minTickets is not what|toldUntil that is no/.exec(text)?.[0]])
    }
    expect(told).toEqual(toldUntil.answers)
  })

  test('refuses options that mean nothing', async () => {
    const unusable = [
      ['--wallet', '0x12'],
      ['--chain', '97'],
      ['--chain', 'bsc'],
      ['--token', 'USDT'],
      ['--price', '3.001'],
      ['--event', '0'],
      ['--draw-date', '2026-02-30'],
      ['--beacon-key', '0x12'],
      ['--terms', '/nowhere'],
    ]
    const told = await verifyAllPy([
      ...unusable.map((args) => ({ ...files, id: args.join(' '), args })),
      { ...files, id: 'ftp', rpc: 'ftp://localhost' },
      { ...files, id: 'no line', terms: [7] as never },
    ])
    expect(told.map(({ id, verdict }) => [id, verdict])).toEqual(told.map(({ id }) => [id, 'unusable']))
  })

  test('a site that answers no HTTP, or a host that is none, is no verdict', async () => {
    const site = createServer((socket) => {
      socket.on('error', () => undefined)
      socket.once('data', () => socket.end('HTTP/1.0 200 OK\r\nContent-Length: abc\r\n\r\n{}'))
    }).listen(0, '127.0.0.1')
    await once(site, 'listening')
    const { port } = site.address() as AddressInfo
    for (const host of [`http://127.0.0.1:${port}`, 'http://a..b'])
      expect([host, (await command('--site', host, '--event', '1')).code]).toEqual([host, 64])
    site.close()
  })

  test('an endpoint that sends its answer in drops does not hold it for ever', async () => {
    const server = serveDrops(50)
    const code = `import sys; sys.path.insert(0, sys.argv[1]); sys.dont_write_bytecode = True; import verify
verify.LONGEST_ANSWER, verify.ATTEMPTS = 0.3, 1
try: verify.Endpoint(sys.argv[2]).ask("eth_chainId")
except verify.EndpointError as error: print(error)`
    const told = await runPython(['-c', code, dirname(verifyPy), `${server.url}`])
    await server.stop(true)
    expect([told.code, told.text.trim()]).toEqual([0, 'eth_chainId was not answered.'])
  })

  test('a site that sends its proof in drops does not hold it for ever', async () => {
    const server = serveDrops(5)
    const code = `import sys; sys.path.insert(0, sys.argv[1]); sys.dont_write_bytecode = True; import verify
verify.LONGEST_DOWNLOAD = 0.2
sys.exit(verify.main(["--site", sys.argv[2], "--event", "1"]))`
    const told = await runPython(['-c', code, dirname(verifyPy), `${server.url}`])
    await server.stop(true)
    expect([told.code, told.text.split('\n')[0]]).toEqual([64, 'It took too long.'])
  })

  test('prints no control character of a file, as it could forge a verdict', async () => {
    const lie = '\u001b[2J\u001b[1;1H\r\u2028Verified'
    const list = write('list', ledger.replace('135,2,', `${lie},2,`))
    const field = write('field', proof.replace('{', `{${JSON.stringify(lie)}:1,`))
    for (const args of [
      [...saved.slice(0, 3), list],
      ['--proof', field, ...saved.slice(2)],
    ]) {
      const { code, text } = await command(...args)
      expect([code, text.match(/[^\P{C}\n]|[\u2028\u2029]/gu)]).toEqual([1, null])
      expect(text).toContain('Verified')
    }
  })
})
