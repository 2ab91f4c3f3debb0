import { sha256, stringToHex } from 'viem'
import { commitmentOf } from '../../../core/draw/anchor.ts'
import { renumbered, termsWith } from '../../lab/forged-proof.ts'
import { type Case, casesOf } from './case.ts'
import type { World } from './world.ts'

/** Proofs that are no proof, and lists that are no list. */
export async function fileCases(world: World): Promise<Case[]> {
  const { rewritten, edited, refitted, relisted } = casesOf(world)
  const { lines, ledger } = world
  const { plain, drand } = world.honest
  const form = (name: string, change: (text: string) => string) => rewritten(name, 'form', 'plain', change)
  /** The fingerprint fits, whatever the bytes are. */
  const list = (name: string, bytes: Uint8Array | string, step: 'lines' | 'list' = 'lines') => {
    const hex = typeof bytes === 'string' ? stringToHex(bytes) : bytes
    const fingerprint = step === 'list' ? plain.list.sha256 : sha256(hex)
    const commitment = commitmentOf(plain.terms, fingerprint)
    const change = { list: { ...plain.list, sha256: fingerprint }, commitment }
    return edited(name, step, 'plain', change, { ledger: bytes })
  }
  return [
    form('truncated', (text) => text.slice(0, -20)),
    form('empty', () => ''),
    form('a page of HTML', () => '<html>not found</html>'),
    form('null', () => 'null'),
    form('a list', (text) => `[${text}]`),
    form('a deep nest', () => `${'['.repeat(5_000)}${']'.repeat(5_000)}`),
    form('a nest that no stack holds', () => `${'['.repeat(200_000)}${']'.repeat(200_000)}`),
    form('something behind it', (text) => `${text}{}`),
    form('a field twice', (text) => text.replace('"ticketsSold":', '"ticketsSold":1,"ticketsSold":')),
    form('a field twice within the winner', (text) =>
      text.replace('"winner":{', `"winner":{"ticketCount":1,`),
    ),
    form('a field missing', (text) => text.replace(/,"reserves":\[.*\]\}$/, '}')),
    form('a field of no proof', (text) => text.replace('{', '{"note":"trust me",')),
    form('the version before', (text) => text.replace('"version":3', '"version":2')),
    form('a number as text', (text) => text.replace('"counter":0', '"counter":"0"')),
    form('a random number that is no text', (text) =>
      text.replace(/"randomNumber":"(\d+)"/, '"randomNumber":$1'),
    ),
    form('a number with a fraction', (text) => text.replace('"version":3', '"version":3.0')),
    form('a number with an exponent', (text) => text.replace('"version":3', '"version":3e0')),
    form('terms of the form before', (text) => text.replace('blockdraw-terms-2', 'blockdraw-terms-1')),
    form('terms without a date', (text) =>
      text.replace(
        JSON.stringify(plain.terms),
        JSON.stringify(termsWith(plain.terms, { saleEnd: 'none', drawDate: 'none' })),
      ),
    ),
    form('earlier wallets out of order', (text) =>
      text.replace('"formerWallets":[]', `"formerWallets":["0x${'bb'.repeat(20)}","0x${'aa'.repeat(20)}"]`),
    ),
    form('more tickets than SHA-256 has numbers', (text) =>
      text.replace(/"ticketsSold":\d+/, `"ticketsSold":1${'0'.repeat(80)}`),
    ),
    form('a truth for a number', (text) => text.replace('"counter":0', '"counter":false')),
    form('minus zero', (text) => text.replace('"counter":0', '"counter":-0')),
    form('a number that programs round', (text) => text.replace('"counter":0', '"counter":9007199254740993')),
    form('a hash in upper case', (text) =>
      text.replace(plain.seed.slice(2), plain.seed.slice(2).toUpperCase()),
    ),
    form('terms without an end', (text) => text.replace('\\n"', '"')),
    edited('dates out of order', 'form', 'plain', {
      terms: termsWith(plain.terms, { saleEnd: '9999999999' }),
    }),
    edited('blocks with a gap', 'form', 'plain', {
      blocks: plain.blocks.map((block, at) => ({ ...block, number: block.number + (at > 2 ? 1 : 0) })),
    }),
    edited('four blocks', 'form', 'plain', { blocks: plain.blocks.slice(1) }),
    edited('a beacon that is not mixed in', 'form', 'plain', { beacon: drand.beacon }),
    edited('no beacon where one is mixed in', 'form', 'drand', { beacon: null }),
    await refitted('no beacon where one is mixed in, drawn without it', 'form', 'drand', { beacon: null }),
    edited('21 winners', 'form', 'plain', { winners: Array(21).fill(plain.winner) }),
    edited('no winners', 'form', 'plain', { winners: [] }),

    list('the file of another fingerprint', ledger.replace(',33,', ',34,'), 'list'),
    list('no line', ''),
    list('the header missing', `${lines.join('\n')}\n`),
    list('the last line without an end', ledger.trimEnd()),
    list('lines that end in CRLF', ledger.replaceAll('\n', '\r\n')),
    list('a byte order mark', `\uFEFF${ledger}`),
    list('bytes that are no text', new Uint8Array([...new TextEncoder().encode(ledger), 0xff, 0x0a])),
    list('half a character at the end', new Uint8Array([...new TextEncoder().encode(ledger), 0xe2, 0x82])),
    list('a line without an end', `${ledger}${'1'.repeat(100_000)}`),
    list(
      'an address in upper case',
      ledger.replace(/,0x([0-9a-f]{40}),/, (_, hex) => `,0x${hex.toUpperCase()},`),
    ),
    list('a number with a leading zero', ledger.replace('\n1,33', '\n01,33')),
    edited('another number of lines', 'lines', 'plain', {
      list: { ...plain.list, lines: plain.list.lines + 1 },
    }),
    edited('another number of tickets', 'lines', 'plain', { ticketsSold: plain.ticketsSold + 1 }),
    await relisted('lines in another order', 'lines', renumbered([...lines].reverse())),
    await relisted('a gap in the numbers', 'lines', [
      ...lines.slice(0, -1),
      (lines.at(-1) as string).replace(/^(\d+)/, (number) => `${Number(number) + 1}`),
    ]),
    await relisted(
      'more tickets than the money buys',
      'lines',
      renumbered(lines.map((line, at) => (at === 1 ? line.replace(/^(\d+),\d+/, '$1,9') : line))),
    ),
  ]
}
