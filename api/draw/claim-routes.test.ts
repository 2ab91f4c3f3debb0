import { mnemonicToAccount } from 'viem/accounts'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { claimMessage, normalizeClaimCode } from '../../core/claim.ts'
import { getWinner } from '../../db/draw/proof.ts'
import { events } from '../../db/schema/index.ts'
import { type AdminApi, openAdminApi } from '../../e2e/lab/admin-api.ts'
import { type DrawWorld, openDrawWorld } from '../../e2e/lab/draw-story.ts'
import { verifyCommand } from '../../infra/cli/verify.ts'

let adminApi: AdminApi
let world: DrawWorld
let token: string
let message: string
let winner: ReturnType<typeof mnemonicToAccount>

const accountAt = (addressIndex: number) =>
  mnemonicToAccount('test test test test test test test test test test test junk', { addressIndex })
const claim = (body: unknown) => adminApi.call('POST', '/api/raffle/claim', { body })
const check = (code: unknown, eventNumber: unknown = 1) =>
  adminApi.call('POST', '/api/admin/raffle/claim-code', { token, body: { code, eventNumber } })

beforeAll(async () => {
  adminApi = await openAdminApi()
  world = await openDrawWorld({ database: adminApi })
  token = await adminApi.login()
  await world.sell()
  await world.endSale()
  await world.reachDraw()
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
afterAll(() => world?.close())

test('the winner signs the given message and gets the same code each time; the administrator checks it', async () => {
  expect(message).toContain(`My wallet: ${winner.address}`)
  expect(message).toBe(claimMessage((await getWinner(world.db, 1)) as never))
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
      body: { isValid: true, walletAddress: winner.address },
    })
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
    expect(await check(code)).toMatchObject({ status: 200, body: { isValid: false, walletAddress: null } })
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
  expect(lines.join('\n')).toContain('Incomplete: nothing contradicts this draw, but 2 of 13 steps')
  expect(lines.filter((line) => line.startsWith('ok'))).toHaveLength(11)
  expect(code).toBe(2)
})
