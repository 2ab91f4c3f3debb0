import { isNull } from 'drizzle-orm'
import { keccak256, toHex, zeroAddress } from 'viem'
import { isSignatureOf, quicknet, randomnessOf, roundTime } from '../../core/draw/beacon.ts'
import type { ProofBeacon } from '../../core/draw/proof.ts'
import { recordDraw } from '../../db/draw/draws.ts'
import { connect } from '../../db/index.ts'
import { freezeLedger } from '../../db/payment/ledger.ts'
import { events } from '../../db/schema/index.ts'
import { memoryOf } from './pinned.ts'

/**
 * The worker's freeze, fingerprint and draw: `bun draw-product.ts databaseUrl firstBlock [everything]`; with `everything`
 * the event mixes in a round, whose signature is checked, and has many winners.
 */
const [databaseUrl = '', firstBlock = '0', everything] = process.argv.slice(2)
const { db, close } = connect(databaseUrl, { name: 'blockdraw bench' })
await db.execute('select 1')
const began = performance.now()
const frozen = await freezeLedger(db)
const frozenAfter = (performance.now() - began) / 1000
const blocks = Array.from({ length: 5 }, (_, i) => ({
  number: BigInt(firstBlock) + BigInt(i),
  hash: keccak256(toHex(`block ${i}`)),
  timestamp: i,
  miner: zeroAddress,
}))
const beacon = everything ? await checkedBeacon(1000) : null
const drawn = await recordDraw(db, {
  ...{ eventNumber: 1, blocks, beacon },
  ...(beacon && { source: 'bench' }),
})
const seconds = (performance.now() - began) / 1000
if (!drawn) throw new Error('nothing was drawn')
console.log(
  JSON.stringify({ sha256: frozen?.sha256, frozenAfter, seconds, peak: memoryOf(process.pid).peak }),
)
await close()
process.exit(0)

/** A round of the real network, from drand's documentation. */
async function checkedBeacon(round: number): Promise<ProofBeacon> {
  const signature =
    '0xb44679b9a59af2ec876b1a6b1ad52ea9b1615fc3982b19576350f93447cb1125e342b73a8dd2bacbe47e4b6b63ed5e39'
  if (!(await isSignatureOf(signature, round, quicknet))) throw new Error('the round was not accepted')
  const found: ProofBeacon = {
    ...{ network: quicknet.name, chainHash: quicknet.chainHash, round, time: roundTime(round, quicknet) },
    after: { number: Number(firstBlock) + 36, hash: keccak256(toHex('after')), timestamp: 36 },
    ...{ signature, randomness: randomnessOf(signature) },
  }
  const { network, chainHash, after } = found
  // It comes in time, whenever the benchmark is run.
  const time = Math.floor(Date.now() / 1000)
  await db
    .update(events)
    .set({ beaconRound: { round, network, chainHash, time, after } })
    .where(isNull(events.beaconRound))
  return found
}
