import { beforeAll, expect, test } from 'vitest'
import { claimMessage } from '../../core/prize/claim.ts'
import { listClaimable } from '../../db/prize/claims.ts'
import { events, prizeActs } from '../../db/schema/index.ts'
import { buildApi } from '../../e2e/lab/build-api.ts'
import { accountAt } from '../../e2e/lab/chain-verbs.ts'
import { openClaims } from '../../e2e/lab/claims.ts'
import { fromNow } from '../../e2e/lab/test-time.ts'
import { claimNonces } from './claim-messages.ts'

const { adminApi, world, winner, accountOf, ask, claim, signed, shown, check, announce } = await openClaims()

const text = 'localhost wants you to sign in'
const noSignature = { message: text, signature: `0x${'00'.repeat(65)}` }

beforeAll(async () => {
  await world.toDraw()
  expect(await claim({ eventNumber: 1, ...noSignature })).toMatchObject({
    status: 404,
    body: { code: 'NO_WINNER' },
  })
  await world.draw()
  expect(await adminApi.call('GET', '/api/raffle/claim/1')).toMatchObject({
    status: 404,
    body: { code: 'NO_WINNER' },
  })
  expect(await adminApi.call('GET', '/api/raffle/prizes/1')).toMatchObject({
    status: 404,
    body: { code: 'NOT_FOUND' },
  })
  await announce()
  const early = await signed((await ask()).message)
  const notRead = {
    status: 503,
    body: { code: 'NOT_FINAL', message: expect.stringContaining('on the chain') },
  }
  expect(await claim(early)).toMatchObject(notRead)
  await world.catchUp()
})

test('the message is EIP-4361 and names site, chain, event, place, ticket and wallet, for ten minutes', async () => {
  const { message, place, claimBy, operatorWallet } = await ask()
  const lines = message.split('\n')
  expect(lines.slice(0, 3)).toEqual([
    'localhost wants you to sign in with your Ethereum account:',
    winner().address,
    '',
  ])
  expect(lines[3]).toMatch(
    new RegExp(
      `^I claim the prize of raffle event 1: place 1 of 2, winning ticket \\d+, wallet ${winner().address}, operator wallet 0x`,
    ),
  )
  expect(lines.slice(4, 8)).toEqual(['', 'URI: http://localhost/', 'Version: 1', 'Chain ID: 56'])
  const [issued, expires] = [9, 10].map((line) => Date.parse(lines[line]?.split(': ')[1] ?? ''))
  expect((expires as number) - (issued as number)).toBe(600_000)
  expect((await ask()).message).not.toBe(message)
  expect(place).toBe(1)
  expect(message).toContain(`operator wallet ${operatorWallet}`)
  const { body } = await shown()
  expect(claimBy).toBe(body[0].claimBy)
  expect(Date.parse(claimBy) - Date.parse(body[0].steps[0].at)).toBe(30 * 86_400_000)
})

test('the winner signs the given message and gets the same code each time; the administrator checks it', async () => {
  const first = await claim(await signed((await ask()).message))
  expect(first).toMatchObject({
    status: 200,
    body: { eventNumber: 1, code: expect.stringMatching(/^([0-9A-Z]{4}-){3}[0-9A-Z]{4}$/) },
  })
  expect((await claim(await signed((await ask()).message))).body).toEqual(first.body)
  const told = { eventNumber: 1, place: 1, wallet: winner().address.toLowerCase(), proof: 'personal' }
  expect(await world.db.select().from(prizeActs)).toMatchObject([told, told])
  const { body } = await shown()
  expect(body[0]).toMatchObject({
    ...{ kind: 'goods', units: null, state: 'claimed', claimBy: null },
    holder: { kind: 'winner', place: 1, walletAddress: winner().address },
    steps: [
      { step: 'drawn', walletAddress: winner().address },
      { step: 'claimed', transactionHash: null },
    ],
  })
  for (const spelling of [
    first.body.code,
    first.body.code.toLowerCase().replaceAll('-', ' '),
    ` ${first.body.code} `,
  ])
    expect(await check(spelling)).toMatchObject({
      status: 200,
      body: { isValid: true, walletAddress: winner().address, place: 1 },
    })
})

test('each winner gets a code of his own, which names his place', async () => {
  const second = await ask('?place=2')
  expect(second.walletAddress).not.toBe(winner().address)
  const other = accountOf(second.walletAddress)
  expect(await ask(`?wallet=${other.address}`)).toMatchObject({ place: 2, walletAddress: other.address })
  const word = await signed(second.message, other)
  const mismatch = { status: 422, body: { code: 'CLAIM_MISMATCH' } }
  expect(await claim(word)).toMatchObject(mismatch)
  const { body } = await claim({ ...word, place: 2 })
  expect(await check(body.code)).toMatchObject({
    body: { isValid: true, walletAddress: other.address, place: 2, winners: 2 },
  })
  const refused = { status: 422, body: { code: 'INVALID_VALUE' } }
  for (const place of [0, 21, 1.5, '2']) expect(await claim({ ...word, place })).toMatchObject(refused)
  for (const place of ['0', '21', 'x', ''])
    expect(await adminApi.call('GET', `/api/raffle/claim/1?place=${place}`)).toMatchObject(refused)
  const nobody = { status: 404, body: { code: 'NO_WINNER' } }
  expect(await adminApi.call('GET', '/api/raffle/claim/1?place=3')).toMatchObject(nobody)
  expect(await claim({ ...word, place: 3 })).toMatchObject(nobody)
  expect(await adminApi.call('GET', `/api/raffle/claim/1?wallet=${accountAt(9).address}`)).toMatchObject({
    status: 409,
    body: { code: 'CLAIM_CLOSED' },
  })
})

test('nobody else gets a code, and no other text is accepted', async () => {
  const { message } = await ask()
  const own = await signed(message)
  const other = await accountAt(9).signMessage({ message })
  // Nobody asks the chain whether an account without code knows it: no worker runs here.
  expect(await claim({ ...own, signature: other })).toMatchObject({ status: 503 })
  for (const text of [
    `${message} `,
    message.replace('event 1', 'event 2'),
    message.replace('place 1', 'place 2'),
    message.replace('localhost wants', 'evil.example wants'),
    message.replace('http://localhost', 'http://evil.example'),
    message.replace(/Nonce: .{8}/, 'Nonce: 00000000'),
    message.replace(/(?<=Issued At: )\d{4}/, (year: string) => `${Number(year) + 10}`),
    message.replace('Chain ID: 56', 'Chain ID: 1'),
    'I claim the prize of raffle event 1.',
  ])
    expect(await claim(await signed(text))).toMatchObject({ status: 422, body: { code: 'CLAIM_MISMATCH' } })
  for (const code of ['0000-0000-0000-0000', 'x', '0'.repeat(64)])
    expect(await check(code)).toMatchObject({
      status: 200,
      body: { isValid: false, walletAddress: null, place: null },
    })
})

test('a message of another day, or older than ten minutes, is refused though it is signed, as is one of another site', async () => {
  const [holder] = await listClaimable(world.db, 1)
  const { nonceFor } = claimNonces(adminApi.deps.admin)
  const made = (agoMs: number, origin = 'http://localhost') => {
    const issuedAt = fromNow(-agoMs / 1000)
    const terms = holder as NonNullable<typeof holder>
    const wallet = terms.walletAddress.toLowerCase()
    const nonce = nonceFor(['claim', 1, terms.place, wallet, origin, issuedAt.getTime()])
    return claimMessage(terms, { origin, issuedAt, nonce })
  }
  for (const agoMs of [86_400_000, 601_000, -60_000])
    expect(await claim(await signed(made(agoMs)))).toMatchObject({
      ...{ status: 409, body: { code: 'CLAIM_EXPIRED' } },
    })
  expect(await claim(await signed(made(0, 'https://other.example')))).toMatchObject({
    ...{ status: 422, body: { code: 'CLAIM_MISMATCH' } },
  })
  expect((await claim(await signed(made(540_000)))).status).toBe(200)
})

test('a message is taken once, whichever process gets it', async () => {
  const word = await signed((await ask()).message)
  const second = buildApi(
    { db: adminApi.dbOf('api'), url: adminApi.deps.admin.databaseUrl },
    { admin: adminApi.deps.admin },
  )
  const post = (app: typeof adminApi.app) =>
    app.handle(
      new Request('http://localhost/api/raffle/claim', {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify(word),
      }),
    )
  const answers = await Promise.all([adminApi.app, second.app, adminApi.app, second.app].map(post))
  second.state.stop()
  expect(answers.map(({ status }) => status).sort()).toEqual([200, 409, 409, 409])
  expect(await claim(word)).toMatchObject({ status: 409, body: { code: 'CLAIM_USED' } })
})

test('in production only ALLOWED_ORIGINS names the site of a message, whatever host a caller says', async () => {
  const own = { db: adminApi.dbOf('api'), url: adminApi.deps.admin.databaseUrl }
  const host = 'http://localhost'
  const addresses = { trustedProxies: [], siteProxyToken: undefined }
  const callOf = (changed: object) => {
    const { app, state } = buildApi(own, { admin: adminApi.deps.admin, addresses, ...changed })
    state.stop()
    return async (body?: object) => {
      const request = body
        ? new Request(`${host}/api/raffle/claim`, {
            ...{ method: 'POST', body: JSON.stringify(body) },
            headers: { 'content-type': 'application/json' },
          })
        : new Request(`${host}/api/raffle/claim/1`)
      return (await app.handle(request)).status
    }
  }
  const word = await signed((await ask()).message)
  const unnamed = callOf({ isDevelopment: false })
  expect([await unnamed(), await unnamed(word)]).toEqual([421, 421])
  const named = callOf({ isDevelopment: false, allowedOrigins: [host] })
  expect([await named(), await named(word)]).toEqual([200, 200])
})

test('bad input gets its own error code and reveals nothing about the winner', async () => {
  for (const body of [
    {},
    { eventNumber: '1' },
    { eventNumber: 1 },
    { eventNumber: 1, message: text, signature: '0x123' },
    { eventNumber: 1, signature: '0x12' },
    { eventNumber: -1, message: text, signature: null },
  ])
    expect(await claim(body)).toMatchObject({ status: 422, body: { code: 'INVALID_VALUE' } })
  const word = await signed((await ask()).message)
  expect(await claim({ ...word, eventNumber: 2 })).toMatchObject({ status: 404, body: { code: 'NO_WINNER' } })
  expect(await check(1)).toMatchObject({ status: 422, body: { code: 'INVALID_VALUE' } })
  expect(await check('\u0000')).toMatchObject({ status: 422, body: { code: 'INVALID_VALUE' } })
})

test('the code comes with the form of its event, as long as that may still be linked', async () => {
  const form = async (googleFormUrl: string | null) => {
    await world.db.update(events).set({ googleFormUrl })
    const { message, walletAddress } = await ask('?place=2')
    return (await claim({ ...(await signed(message, accountOf(walletAddress))), place: 2 })).body.formUrl
  }
  expect(await form('https://forms.gle/first')).toBe('https://forms.gle/first')
  expect(await form('https://forms.example/other')).toBeNull()
  expect(await form(null)).toBeNull()
})
