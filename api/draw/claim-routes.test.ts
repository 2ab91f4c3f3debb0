import { mnemonicToAccount } from 'viem/accounts'
import { beforeAll, expect, test } from 'vitest'
import { claimMessage, normalizeClaimCode } from '../../core/claim.ts'
import { getWinners } from '../../db/draw/proof.ts'
import { events } from '../../db/schema/index.ts'
import { openAdminApi } from '../../e2e/lab/admin-api.ts'
import { openDrawWorld } from '../../e2e/lab/draw-story.ts'
import { forFile } from '../../e2e/lab/opened.ts'
import { verifyCommand } from '../../infra/cli/verify/command.ts'

const adminApi = await openAdminApi()
const world = await forFile(openDrawWorld({ database: adminApi }))
let token: string
let message: string
let winner: ReturnType<typeof mnemonicToAccount>

const accountAt = (addressIndex: number) =>
  mnemonicToAccount('test test test test test test test test test test test junk', { addressIndex })
const claim = (body: unknown) => adminApi.call('POST', '/api/raffle/claim', { body })
const check = (code: unknown, eventNumber: unknown = 1) =>
  adminApi.call('POST', '/api/admin/raffle/claim-code', { token, body: { code, eventNumber } })

beforeAll(async () => {
  token = await adminApi.login()
  await world.db.update(events).set({ winners: 2 })
  await world.toDraw()
  expect(await claim({ eventNumber: 1, signature: `0x${'00'.repeat(65)}` })).toMatchObject({
    status: 404,
    body: { code: 'NO_WINNER' },
  })
  await world.draw()
  expect(await adminApi.call('GET', '/api/raffle/claim/1')).toMatchObject({
    status: 404,
    body: { code: 'NO_WINNER' },
  })
  await world.db.update(events).set({ redrawnAt: new Date(Date.now() - 20_000) })
  const { body } = await adminApi.call('GET', '/api/raffle/claim/1')
  message = body.message
  winner = [1, 2, 3].map(accountAt).find(({ address }) => address === body.walletAddress) as typeof winner
})

test('the winner signs the given message and gets the same code each time; the administrator checks it', async () => {
  expect(message).toContain(`My wallet: ${winner.address}`)
  expect(message).toBe(claimMessage((await getWinners(world.db, 1))[0] as never))
  const signature = await winner.signMessage({ message })
  const first = await claim({ eventNumber: 1, signature })
  expect(first).toMatchObject({
    status: 200,
    body: { eventNumber: 1, code: expect.stringMatching(/^([0-9A-Z]{4}-){3}[0-9A-Z]{4}$/) },
  })
  expect((await claim({ eventNumber: 1, signature })).body).toEqual(first.body)
  for (const spelling of [
    first.body.code,
    first.body.code.toLowerCase().replaceAll('-', ' '),
    ` ${first.body.code} `,
  ])
    expect(await check(spelling)).toMatchObject({
      status: 200,
      body: { isValid: true, walletAddress: winner.address, place: 1 },
    })
})

test('each winner gets a code of his own, which names his place', async () => {
  const { body: second } = await adminApi.call('GET', '/api/raffle/claim/1?place=2')
  expect(second.walletAddress).not.toBe(winner.address)
  expect([message, second.message].map((text) => /^Place: .*$/m.exec(text)?.[0])).toEqual([
    'Place: 1 of 2',
    'Place: 2 of 2',
  ])
  const other = [1, 2, 3].map(accountAt).find(({ address }) => address === second.walletAddress)
  const signature = await other?.signMessage({ message: second.message })
  const refused = { status: 422, body: { code: 'INVALID_VALUE' } }
  expect(await claim({ eventNumber: 1, signature })).toMatchObject(refused)
  const { body } = await claim({ eventNumber: 1, place: 2, signature })
  expect(await check(body.code)).toMatchObject({
    body: { isValid: true, walletAddress: other?.address, place: 2, winners: 2 },
  })
  for (const place of [0, 21, 1.5, '2'])
    expect(await claim({ eventNumber: 1, place, signature })).toMatchObject(refused)
  for (const place of ['0', '21', 'x', ''])
    expect(await adminApi.call('GET', `/api/raffle/claim/1?place=${place}`)).toMatchObject(refused)
  const nobody = { status: 404, body: { code: 'NO_WINNER' } }
  expect(await adminApi.call('GET', '/api/raffle/claim/1?place=3')).toMatchObject(nobody)
  expect(await claim({ eventNumber: 1, place: 3, signature })).toMatchObject(nobody)
})

test('the only winner of an event signs a text without a place', () => {
  const terms = { eventNumber: 1, chainId: 56, operatorWallet: '0x1', walletAddress: '0x2' } as const
  const text = claimMessage({ ...terms, winningTicket: 7, place: 1, winners: 1 })
  expect(text).not.toContain('Place')
})

test('nobody else gets a code, and no other text is accepted', async () => {
  const signatures = await Promise.all([
    accountAt(9).signMessage({ message }),
    winner.signMessage({ message: `${message} ` }),
    winner.signMessage({ message: message.replace('event 1', 'event 2') }),
    Promise.resolve(`0x${'ff'.repeat(65)}`),
  ])
  for (const signature of signatures)
    expect(await claim({ eventNumber: 1, signature })).toMatchObject({
      status: 422,
      body: { code: 'INVALID_VALUE' },
    })
  for (const code of ['0000-0000-0000-0000', 'x', '0'.repeat(64)])
    expect(await check(code)).toMatchObject({
      status: 200,
      body: { isValid: false, walletAddress: null, place: null },
    })
})

test('bad input gets its own error code and reveals nothing about the winner', async () => {
  for (const body of [
    {},
    { eventNumber: '1' },
    { eventNumber: 1 },
    { eventNumber: 1, signature: '0x12' },
    { eventNumber: -1, signature: null },
  ])
    expect(await claim(body)).toMatchObject({ status: 422, body: { code: 'INVALID_VALUE' } })
  const signature = await winner.signMessage({ message })
  expect(await claim({ eventNumber: 2, signature })).toMatchObject({
    status: 404,
    body: { code: 'NO_WINNER' },
  })
  expect(await check(1)).toMatchObject({ status: 422, body: { code: 'INVALID_VALUE' } })
  expect(await check('\u0000')).toMatchObject({ status: 422, body: { code: 'INVALID_VALUE' } })
})

test('letters that look like digits are read as those digits', () => {
  expect(normalizeClaimCode('oil0 1abc')).toBe('0110-1ABC')
})

test('I11: bun run verify checks the draw against the site and an endpoint', async () => {
  const server = Bun.serve({ port: 0, fetch: (request, it) => adminApi.app.handle(request, it) })
  const lines: string[] = []
  const site = `http://localhost:${server.port}`
  const args = [
    '--site',
    site,
    '--event',
    '1',
    '--rpc',
    world.url,
    '--full',
    '--price',
    '3',
    '--wallet',
    world.accounts[0] as string,
  ]
  const code = await verifyCommand(args, (line) => lines.push(line))
  await server.stop(true)
  // Without the sale's dates and an anchor there is more to check than this can.
  expect(lines.join('\n')).toContain('Incomplete: nothing contradicts this draw, but 2 of 14 steps')
  expect(lines.filter((line) => line.startsWith('ok'))).toHaveLength(12)
  expect(code).toBe(2)
})
