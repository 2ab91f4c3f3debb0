import { afterAll, expect, test } from 'vitest'
import { beacons, draws } from '../../db/schema/index.ts'
import { serveSite } from '../../infra/local/site-server.ts'
import { closeAll, closeLater, startApi } from '../lab/api-process.ts'
import { openBeaconWorld, roundAt } from '../lab/beacon-story.ts'
import { openBrowser } from '../lab/browser.ts'
import { builtPages } from '../lab/built-pages.ts'
import { testDb } from '../lab/database.ts'
import { soon } from '../lab/story.ts'

afterAll(closeAll)

test("a visitor's page brings the round that the server cannot get, and the event is drawn from it", async () => {
  const database = await testDb()
  const world = await openBeaconWorld({ database })
  closeLater(world.close)
  await world.toRound(roundAt + 5)
  // The worker reaches no relay.
  const alone = { beacon: { network: world.network, fetchRound: async () => undefined } }
  await world.draw(alone)
  const round = (await world.round()) ?? expect.fail('no round')
  expect(await world.db.select().from(draws)).toEqual([])

  const token = 'a token of the site'
  const [beaconUrl, publicKey] = [world.relays[0]?.url, world.network.publicKey]
  const api = await startApi(database.url, {
    ...{ LOCAL_BEACON_KEY: publicKey, RPC_URLS: world.url, SITE_PROXY_TOKEN: token },
  })
  const [dir, browser] = await Promise.all([builtPages({ demoWallet: true }), openBrowser(), api.ready])
  closeLater(() => browser.close())
  const site = serveSite({ dir, port: 0, apiUrl: api.url, beaconUrl, token })
  closeLater(() => site.stop(true))
  const page = await browser.newPage()
  await page.clock.install()
  await page.goto(`http://127.0.0.1:${site.port}/`)
  const known = async () => {
    // It leaves the server a head start, and pages come one after the other.
    await page.clock.fastForward(10_000)
    return (await world.db.select().from(beacons)).map(({ round, source }) => ({ round, source }))
  }
  await soon(known).toEqual([{ round: round.round, source: 'visitor' }])
  await world.draw(alone)
  const [drawn] = await world.db.select().from(draws)
  expect(drawn?.beacon).toMatchObject({ round: round.round, signature: world.sign(round.round) })
})
