import pino from 'pino'
import type { Address, Hash, Hex } from 'viem'
import type { ErrorCode } from '../../../core/errors.ts'
import { type DraftedTerms, emptyDraft } from '../../../db/event/next.ts'
import type { Cursor } from '../../../db/event/sale.ts'
import { readClock } from '../../../db/index.ts'
import { connectChain } from '../../../worker/chain/index.ts'
import type { Deps } from '../../../worker/deps.ts'
import { startRpcProxy } from '../../lab/rpc-proxy.ts'
import { epoch, firstSale, openSimulatedChain } from './simulated-chain.ts'
import { baseEnv, type Stage, setDatabaseClock } from './stage.ts'

/** One run: a stage on its first day, a chain of its own, ways to it that may lie, a worker, and the clocks. */
export type World = Awaited<ReturnType<typeof openWorld>>

export async function openWorld({ db, reset }: Stage, endpoints: number) {
  const [chain] = await Promise.all([openSimulatedChain(), reset()])
  const proxies = await Promise.all(Array.from({ length: endpoints }, () => startRpcProxy(chain.url)))
  const clock = { chain: firstSale, ahead: 0 }

  /** A worker that has just started. */
  const connect = (): Deps => ({
    db,
    chain: connectChain(
      proxies.map((proxy) => proxy.url),
      56,
      { now: () => (clock.chain - epoch) * 1000, clock: () => readClock(db) },
    ),
    log: pino({ level: 'silent' }),
  })

  return {
    ...chain,
    ...{ db, proxies, clock, connect },
    deps: connect(),
    env: baseEnv,
    /** Both clocks run on; the database's stays as far ahead as it is. */
    pass: async (seconds: number) => {
      clock.chain += seconds
      await setDatabaseClock(db, clock.chain + clock.ahead)
    },
    mineBlock: () => chain.mineAt(clock.chain),
    /** Why a job was last put off. */
    refusal: undefined as ErrorCode | undefined,
    /** Lists of events that are drawn or archived, as they were then. */
    closed: new Map<number, string>(),
    /** Whether blocks were replaced below the list of an event that is over, which stays as it was. */
    isTorn: false,
    /** Transactions that a scan was not told. */
    overlooked: new Set<Hash>(),
    /** The call of the register that somebody has signed last, and the final block that it follows from. */
    signed: undefined as
      | { call: Hex; debts: { debtor: Address; total: bigint }[]; cursor: Cursor | undefined }
      | undefined,
    /** What a call paid up to for a payer when the final blocks it follows from were no longer on the chain. */
    paidInVain: new Map<Address, bigint>(),
    /** The next event's terms as the operator saved them last. */
    draft: emptyDraft as DraftedTerms,
    /** What a draft chose for the open event. */
    promised: { event: 1, autoDraw: null as boolean | null, claimDays: null as number | null },
    /** The open event, as far as is known. */
    eventNumber: 1,
    /** Reorganizations keep away from blocks up to here. */
    floor: chain.firstBlock,
    close: async () => {
      await Promise.all(proxies.map((proxy) => proxy.stop()))
      await chain.stop()
    },
  }
}
