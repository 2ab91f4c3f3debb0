import { events } from '../../db/schema/index.ts'
import { openAdminApi } from './admin-api.ts'
import { accountAt } from './chain-verbs.ts'
import { openDrawWorld } from './draw-story.ts'
import { forFile } from './opened.ts'
import { withOtherPast } from './other-past.ts'

type Account = ReturnType<typeof accountAt>

/** One event with two winners on a chain, and what winners and the administrator say of its prizes. */
export async function openClaims() {
  const adminApi = await forFile(openAdminApi())
  const world = await forFile(openDrawWorld({ database: adminApi }))
  const token = await adminApi.login()
  await withOtherPast(world.db, (tx) => tx.update(events).set({ winners: 2 }))
  let first: Account | undefined
  const winner = () => {
    if (!first) throw new Error('Nobody has won yet.')
    return first
  }
  const accountOf = (address: string) =>
    [1, 2, 3].map(accountAt).find((account) => account.address === address) as Account
  const ask = async (query = '') => (await adminApi.call('GET', `/api/raffle/claim/1${query}`)).body
  const claim = (body: unknown) => adminApi.call('POST', '/api/raffle/claim', { body })
  const signed = async (message: string, account = winner()) => ({
    ...{ eventNumber: 1, message, signature: await account.signMessage({ message }) },
  })
  const shown = async () => {
    // A change that the database would have told of.
    await adminApi.deps.state.refresh()
    return adminApi.call('GET', '/api/raffle/prizes/1')
  }
  const check = (code: unknown, eventNumber: unknown = 1) =>
    adminApi.call('POST', '/api/admin/raffle/claim-code', { token, body: { code, eventNumber } })
  /** The drawing has ended, and everybody may know the winners. */
  async function announce(): Promise<void> {
    await world.db.update(events).set({ redrawnAt: new Date(Date.now() - 20_000) })
    first = accountOf((await ask()).walletAddress)
  }
  /** Winners may claim. */
  async function toClaims(): Promise<void> {
    await world.toDraw()
    await world.draw()
    await announce()
    await world.catchUp()
  }

  return { adminApi, world, token, winner, accountOf, ask, claim, signed, shown, check, announce, toClaims }
}
