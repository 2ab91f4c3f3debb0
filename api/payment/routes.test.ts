import { describe, expect, test } from 'vitest'
import { claims } from '../../db/schema/index.ts'
import { openApi } from '../../e2e/lab/api.ts'
import { forFile } from '../../e2e/lab/opened.ts'

const api = await forFile(openApi())

const hash = `0x${'ab'.repeat(32)}`
const wallet = '0x52908400098527886E0F7030069857D2E4169EE7'
let visitors = 0

/** From a new address each time, so that no limit per address is reached. */
async function purchase(body: unknown, from = `10.2.${++visitors >> 8}.${visitors & 255}`) {
  const response = await api.call('POST', '/api/tickets/purchase', {
    from,
    headers: { 'content-type': 'application/json' },
    body: typeof body === 'string' ? body : JSON.stringify(body),
  })
  return { status: response.status, body: (await response.json()) as Record<string, unknown> }
}

describe('POST purchase', () => {
  test('P1: is 202 the first time and 200 with the same answer for every spelling', async () => {
    expect(
      await purchase({ transactionHash: hash, walletAddress: wallet, quantity: 33, amount: 9_900 }),
    ).toEqual({
      status: 202,
      body: { transactionHash: hash, status: 'received' },
    })
    for (const spelling of [
      hash.toUpperCase().replace('X', 'x'),
      `0X${hash.slice(2)}`,
      ` ${hash}\n`,
      `\u3000${hash}`,
    ])
      expect(await purchase({ transactionHash: spelling })).toEqual({
        status: 200,
        body: { transactionHash: hash, status: 'received' },
      })
    expect(await api.db.select().from(claims)).toHaveLength(1)
  })

  const lone = '\ud800'
  const fullWidth = hash.replace('0x', '０ｘ')
  const cyrillic = hash.replaceAll('a', 'а')
  test.each<[string, unknown]>([
    ['missing', undefined],
    ['null', null],
    ['a number', 1],
    ['true', true],
    ['a list', [hash]],
    ['an object', { hash }],
    ['empty', ''],
    ['blank', '   '],
    ['short', hash.slice(0, -1)],
    ['long', `${hash}0`],
    ['without 0x', hash.slice(2)],
    ['not hexadecimal', hash.replace('a', 'g')],
    ['NUL inside', hash.replace('ab', 'a\0')],
    ['NUL behind', `${hash}\0`],
    ['control characters', `\u0007${hash}`],
    ['a lone surrogate', hash.slice(0, -1) + lone],
    ['full-width', fullWidth],
    ['look-alike letters', cyrillic],
    ['joined by zero width', `${hash.slice(0, 9)}\u200b${hash.slice(10)}`],
    ['two hashes', `${hash} ${hash}`],
    ['very long', 'a'.repeat(15_000)],
    ['SQL', "' or 1=1 --"],
  ])('a hash that is %s is INVALID_TX_HASH', async (_, transactionHash) => {
    const { status, body } = await purchase({ transactionHash })
    expect([status, body.code]).toEqual([422, 'INVALID_TX_HASH'])
  })

  test.each<[string, unknown, string]>([
    ['walletAddress', null, 'INVALID_WALLET'],
    ['walletAddress', 1, 'INVALID_WALLET'],
    ['walletAddress', '', 'INVALID_WALLET'],
    ['walletAddress', wallet.slice(0, -1), 'INVALID_WALLET'],
    ['walletAddress', wallet.replace('8400', '84\u0660\u0660'), 'INVALID_WALLET'],
    ['walletAddress', `${wallet}\0`, 'INVALID_WALLET'],
    ['walletAddress', [wallet], 'INVALID_WALLET'],
    ['quantity', null, 'INVALID_QUANTITY'],
    ['quantity', '1', 'INVALID_QUANTITY'],
    ['quantity', 0, 'INVALID_QUANTITY'],
    ['quantity', -1, 'INVALID_QUANTITY'],
    ['quantity', 1.5, 'INVALID_QUANTITY'],
    ['quantity', true, 'INVALID_QUANTITY'],
    ['quantity', [], 'INVALID_QUANTITY'],
    ['quantity', {}, 'INVALID_QUANTITY'],
    ['amount', null, 'INVALID_AMOUNT'],
    ['amount', '300', 'INVALID_AMOUNT'],
    ['amount', 0, 'INVALID_AMOUNT'],
    ['amount', 0.5, 'INVALID_AMOUNT'],
    ['amount', -300, 'INVALID_AMOUNT'],
  ])('%s = %j is %s', async (field, value, code) => {
    const { status, body } = await purchase({ transactionHash: `0x${'cd'.repeat(32)}`, [field]: value })
    expect([status, body.code]).toEqual([422, code])
  })

  test.each(['[]', 'null', '"x"', '1'])('a body that is %s is not an object', async (text) => {
    expect((await purchase(text)).body.code).toBe('INVALID_VALUE')
  })

  test.each([{ quantity: 10_000_001 }, { quantity: 1e300 }, { amount: 2 ** 53 }])(
    'a hint of %j counts as left out',
    async (hint) => {
      expect((await purchase({ transactionHash: hash, ...hint })).status).toBe(200)
    },
  )

  test('keys that name prototypes change nothing', async () => {
    const text = `{"transactionHash":"${hash}","__proto__":{"isAdmin":true,"quantity":5},"constructor":{"prototype":{"x":1}},"toString":1}`
    expect((await purchase(text)).status).toBe(200)
    expect((await purchase('{"__proto__":{"transactionHash":"0x"}}')).body.code).toBe('INVALID_TX_HASH')
    expect(({} as Record<string, unknown>).isAdmin).toBeUndefined()
    expect(({} as Record<string, unknown>).x).toBeUndefined()
  })

  test('a refused body leaves no claim', async () => {
    expect(await api.db.select().from(claims)).toHaveLength(1)
  })

  test('a wallet hint with a wrong checksum costs no payment', async () => {
    const paid = `0x${'ce'.repeat(32)}`
    const mistyped = wallet.replace('E0F', 'e0F')
    expect((await purchase({ transactionHash: paid, walletAddress: mistyped })).status).toBe(202)
    const [claim] = (await api.db.select().from(claims)).filter((row) => row.transactionHash === paid)
    expect(claim?.walletAddress).toBe(wallet.toLowerCase())
  })
})

describe('GET purchase and wallet', () => {
  test.each([
    [`/api/tickets/purchase/${hash}`, 200],
    [`/api/tickets/purchase/${hash.toUpperCase()}`, 200],
    [`/api/tickets/purchase/0x${'ee'.repeat(32)}`, 404],
    ['/api/tickets/purchase/x', 422],
    [`/api/tickets/wallet/${wallet}`, 200],
    ['/api/tickets/wallet/x', 422],
    ['/api/tickets/wallet/%E2%80%8B', 422],
    ['/api/tickets/wallet/%ff', 404],
  ])('%s is %i', async (path, status) => {
    expect((await api.call('GET', path)).status).toBe(status)
  })
})
