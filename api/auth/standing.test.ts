import { sql } from 'drizzle-orm'
import { expect, test } from 'vitest'
import { lockAdmin, lockAdministrators } from '../../db/admin/admins.ts'
import { listAudit } from '../../db/admin/settings.ts'
import { openAdminSession, owner } from '../../e2e/lab/admin-api.ts'
import { askedMeanwhile } from '../../e2e/lab/held.ts'
import { forEachTest } from '../../e2e/lab/opened.ts'

const adminApi = forEachTest(openAdminSession)
const path = '/api/admin/administrators'

async function addOwner(username: string) {
  await adminApi.addAdmin(username, owner.password)
  const token = await adminApi.login({ username })
  const [row] = await adminApi.db.execute<{ id: number }>(
    sql`select id from admins where username = ${username}`,
  )
  return { id: row?.id ?? 0, ask: adminApi.as(token), token }
}

/** A call whose body is held back; `isRead` once the server waits for it. */
function heldBack(method: string, to: string, token: string, body: unknown) {
  const { promise: isRead, resolve: read } = Promise.withResolvers<void>()
  const { promise: isLetGo, resolve: letGo } = Promise.withResolvers<void>()
  const stream = new ReadableStream<Uint8Array>(
    {
      async pull(controller) {
        read()
        await isLetGo
        controller.enqueue(new TextEncoder().encode(JSON.stringify(body)))
        controller.close()
      },
    },
    { highWaterMark: 0 },
  )
  const headers = { 'content-type': 'application/json', authorization: `Bearer ${token}` }
  const request = new Request(`http://localhost${to}`, { method, headers, body: stream })
  const answered = adminApi.app.handle(request)
  return { isRead, letGo, answered }
}

test('a call whose body comes after its administrator was removed or demoted does nothing', async () => {
  for (const [method, change, code] of [
    ['DELETE', undefined, 'UNAUTHENTICATED'],
    ['PATCH', { readOnly: true }, 'UNAUTHENTICATED'],
  ] as const) {
    const rogue = await addOwner(`rogue-${method}`)
    const ghost = { username: `ghost-${method}`, readOnly: false }
    const held = heldBack('POST', path, rogue.token, ghost)
    await held.isRead
    expect((await adminApi.ask(method, `${path}/${rogue.id}`, change)).status).toBe(200)
    held.letGo()
    const answer = await held.answered
    expect([answer.status, (await answer.json()).code]).toEqual([401, code])
    const names = (await adminApi.ask('GET', path)).body.map(({ username }: typeof ghost) => username)
    expect(names).not.toContain(ghost.username)
    expect((await listAudit(adminApi.db, { actor: `rogue-${method}` }, 1))[0]).toMatchObject({
      action: 'admins.add',
      outcome: '401',
      after: { refused: code },
    })
  }
})

test('of two owners who remove each other at the same moment one stays, also where there is a third', async () => {
  for (let round = 0; round < 5; round++) {
    const [a, b] = [await addOwner(`a${round}`), await addOwner(`b${round}`)]
    const answers = await Promise.all([
      a.ask('DELETE', `${path}/${b.id}`),
      b.ask('DELETE', `${path}/${a.id}`),
    ])
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 401])
  }
})

test('an administrator who is removed does not add another one at the same moment', async () => {
  const rogue = await addOwner('rogue')
  const added = await askedMeanwhile(adminApi.db, {
    take: (tx) => lockAdministrators(tx, rogue.id),
    change: (tx) => tx.execute(sql`update admins set disabled_at = now() where id = ${rogue.id}`),
    ask: () => rogue.ask('POST', path, { username: 'ghost', readOnly: false }),
  })
  expect(added.body.code).toBe('UNAUTHENTICATED')
})

test('who changes something of his own account does not stand in the way of his removal', async () => {
  const second = await addOwner('second')
  const removed = await askedMeanwhile(adminApi.db, {
    take: (tx) => lockAdmin(tx, second.id),
    change: (tx) => tx.execute(sql`update admins set language = 'en' where id = ${second.id}`),
    ask: () => adminApi.ask('DELETE', `${path}/${second.id}`),
  })
  expect(removed.status).toBe(200)
})
