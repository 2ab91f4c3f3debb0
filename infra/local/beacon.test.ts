import { expect, onTestFinished, test } from 'vitest'
import { beaconRoundOf, isSignatureOf, roundTime } from '../../core/draw/beacon.ts'
import { startBeacon } from './beacon.ts'

function openBeacon() {
  let now = 0
  const beacon = startBeacon({ secret: 42n, now: async () => now })
  onTestFinished(beacon.stop)
  const get = (path: string) => fetch(`${beacon.url}${path}`)
  return { beacon, get, travel: (time: number) => (now = time), chain: beacon.network.chainHash.slice(2) }
}

test('the local beacon has the key, the chain hash and the signatures of the published vectors', async () => {
  const { beacon } = openBeacon()
  expect(beacon.network).toMatchObject({
    publicKey:
      '0xac7fa63dfc38bbf3712e27a180391bca4ccabf609c5967a0592eff420b6235f3f2b323051cb099acc3969aca310f7ff4191b2d6db43fafc2c9592f7e5f73981107975d3d92b843891e724dbc9f05b5eee5a3b2b1fc782ede8149f30830b84444',
    chainHash: '0x0a97fa2306032c725410e309dc19fb2f59831001e71dc4de9778ba2adc974315',
  })
  expect([beacon.sign(1), beacon.sign(7)]).toEqual([
    '0x8d042cd1ff5e9138035c20362c5b2400cc8aff0ca3374def2a2a70a5cb94e04800985cdd29b8494f6c4559441880d9f2',
    '0x9120b0a97c52146637d2c6747624abd94df81c32af8c44ff2df1c63957fdd59634d410db83f1441b8c8c0e2c305ad602',
  ])
  expect(await isSignatureOf(beacon.sign(7), 7, beacon.network)).toBe(true)
})

test('a draw on this machine waits seconds for its round, not drand’s minute', () => {
  const { network } = openBeacon().beacon
  const drawDate = 1_800_000_000
  expect(roundTime(beaconRoundOf(drawDate, null, network), network) - drawDate).toBeLessThan(6)
})

test('the local beacon answers as drand does, from the time of a round on', async () => {
  const { beacon, get, travel, chain } = openBeacon()
  travel(roundTime(7, beacon.network) - 1)
  expect((await get(`/${chain}/public/7`)).status).toBe(404)
  travel(roundTime(7, beacon.network))
  const signature = beacon.sign(7).slice(2)
  expect(await (await get(`/${chain}/public/7`)).json()).toMatchObject({ round: 7, signature })
  expect(await (await get(`/${chain}/info`)).json()).toMatchObject({ hash: chain, period: 3 })
  expect((await get('/elsewhere')).status).toBe(404)
})
