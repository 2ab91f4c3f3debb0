import { eq } from 'drizzle-orm'
import { expect, test } from 'vitest'
import { actionRoles } from '../../core/admin/roles.ts'
import { secondOf } from '../../core/admin/second-person.ts'
import { admins } from '../../db/schema/index.ts'
import { openAdminApi, owner } from '../../e2e/lab/admin-api.ts'
import { codeOf, config, eachTwoOwners, wallet } from '../../e2e/lab/two-owners.ts'

const { adminApi } = eachTwoOwners()

test('without TWO_PERSON nothing of it is asked', async () => {
  const alone = await openAdminApi()
  try {
    const ask = alone.as(await alone.login())
    expect((await ask('GET', '/api/admin/approvals')).body).toMatchObject({ isOn: false, approvals: [] })
    expect((await ask('PATCH', config, { operatorWallet: wallet })).body.operatorWallet).toBe(wallet)
    expect((await ask('POST', '/api/admin/administrators', { username: 'x', role: 'owner' })).status).toBe(
      200,
    )
    expect((await ask('POST', '/api/admin/administrators', { username: 'y', role: 'owner' })).status).toBe(
      200,
    )
  } finally {
    await alone.close()
  }
})

test('without TWO_PERSON a new administrator waits for nobody’s row', async () => {
  const alone = await openAdminApi()
  try {
    const ask = alone.as(await alone.login())
    await alone.db.transaction(async (tx) => {
      await tx.update(admins).set({ language: 'en' }).where(eq(admins.username, owner.username))
      expect(codeOf(await ask('POST', '/api/admin/administrators', { username: 'x', role: 'owner' }))).toBe(
        200,
      )
    })
  } finally {
    await alone.close()
  }
})

test('the calls that take a word are these, and no other', () => {
  type Detail = { responses?: Record<number, { description: string }> }
  const told = adminApi.app.routes.routes
    .filter(({ hooks }) =>
      (hooks.detail as Detail | undefined)?.responses?.[409]?.description.includes('SECOND_PERSON_REQUIRED'),
    )
    .map(({ method, path }) => `${method} ${path}`)
  expect(told.sort()).toEqual(
    [
      'PATCH /api/admin/raffle/config',
      'DELETE /api/admin/raffle/winner',
      'POST /api/admin/raffle/execute-refund',
      'POST /api/admin/refunds/offer',
      'POST /api/admin/refunds/sent',
      'POST /api/admin/refunds/:id/sent',
      'POST /api/admin/refunds/:id/release',
      'POST /api/admin/refunds/:id/lost',
      'POST /api/admin/refunds/transfers',
      'POST /api/admin/refunds/wallets',
      'POST /api/admin/refunds/wallets/lost',
      'POST /api/admin/refunds/wallets/heard',
      'POST /api/admin/refunds/wallets/found',
      'POST /api/admin/administrators',
      'PATCH /api/admin/administrators/:id',
      'DELETE /api/admin/administrators/:id',
      'POST /api/admin/administrators/:id/reset-password',
      'PATCH /api/admin/settings',
    ].sort(),
  )
})

test('no auditor asks for or gives a word', () => {
  for (const [action, least] of Object.entries(actionRoles))
    if (secondOf(action as keyof typeof actionRoles)) expect([action, least]).not.toEqual([action, 'auditor'])
})
