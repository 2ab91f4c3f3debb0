import { isOfferable, type RefundRow } from '../../../../../core/refund/rules.ts'
import type { Eip1193 } from '../../../wallet/eip1193.ts'
import { canBatch, findBatch } from './batch.ts'
import { type Delivery, deliver } from './deliver.ts'
import { addEntry, dropEntry, type Journal, type JournalEntry } from './journal.ts'
import { type Obstacle, preflight } from './preflight.ts'
import type { ClaimedRow, RefundApi, SigningPath, Terms } from './types.ts'
import { readNonce } from './wallet.ts'

export type DeskState = {
  /** `wallet`: its answer is awaited. `chain`: rows are under way and nothing else can be sent. */
  phase: 'idle' | 'working' | 'wallet' | 'chain' | 'paused' | 'stopped' | 'done'
  path: SigningPath | undefined
  /** `left`: open rows by the last answer of the server. `sent`: rows this run has sent. */
  left: number
  sent: number
  signatures: number
  /** The rows of the wallet's current request. */
  current: readonly ClaimedRow[]
  obstacles: readonly Obstacle[]
  /** `failed`: a call failed, see `error`. The others are outcomes of the wallet's request, not errors. */
  problem: 'rejected' | 'unknown' | 'under-way' | 'failed' | undefined
  error: unknown
  /** The run stops when the current request is answered. */
  isPausing: boolean
}

export type DeskDeps = {
  provider: Eip1193
  api: RefundApi
  terms: Terms
  journal: Journal
  onChange: (state: DeskState) => void
  /** Rows per request: as many as wallets accept, and as fit into a call of 12,000,000 gas. */
  sizes?: { batch: number; disperse: number }
  /** Replaces the best path. */
  path?: SigningPath
  pollMs?: number
  keepMs?: number
  /** Polls without any change after which the run stops and a person must look at the wallet. */
  patience?: number
}

/**
 * Pays the open rows of the refund desk, one wallet request after another. Safe to stop anywhere, also by a
 * reload: the server knows which rows were claimed, the chain which were paid, and rows with an unknown
 * outcome are never requested again from here.
 */
export function createDesk(deps: DeskDeps) {
  const { provider, api, terms, journal, onChange, pollMs = 1_000, keepMs = 20_000, patience = 120 } = deps
  const sizes = { single: 1, batch: 10, disperse: 300, ...deps.sizes }
  const impossible = new Set<SigningPath>()
  let isPausing = false
  let running: Promise<void> | undefined
  let nextNonce = 0
  let leaveWallet: ((why: 'unknown' | 'settled') => void) | undefined
  let state: DeskState = {
    ...{ phase: 'idle', path: undefined, left: 0, sent: 0, signatures: 0 },
    ...{ current: [], obstacles: [], problem: undefined, error: undefined, isPausing: false },
  }
  const set = (change: Partial<DeskState>): void => {
    state = { ...state, ...change }
    onChange(state)
  }

  async function work(): Promise<void> {
    set({ phase: 'working', problem: undefined, error: undefined, obstacles: [] })
    nextNonce = 0
    await tellWhatIsKnown()
    for (let idle = 0, before = ''; ; ) {
      if (isPausing) return set({ phase: 'paused', isPausing: false })
      const open = await api.open()
      const ready = open.filter((row) => isOfferable(row) && BigInt(row.units) > 0n)
      const underWay = open.filter(({ state }) => state === 'offered' || state === 'sent')
      set({ left: open.length })
      if (ready.length === 0 && underWay.length === 0) return set({ phase: 'done' })
      const now = JSON.stringify(open)
      idle = now === before ? idle + 1 : 0
      before = now
      if (idle > patience) return set({ phase: 'stopped', problem: 'under-way' })
      const went = ready.length > 0 ? await payNext(ready) : 'nothing'
      if (went === 'stopped') return
      if (went === 'nothing') {
        set({ phase: 'chain' })
        await pause(pollMs)
      }
    }
  }

  async function payNext(ready: readonly RefundRow[]): Promise<'paid' | 'nothing' | 'stopped'> {
    const { obstacles } = await preflight(provider, terms, ready)
    set({ obstacles })
    if (obstacles.length > 0) {
      set({ phase: 'stopped' })
      return 'stopped'
    }
    const path = await choosePath(ready.length)
    const ids = ready.slice(0, sizes[path]).map(({ id }) => id)
    const nonce = Math.max(nextNonce, await readNonce(provider, terms.wallet))
    const transactions = path === 'disperse' ? Math.min(3, ids.length + 2) : ids.length
    const rows = await api.offer({ ids, wallet: terms.wallet, nonce, transactions }).catch(unlessBusy)
    if (rows.length === 0) return 'nothing'
    set({ phase: 'wallet', path, current: rows })
    const request = () => deliver(path, { provider, terms, rows, nonce, everyMs: pollMs })
    const answering = kept(rows, request).then((done) => report(done, path))
    answering.catch(no) // handled below, unless the wait was ended by `leave`
    const left = Promise.withResolvers<'unknown' | 'settled'>()
    leaveWallet = left.resolve
    const end = await Promise.race([answering, left.promise])
    leaveWallet = undefined
    set({ phase: 'working', current: [] })
    if (end === undefined || end === 'settled') return 'paid'
    set({ phase: 'stopped', problem: end })
    return 'stopped'
  }

  async function choosePath(count: number): Promise<SigningPath> {
    if (deps.path && !impossible.has(deps.path)) return deps.path
    if (count === 1) return 'single'
    if (!impossible.has('batch') && (await canBatch(provider, terms.wallet, terms.chainId))) return 'batch'
    return terms.disperseAddress && !impossible.has('disperse') ? 'disperse' : 'single'
  }

  /** Reports the outcome to the server. What cannot be sent now stays in the journal until the next start. */
  async function report(done: Delivery, path: SigningPath): Promise<Delivery['stop']> {
    if (done.nextNonce !== undefined) nextNonce = done.nextNonce
    if (done.retry === 'other-path') impossible.add(path)
    if (done.retry === 'smaller') sizes[path] = Math.ceil(sizes[path] / 2)
    const { bundle, untouched } = done
    const handedIn: JournalEntry[] = [
      ...done.sent,
      ...(bundle ? [{ ids: bundle.ids, bundle: bundle.id }] : []),
    ]
    for (const entry of handedIn) addEntry(journal, entry)
    if (untouched.length > 0) addEntry(journal, { rejected: untouched.map(claimOf) })
    const count = handedIn.reduce((sum, entry) => sum + ('ids' in entry ? entry.ids.length : 0), 0)
    set({ sent: state.sent + count, signatures: state.signatures + done.signatures })
    await tellWhatIsKnown()
    return done.stop
  }

  async function tellWhatIsKnown(): Promise<void> {
    for (const entry of journal.read()) {
      if ('rejected' in entry) {
        if (await api.rejected(entry.rejected).then(yes, no)) dropEntry(journal, entry)
        continue
      }
      const hash = 'hash' in entry ? entry.hash : await findBatch(provider, entry.bundle, { everyMs: pollMs })
      const isReported = hash === undefined || (await api.sent(entry.ids, hash).then(yes, no))
      if (isReported) dropEntry(journal, entry)
    }
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
    /** Runs until all rows are done, an obstacle stops it, or it is paused. A second call joins the first. */
    run: (): Promise<void> => {
      isPausing = false
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
     * others; `unknown` stops it. A later answer of the wallet is still reported to the server.
     */
    leave: (why: 'unknown' | 'settled'): void => leaveWallet?.(why),
  }
}

const claimOf = ({ id, revision }: ClaimedRow) => ({ id, revision })

const pause = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms))
const yes = () => true
const no = () => false

/** While another transaction of the wallet is under way, no row is claimed until it is final. */
function unlessBusy(error: unknown): ClaimedRow[] {
  if ((error as { code?: unknown } | null)?.code === 'TX_PENDING') return []
  throw error
}
