import { atom } from 'nanostores'
import type { Address, Hash } from 'viem'
import { payeesPerCall } from '../../../../core/refund/register-calls.ts'
import { isOfferable } from '../../../../core/refund/rules.ts'
import type { Eip1193 } from '../../wallet/eip1193.ts'
import { isOtherMoney } from '../../wallet/pinned.ts'
import { api } from '../frame/api.ts'
import { Cancelled, Trouble } from '../frame/error-text.ts'
import { call, isRefusal } from '../frame/session.ts'
import { connectAs, switchToBsc } from '../frame/wallet.ts'
import { t } from '../language/t.ts'
import { $desk, $scope, loadDesk, refreshDesk, rowsFor } from './desk-store.ts'
import { canBatch } from './signing/batch.ts'
import { bundlesOf } from './signing/bundles.ts'
import { createDesk } from './signing/desk.ts'
import { browserJournal } from './signing/journal.ts'
import { type Preflight, preflight } from './signing/preflight.ts'
import { deployRegister, waive } from './signing/register.ts'
import type { DeskState } from './signing/state.ts'
import type { Outcome, RefundApi, SigningPath, Terms } from './signing/types.ts'
import { freeNonces, readNonce, takeBackAllowance } from './signing/wallet.ts'
import type { DeskScope, DeskSummary } from './types.ts'

/** The connected operator wallet, and what it holds and can do. */
export type Signer = {
  provider: Eip1193
  wallet: Address
  facts: Preflight | undefined
  canBatch: boolean
}
export type Run = DeskState & { scope: DeskScope }

export const $signer = atom<Signer | undefined>()
/** Kept outside the components, so that opening another tab does not stop the run. */
export const $run = atom<Run | undefined>()
export const $path = atom<SigningPath | undefined>()

export const isRunning = (run: Run | undefined): boolean =>
  run !== undefined && ['working', 'wallet', 'chain'].includes(run.phase)

let desk: ReturnType<typeof createDesk> | undefined
let stopListening: (() => void) | undefined

/** Connects the wallet with this exact account, on the right chain. Throws Trouble, Cancelled. */
export async function connectSigner(wanted: Address): Promise<void> {
  const summary = $desk.get()?.summary
  if (!summary) return
  expectOurMoney(summary)
  const { provider } = await connectAs(wanted)
  await switchToBsc(provider)
  desk = undefined
  $signer.set({ provider, wallet: wanted, facts: undefined, canBatch: false })
  stopListening?.()
  const changed = () => void refreshSigner()
  for (const event of ['accountsChanged', 'chainChanged']) provider.on?.(event, changed)
  stopListening = () => {
    for (const event of ['accountsChanged', 'chainChanged']) provider.removeListener?.(event, changed)
  }
  await refreshSigner()
}

export const switchSigner = async (): Promise<void> => {
  const signer = $signer.get()
  if (signer) await switchToBsc(signer.provider)
  await refreshSigner()
}

/** Throws Trouble where the server names another token or chain than this page was built for: nothing is signed then. */
export function expectOurMoney({ token, chainId }: DeskSummary): void {
  if (isOtherMoney({ tokenAddress: token, chainId }))
    throw new Trouble(t('서버가 이 페이지와 다른 토큰이나 체인을 알려주었습니다. 서명하지 마세요.'))
}

const termsOf = ({ chainId, token }: DeskSummary, wallet: Address): Terms => ({ chainId, token, wallet })

/** Reads balances and capabilities again; if the wallet does not answer, the known balances stay. */
export async function refreshSigner(): Promise<void> {
  const signer = $signer.get()
  const answer = $desk.get()
  if (!signer || !answer) return
  const { provider, wallet } = signer
  const terms = termsOf(answer.summary, wallet)
  const left = rowsFor(answer.rows, wallet).filter(isOfferable)
  const [facts, batches] = await Promise.all([
    preflight(provider, terms, { left, path: $path.get() }).catch(() => signer.facts),
    canBatch(provider, wallet, terms.chainId),
  ])
  if ($signer.get()?.provider === provider) $signer.set({ provider, wallet, facts, canBatch: batches })
}

/**
 * Starts, or resumes after a pause, a stop or a reload: the server and the chain know what is left. `unanswered`: rows
 * whose call through the register got no answer, to be asked for once more.
 */
export function startSigning(unanswered: readonly number[] = []): void {
  const signer = $signer.get()
  const scope = $scope.get()
  const summary = $desk.get()?.summary
  if (!signer || !scope || !summary || isRunning($run.get())) return
  // What was shown is what is done: without the register the run stops and asks.
  const path = $path.get() ?? (signer.facts?.register === 'ready' ? 'register' : undefined)
  const own = createDesk({
    provider: signer.provider,
    api: apiOf(scope, signer.wallet),
    terms: termsOf(summary, signer.wallet),
    journal: browserJournal,
    ...(path && { path }),
    onChange: (state) => {
      // A run that has stopped waiting may still hear from its wallet, which says nothing of the one after it.
      if (desk === own) $run.set({ ...state, scope })
    },
  })
  desk = own
  void own.run(unanswered).finally(async () => {
    // What is left to send is compared with a balance from which this run is paid already.
    await refreshDesk()
    await refreshSigner()
  })
}

export const pauseSigning = (): void => desk?.pause()
export const leaveWallet = (): void => desk?.leave('unknown')

/** A wallet that never answers does not block the run once its rows are paid on chain. */
$desk.listen((answer) => {
  const run = $run.get()
  if (!answer || run?.phase !== 'wallet' || run.current.length === 0) return
  const states = new Map(answer.rows.map(({ id, state }) => [id, state]))
  if (run.current.every(({ id }) => states.get(id) === 'settled')) desk?.leave('settled')
})

/** Uses up the wallet's nonces to `bound` with empty transactions. Returns how many were sent. */
export async function spendNonces(bound: number): Promise<number> {
  const signer = $signer.get()
  if (!signer) return 0
  const sent = await freeNonces(signer.provider, signer.wallet, bound)
  if (sent === 0 && (await readNonce(signer.provider, signer.wallet)) <= bound) throw new Cancelled()
  return sent
}

/** Puts the register on chain, where its code is missing. */
export const putRegister = (): Promise<void> =>
  signed(async ({ provider, wallet }) => {
    const outcome = await deployRegister(provider, wallet)
    if (outcome === 'ready') return { kind: 'done' }
    if (typeof outcome === 'object') return outcome
    throw new Trouble(t('환불 컨트랙트를 올리지 못했습니다. 지갑의 거래 기록을 확인하세요.'))
  })

/** Takes back what the register may still take of the wallet. */
export const revokeAllowance = (): Promise<void> =>
  signed(({ provider }, terms) => takeBackAllowance(provider, terms))

/**
 * Says on chain that this wallet pays nothing more of what it owes, once `agrees` to the number of debtors. Answers how
 * many there were; 0 if nothing was sent.
 */
export async function waiveBy(
  wallet: Address,
  agrees: (debtors: number) => Promise<boolean>,
): Promise<number> {
  const waivers = await call(() => api.refunds.waivable.get({ query: { wallet } }))
  const count = waivers.reduce((sum, { debtors }) => sum + debtors.length, 0)
  if (count === 0) throw new Trouble(t('이 지갑이 넘길 환불이 없습니다.'))
  if ($signer.get()?.facts?.register !== 'ready')
    throw new Trouble(t('환불 컨트랙트를 확인할 수 없어 넘기지 못합니다.'))
  if (!(await agrees(count))) return 0
  for (const { token, debtors } of waivers)
    for (let from = 0; from < debtors.length; from += payeesPerCall)
      await signed(({ provider }) =>
        waive(provider, { wallet, token, debtors: debtors.slice(from, from + payeesPerCall) }),
      )
  return count
}

/** One signature of the connected wallet beside a run. Throws Cancelled, Trouble. */
async function signed(
  act: (signer: Signer, terms: Terms) => Promise<Outcome | { kind: 'done' }>,
): Promise<void> {
  const signer = $signer.get()
  const summary = $desk.get()?.summary
  if (!signer || !summary) return
  expectOurMoney(summary)
  const { kind } = await act(signer, termsOf(summary, signer.wallet))
  await refreshSigner()
  if (kind === 'rejected') throw new Cancelled()
  if (kind === 'unknown') throw new Trouble(t('지갑의 답을 받지 못했습니다. 지갑의 기록을 확인하세요.'))
}

/** What this page was last handed of each row: a hash that it reports answers that and nothing later. */
const handed = new Map<number, number>()

const apiOf = (scope: DeskScope, wallet: Address): RefundApi => ({
  // Before each request to the wallet.
  open: async () => {
    const { summary, rows } = await loadDesk(scope)
    expectOurMoney(summary)
    return rowsFor(rows, wallet)
  },
  offer: async (body) => {
    const answer = await call(() => api.refunds.offer.post(body))
    for (const { id, revision } of answer.rows) handed.set(id, revision)
    return answer
  },
  keep: async (body) => void (await call(() => api.refunds.keep.post(body))),
  sent: async (ids: number[], transactionHash: Hash) => {
    const claims = ids.flatMap((id) => {
      const revision = handed.get(id)
      return revision === undefined ? [] : { id, revision }
    })
    const report = { ids, transactionHash, ...(claims.length > 0 && { claims }) }
    await call(() => api.refunds.sent.post(report)).catch((error) => {
      // The rows are out anew, and what this page knows of them says nothing of that.
      if (!isRefusal(error, 'VERSION_CONFLICT')) throw error
    })
  },
  bundled: async (ids, bundle) => void (await call(() => api.refunds.sent.post({ ids, bundle }))),
  bundles: async (wallet) => bundlesOf((await loadDesk(scope)).rows, wallet),
  rejected: async (rows) => void (await call(() => api.refunds.rejected.post({ rows }))),
})
