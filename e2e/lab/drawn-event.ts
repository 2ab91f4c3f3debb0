import type { Hex } from 'viem'
import type { Proof } from '../../core/draw/proof.ts'
import { termsSha256 } from '../../core/event/terms.ts'
import {
  type Known,
  type Rpc,
  type VerifyInput,
  type VerifyResult,
  verifyDraw,
} from '../../core/verify/verify.ts'
import { loadProof } from '../../db/draw/facts.ts'
import { termsOf } from '../../db/event/terms.ts'
import { events } from '../../db/schema/index.ts'
import { rpc as ask } from '../../infra/local/rpc.ts'
import { watchRefunds } from '../../worker/refund/refunds.ts'
import { type DrawWorld, openDrawWorld, saleEndAt } from './draw-story.ts'
import { publishedLedger } from './ledger-story.ts'

type DrawnEventOptions = {
  /** After the freeze. */
  beforeDraw?: (world: DrawWorld, ledgerSha256: Hex, terms: string) => Promise<void>
  /** Before the last payment, up to the 180th second. */
  pay?: (world: DrawWorld) => Promise<void>
}

/** An event that was sold, anchored and drawn honestly, and what its verifier is given. */
export async function openDrawnEvent({ beforeDraw, pay }: DrawnEventOptions = {}) {
  const world = await openDrawWorld()
  // More blocks before the sale than since.
  await world.mine(40)
  await world.pay(1, 99_00, 10)
  await world.pay(4, 2_00, 12)
  await world.pay(2, 3_50, 20)
  await world.pay(3, 300_00, 21)
  await pay?.(world)
  const line = await termsOf(world.db, await world.event())
  await commit(world, { eventNumber: 1, commitment: termsSha256(line), at: 185 })
  await world.pay(1, 6_00, 190)
  const frozen = await world.endSale()
  await commit(world, { eventNumber: 1, commitment: await world.commitment(), at: saleEndAt + 20 })
  await beforeDraw?.(world, frozen.ledgerSha256 as Hex, frozen.terms as string)
  await world.reachDraw()
  await watchRefunds({ ...world.deps, refundMinUnits: 1n })
  await world.draw()
  await world.db.update(events).set({ redrawnAt: new Date(Date.now() - 20_000) })

  const proof = (await loadProof(world.db, 1)) as Proof
  const known: Known = { kept: [proof.terms] }
  const ledger = await publishedLedger(world.db, 1)
  const answers = new Map<string, Promise<unknown>>()
  const rpc: Rpc = (method, params) => {
    const key = JSON.stringify([method, params])
    const answer = answers.get(key) ?? ask(world.url, method, params)
    answers.set(key, answer)
    return answer
  }
  const verify = async (change: Partial<VerifyInput> = {}): Promise<VerifyResult[]> => {
    const list = once(new TextEncoder().encode(ledger))
    const told = verifyDraw({ proof: JSON.stringify(proof), list, rpc, known, ...change })
    return (await Array.fromAsync(told)).filter((event): event is VerifyResult => event.kind === 'result')
  }
  return { world, proof, ledger, known, rpc, verify, close: world.close }
}

type Commitment = { eventNumber: number; commitment: Hex; at: number; from?: number }

/** Tells the register a commitment, at this second of the story; answers what a proof says of it. */
async function commit(
  world: DrawWorld,
  { commitment, at, from = 0, eventNumber }: Commitment,
): Promise<NonNullable<Proof['anchors']['list']>> {
  const transactionHash = await world.sendAnchor(commitment, { at, from, eventNumber })
  const wallet = world.accounts[from]?.toLowerCase() as Hex
  return { wallet, transactionHash, blockNumber: Number(await world.height()), timestamp: world.start + at }
}

export const firstFailure = (results: VerifyResult[]) =>
  results.find(({ status }) => status === 'failed')?.step

export const findingOf = (results: VerifyResult[], step: string) =>
  results.find((result) => result.step === step)?.finding

export async function* once(bytes: Uint8Array): AsyncGenerator<Uint8Array> {
  yield bytes
}
