import { eq, sql } from 'drizzle-orm'
import { expect, test } from 'vitest'
import { admins, settings } from '../../db/schema/index.ts'
import { owner } from '../../e2e/lab/admin-api.ts'
import { codeOf, config, eachTwoOwners, password } from '../../e2e/lab/two-owners.ts'

const { adminApi, first, second, operator, approve, refuse, list, askWallet, idOf } = eachTwoOwners()

test('accounts: nobody makes himself a second person, and the password goes to who asked', async () => {
  const id = await idOf('operator')
  const calls: [string, string, object?][] = [
    ['POST', '/api/admin/administrators', { username: 'mine', role: 'owner' }],
    ['PATCH', `/api/admin/administrators/${id}`, { role: 'owner' }],
    ['POST', `/api/admin/administrators/${id}/reset-password`],
    ['DELETE', `/api/admin/administrators/${await idOf('second')}`],
    ['DELETE', `/api/admin/administrators/${id}`],
  ]
  const everybody = () => adminApi.db.select().from(admins).orderBy(admins.id)
  const before = await everybody()
  const asked = []
  for (const [method, path, body] of calls) {
    const answer = await first(method, path, body)
    expect([path, codeOf(answer)]).toEqual([path, 'SECOND_PERSON_REQUIRED'])
    expect(answer.body.password).toBeUndefined()
    asked.push(answer.body.approvalId)
  }
  expect(await everybody()).toEqual(before)
  expect(codeOf(await approve(second, asked[0]))).toBe(200)
  const [, , body] = calls[0] as [string, string, object]
  const made = await first('POST', '/api/admin/administrators', body)
  expect(made).toMatchObject({ status: 200, body: { administrator: { username: 'mine', role: 'owner' } } })
  expect(made.body.password).toMatch(/./)
  // With the word of whom it removes: it was his to give.
  expect(codeOf(await approve(second, asked[3]))).toBe(200)
  expect(codeOf(await first(...(calls[3] as [string, string])))).toBe(200)
  expect(codeOf(await second('GET', config))).toBe('UNAUTHENTICATED')
})

test('an operator cannot refuse what only owners may allow, such as his own removal', async () => {
  const removal = ['DELETE', `/api/admin/administrators/${await idOf('operator')}`] as const
  const { approvalId } = (await first(...removal)).body
  expect(codeOf(await refuse(operator, approvalId))).toBe('FORBIDDEN_ROLE')
  await approve(second, approvalId)
  expect(codeOf(await refuse(operator, approvalId))).toBe('FORBIDDEN_ROLE')
  expect(codeOf(await first(...removal))).toBe(200)
})

test('the second factor is no longer required only with the word of another owner', async () => {
  await adminApi.db.update(settings).set({ requireOtp: true })
  for (const username of ['owner', 'second'])
    await adminApi.db.update(admins).set({ otpConfirmedAt: sql`now()` }).where(eq(admins.username, username))
  const turnOff = () => first('PATCH', '/api/admin/settings', { requireOtp: false })
  const asked = await turnOff()
  expect(codeOf(asked)).toBe('SECOND_PERSON_REQUIRED')
  await approve(second, asked.body.approvalId)
  expect((await turnOff()).body).toMatchObject({ requireOtp: false })
})

test('an address list that shuts others out takes the word of another owner', async () => {
  const save = (allowedIps: string[]) => first('PATCH', '/api/admin/settings', { allowedIps })
  const asked = await save(['10.1.2.3'])
  expect(codeOf(asked)).toBe('SECOND_PERSON_REQUIRED')
  const away = adminApi.as(await adminApi.login({ username: 'second', password }), '10.9.9.9')
  expect(codeOf(await approve(away, asked.body.approvalId))).toBe(200)
  expect(codeOf(await save(['10.1.2.3']))).toBe(200)
  expect(codeOf(await away('GET', config))).toBe('IP_NOT_ALLOWED')
  // Who lets more in, or saves the same, shuts nobody out.
  expect(codeOf(await save(['10.1.2.3', '10.9.9.9']))).toBe(200)
  expect(codeOf(await save(['10.9.9.9', '10.1.2.3']))).toBe(200)
  expect(codeOf(await save(['10.0.0.0/8', '10.1.2.3']))).toBe('SECOND_PERSON_REQUIRED')
  expect(codeOf(await save([]))).toBe(200)
})

test('one alone sets an address list, while nobody else could give a word', async () => {
  await adminApi.db.update(admins).set({ disabledAt: sql`now()` }).where(sql`username <> ${owner.username}`)
  expect(codeOf(await first('PATCH', '/api/admin/settings', { allowedIps: ['10.1.2.3'] }))).toBe(200)
})

test('one alone brings in the second, while nobody else could give a word', async () => {
  await adminApi.db.update(admins).set({ disabledAt: sql`now()` }).where(sql`username <> ${owner.username}`)
  const add = (username: string) => first('POST', '/api/admin/administrators', { username, role: 'owner' })
  expect(await list()).toMatchObject({ isOn: true, owners: 1, operators: 1 })
  expect(codeOf(await add('third'))).toBe(200)
  // His password is good for a day: until then he is there.
  expect(codeOf(await add('fourth'))).toBe('SECOND_PERSON_REQUIRED')
  const reset = async () =>
    codeOf(await first('POST', `/api/admin/administrators/${await idOf('third')}/reset-password`))
  expect(await reset()).toBe('SECOND_PERSON_REQUIRED')
  await adminApi.db
    .update(admins)
    .set({ oneTimeUntil: sql`now() - interval '1 minute'` })
    .where(eq(admins.username, 'third'))
  expect(await reset()).toBe(200)
  // Everything else waits for him.
  await askWallet()
})
