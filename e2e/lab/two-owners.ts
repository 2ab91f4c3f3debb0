import { eq } from 'drizzle-orm'
import { beforeEach, expect } from 'vitest'
import { admins } from '../../db/schema/index.ts'
import { openAdminApi } from './admin-api.ts'
import { forEachTest } from './opened.ts'

type Ask = (method: string, path: string, body?: unknown) => Promise<{ status: number; body: Body }>
// biome-ignore lint/suspicious/noExplicitAny: tests read what they expect
export type Body = any

/** A wallet that nobody has named yet, and another one. */
export const wallet = '0x90F79bf6EB2c4f870365E785982E1f101E93b906'
export const other = '0x15d34AAf54267DB7D7c367839AAf71A00a2C6A65'
/** Of the two administrators besides the owner. */
export const password = 'another horse battery'
export const config = '/api/admin/raffle/config'
/** The code of a refusal, or the status. */
export const codeOf = ({ status, body }: { status: number; body: Body }) => body.code ?? status

/** Two owners and an operator before each test, with TWO_PERSON on; `first` asks for the word of `second`. */
export function eachTwoOwners() {
  const adminApi = forEachTest(() => openAdminApi({ admin: { twoPerson: true } }))
  let calls: { first: Ask; second: Ask; operator: Ask }
  beforeEach(async () => {
    await adminApi.addAdmin('second', password)
    await adminApi.addAdmin('operator', password, 'operator')
    calls = {
      first: adminApi.as(await adminApi.login()),
      second: adminApi.as(await adminApi.login({ username: 'second', password })),
      operator: adminApi.as(await adminApi.login({ username: 'operator', password })),
    }
  })
  const first: Ask = (...call) => calls.first(...call)
  const second: Ask = (...call) => calls.second(...call)
  const operator: Ask = (...call) => calls.operator(...call)

  const walletNow = async () => (await first('GET', config)).body.operatorWallet
  const approve = (by: Ask, id: number) => by('POST', `/api/admin/approvals/${id}/approve`)
  const refuse = (by: Ask, id: number) => by('POST', `/api/admin/approvals/${id}/refuse`)
  const list = async (by: Ask = first) => (await by('GET', '/api/admin/approvals')).body
  const askWallet = async (by: Ask = first, body: object = { operatorWallet: wallet }): Promise<number> => {
    const asked = await by('PATCH', config, body)
    expect([asked.status, asked.body.code]).toEqual([409, 'SECOND_PERSON_REQUIRED'])
    return asked.body.approvalId
  }
  const repeat = (body: object = { operatorWallet: wallet }) => first('PATCH', config, body)
  const idOf = async (username: string) =>
    (await adminApi.db.select().from(admins).where(eq(admins.username, username)))[0]?.id as number

  return { adminApi, first, second, operator, walletNow, approve, refuse, list, askWallet, repeat, idOf }
}
