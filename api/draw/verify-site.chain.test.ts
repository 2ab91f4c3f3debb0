import { beforeAll, expect, test } from 'vitest'
import { getEvent } from '../../db/event/events.ts'
import { openClaims } from '../../e2e/lab/claims.ts'
import { verifyCommand } from '../../infra/cli/verify/command.ts'

const { adminApi, world, toClaims } = await openClaims()

beforeAll(toClaims)

test('I11: bun run verify checks the draw against the site and an endpoint', async () => {
  const server = Bun.serve({ port: 0, fetch: (request, it) => adminApi.app.handle(request, it) })
  const lines: string[] = []
  const site = `http://localhost:${server.port}`
  const { terms } = (await getEvent(world.db, 1)) ?? expect.fail('no event')
  const args = ['--site', site, '--event', '1', '--rpc', world.url, '--terms', terms as string]
  const code = await verifyCommand(args, (line) => lines.push(line))
  await server.stop(true)
  // Nothing was anchored.
  expect([lines.join('\n'), code]).toEqual([expect.stringContaining('Incomplete'), 2])
})
