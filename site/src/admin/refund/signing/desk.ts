import { payeesPerCall } from '../../../../../core/refund/register-calls.ts'
import { isOfferable, type RefundRow } from '../../../../../core/refund/rules.ts'
import { followBundles } from './bundles.ts'
import { deliver, deliverByRegister, notAsked } from './deliver.ts'
import { goesElsewhere } from './elsewhere.ts'
import { doubtOf } from './pay-by-register.ts'
import { preflight } from './preflight.ts'
import { claimOf, createReporter } from './report.ts'
import type { DeskDeps, DeskState } from './state.ts'
import type { ClaimedRow, Offer, SigningPath } from './types.ts'
import { readNonce, takeBackAllowance } from './wallet.ts'
import { createWays } from './ways.ts'

type Step = 'paid' | 'nothing' | 'stopped'
const mostSendings = 2

/**
 * Pays the open rows of the refund desk, one wallet request after another. Safe to stop anywhere, also by a
 * reload: the server knows which rows were claimed, the chain which were paid, and rows with an unknown
 * outcome are never requested again from here, unless the register remembers for them.
 */
export function createDesk(deps: DeskDeps) {
  const { provider, api, terms, onChange, pollMs = 1_000, keepMs = 20_000, maxIdlePolls = 120 } = deps
  const ways = createWays(deps, { single: 1, batch: 10, register: payeesPerCall, ...deps.sizes })
  const reporter = createReporter({ provider, api, journal: deps.journal, pollMs })
  /** Rows whose first call may still be open: the register lets them be asked for once more. */
  const again = new Set<number>()
  /** Rows that were not handed out, or not taken by the chain, with the list in which they stood. */
  const passedOver = new Map<number, string>()
  /** How often this run has sent a row: one that comes back is sent once more, and not without end. */
  const sendings = new Map<number, number>()
  let isPausing = false
  let running: Promise<void> | undefined
  let nextNonce = 0
  let leaveWallet: ((why: 'unknown' | 'settled') => void) | undefined
  let state: DeskState = {
    ...{ phase: 'idle', path: undefined, asks: 'payment', left: 0, sent: 0, signatures: 0 },
    ...{ current: [], obstacles: [], problem: undefined, error: undefined, isPausing: false },
  }
  const set = (change: Partial<DeskState>): void => {
    state = { ...state, ...change }
    onChange(state)
  }
  const stop = (problem: DeskState['problem']): 'stopped' => {
    set({ phase: 'stopped', problem })
    return 'stopped'
  }

  async function work(): Promise<void> {
    set({ phase: 'working', problem: undefined, error: undefined, obstacles: [] })
    nextNonce = 0
    passedOver.clear()
    sendings.clear()
    await reporter.tellWhatIsKnown()
    for (let idle = 0, before = ''; ; ) {
      if (isPausing) return set({ phase: 'paused', isPausing: false })
      const open = await api.open()
      await followBundles(provider, api, terms.wallet)
      const now = JSON.stringify(open)
      const ready = open.filter((row) => mayBeAsked(row) && BigInt(row.units) > 0n)
      const next = ready.filter(
        ({ id }) => passedOver.get(id) !== now && (sendings.get(id) ?? 0) < mostSendings,
      )
      const underWay = open.filter(({ state }) => state === 'offered' || state === 'sent')
      set({ left: open.length })
      if (next.length === 0 && underWay.length === 0)
        return ready.length > 0 ? void stop('not-offered') : set({ phase: 'done' })
      idle = now === before ? idle + 1 : 0
      before = now
      if (idle > maxIdlePolls) return void stop('under-way')
      const went = next.length > 0 ? await payNext(next, now) : 'nothing'
      if (went === 'stopped') return
      if (went === 'nothing') {
        set({ phase: 'chain' })
        await pause(pollMs)
      }
    }
  }

  const mayBeAsked = (row: RefundRow) => isOfferable(row) || (again.has(row.id) && row.state === 'offered')

  async function payNext(ready: readonly RefundRow[], list: string): Promise<Step> {
    const facts = await preflight(provider, terms, { left: ready, path: ways.wanted() })
    set({ obstacles: facts.obstacles })
    if (facts.obstacles.length > 0) return stop(undefined)
    const path = await ways.choose(facts, ready.length)
    if (!path) return stop('no-register')
    if (path !== 'register' && facts.allowance > 0n) {
      const outcome = await takeBackAllowance(provider, terms)
      if (outcome.kind !== 'sent') return stop(outcome.kind)
    }
    const ids = ready.slice(0, ways.size(path)).map(({ id }) => id)
    const nonce = Math.max(nextNonce, await readNonce(provider, terms.wallet))
    const transactions = path === 'register' ? 2 : ids.length
    const kind = path === 'register' ? 'register' : 'transfers'
    const offer = await api
      .offer({ ids, wallet: terms.wallet, nonce, transactions, path: kind })
      .catch(unlessBusy)
    if (!offer) return 'nothing'
    const offered = new Set(offer.rows.map(({ id }) => id))
    for (const id of ids) if (!again.delete(id) && !offered.has(id)) passedOver.set(id, list)
    if (offer.rows.length === 0) return 'paid'
    const later = ready.filter(({ id }) => !offered.has(id) && passedOver.get(id) !== list)
    const doubt = goesElsewhere(offer.rows, ready)
      ? new Error('the rows go elsewhere than in the list')
      : path === 'register'
        ? doubtOf(offer.register, terms, offer.rows)
        : undefined
    if (doubt) {
      await reporter.report(notAsked(offer.rows))
      throw doubt
    }
    return ask(path, offer, nonce, unitsOf(later), list)
  }

  async function ask(
    path: SigningPath,
    offer: Offer,
    nonce: number,
    later: bigint,
    list: string,
  ): Promise<Step> {
    const { rows } = offer
    let isLeft = false
    const job = { provider, terms, rows, nonce, everyMs: pollMs, isLeft: () => isLeft }
    const request = async () => {
      if (path !== 'register') return deliver(path, job)
      if (!offer.register) return notAsked(rows)
      const onAsk = (asks: DeskState['asks']) => set({ asks })
      return deliverByRegister({
        ...{ ...job, offer: offer.register, canBatch: await ways.canBatch() },
        ...{ later, onAsk },
      })
    }
    set({ phase: 'wallet', path, current: rows, asks: 'payment' })
    const answering = kept(rows, request).then(async (done) => {
      if (done.nextNonce !== undefined) nextNonce = done.nextNonce
      for (const id of ways.learn(path, rows, done)) passedOver.set(id, list)
      const ids = await reporter.report(done)
      for (const id of ids) sendings.set(id, (sendings.get(id) ?? 0) + 1)
      set({ sent: state.sent + ids.length, signatures: state.signatures + done.signatures })
      // The answer that was missing has come after all.
      if (isLeft && state.problem === 'unknown') set({ problem: done.stop })
      return done.stop
    })
    answering.catch(no) // handled below, unless the wait was ended by `leave`
    const left = Promise.withResolvers<'unknown' | 'settled'>()
    leaveWallet = (why) => {
      isLeft = true
      left.resolve(why)
    }
    const end = await Promise.race([answering, left.promise])
    leaveWallet = undefined
    set({ phase: 'working', current: [] })
    return end === undefined || end === 'settled' ? 'paid' : stop(end)
  }

  /** Renews the claims of the rows while the wallet's answer is awaited. */
  async function kept<T>(rows: readonly ClaimedRow[], act: () => Promise<T>): Promise<T> {
    const claims = rows.map(claimOf)
    const timer = setInterval(() => {
      void readNonce(provider, terms.wallet)
        .then((nonce) => api.keep({ rows: claims, nonce }))
        .catch(no)
    }, keepMs)
    return act().finally(() => clearInterval(timer))
  }

  return {
    state: () => state,
    /**
     * Runs until all rows are done, an obstacle stops it, or it is paused. A second call joins the first. `unanswered`:
     * rows whose call through the register was never answered, to be asked for once more.
     */
    run: (unanswered: readonly number[] = []): Promise<void> => {
      isPausing = false
      for (const id of unanswered) again.add(id)
      set({ isPausing })
      running ??= work()
        .catch((error: unknown) => set({ phase: 'stopped', problem: 'failed', error, current: [] }))
        .finally(() => {
          running = undefined
        })
      return running
    },
    /** Stops before the next request; the current one is still awaited. */
    pause: (): void => {
      isPausing = true
      set({ isPausing })
    },
    /**
     * Stops waiting for the wallet's answer. `settled`: the rows are paid on chain, so the run goes on with
     * others; `unknown` stops it. A later answer of the wallet is still reported to the server, and nothing
     * more is asked of it for these rows.
     */
    leave: (why: 'unknown' | 'settled'): void => leaveWallet?.(why),
  }
}

const unitsOf = (rows: readonly { units: string }[]): bigint =>
  rows.reduce((sum, { units }) => sum + BigInt(units), 0n)
const pause = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms))
const no = () => false

/** While another transaction of the wallet is under way, no row is claimed until it is final. */
function unlessBusy(error: unknown): undefined {
  if ((error as { code?: unknown } | null)?.code !== 'TX_PENDING') throw error
}
