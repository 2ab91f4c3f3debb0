import { atom } from 'nanostores'
import type { Address, Hash } from 'viem'
import { $config } from '../../live/live.ts'
import type { Eip1193 } from '../../wallet/eip1193.ts'
import { isSwapped } from '../../wallet/pinned.ts'
import { api } from '../frame/api.ts'
import { Cancelled, Trouble } from '../frame/error-text.ts'
import { call } from '../frame/session.ts'
import { connectAs, switchToBsc } from '../frame/wallet.ts'
import { $desk, $scope, loadDesk, readyRows, refreshDesk, toSend } from './desk-store.ts'
import { canBatch } from './signing/batch.ts'
import { createDesk, type DeskState } from './signing/desk.ts'
import { approve } from './signing/disperse.ts'
import { browserJournal } from './signing/journal.ts'
import { type Preflight, preflight } from './signing/preflight.ts'
import type { RefundApi, SigningPath, Terms } from './signing/types.ts'
import { freeNonces, readAllowance, readNonce } from './signing/wallet.ts'
import type { DeskScope, DeskSummary } from './types.ts'

/** The connected operator wallet, and what it holds and can do. */
export type Signer = {
  provider: Eip1193
  wallet: Address
  facts: Preflight | undefined
  canBatch: boolean
  /** Units that the disperse contract may still take. */
  allowance: bigint
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
  const config = $config.get()
  const summary = $desk.get()?.summary
  if (!config || !summary) return
  if (isSwapped({ ...config, operatorWallet: wanted, tokenAddress: summary.token, chainId: summary.chainId }))
    throw new Trouble('서버가 이 페이지와 다른 토큰이나 지갑을 알려주었습니다. 서명하지 마세요.')
  const { provider } = await connectAs(wanted)
  await switchToBsc(provider)
  desk = undefined
  $signer.set({ provider, wallet: wanted, facts: undefined, canBatch: false, allowance: 0n })
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

const termsOf = ({ chainId, token, disperseAddress }: DeskSummary, wallet: Address): Terms => ({
  ...{ chainId, token, wallet, disperseAddress },
})

/** Reads balances and capabilities again; if the wallet does not answer, the known balances stay. */
export async function refreshSigner(): Promise<void> {
  const signer = $signer.get()
  const answer = $desk.get()
  if (!signer || !answer) return
  const { provider, wallet } = signer
  const terms = termsOf(answer.summary, wallet)
  const left = readyRows(answer.rows).map(toSend)
  const contract = terms.disperseAddress
  const [facts, batches, allowance] = await Promise.all([
    preflight(provider, terms, left).catch(() => signer.facts),
    canBatch(provider, wallet, terms.chainId),
    contract ? readAllowance(provider, terms.token, wallet, contract).catch(() => 0n) : 0n,
  ])
  if ($signer.get()?.provider === provider)
    $signer.set({ provider, wallet, facts, canBatch: batches, allowance })
}

/** Starts, or resumes after a pause, a stop or a reload: the server and the chain know what is left. */
export function startSigning(): void {
  const signer = $signer.get()
  const scope = $scope.get()
  const summary = $desk.get()?.summary
  if (!signer || !scope || !summary || isRunning($run.get())) return
  const path = $path.get()
  desk = createDesk({
    provider: signer.provider,
    api: apiOf(scope),
    terms: termsOf(summary, signer.wallet),
    journal: browserJournal,
    ...(path && { path }),
    onChange: (state) => $run.set({ ...state, scope }),
  })
  void desk.run().finally(() => {
    void refreshDesk()
    void refreshSigner()
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

/** Revokes the allowance of a disperse contract whose call was never sent. */
export async function takeBackAllowance(contract: Address): Promise<void> {
  const signer = $signer.get()
  const summary = $desk.get()?.summary
  if (!signer || !summary) return
  const { provider, wallet } = signer
  const nonce = await readNonce(provider, wallet)
  const outcome = await approve(provider, { wallet, token: summary.token, contract, nonce, units: 0n })
  if (outcome.kind === 'rejected') throw new Cancelled()
  if (outcome.kind !== 'sent') throw new Trouble('지갑의 답을 받지 못했습니다. 지갑의 기록을 확인하세요.')
  await refreshSigner()
}

const apiOf = (scope: DeskScope): RefundApi => ({
  open: async () => (await loadDesk(scope)).rows.filter(({ state }) => state !== 'settled').map(toSend),
  offer: async (body) => (await call(() => api.refunds.offer.post(body))).rows,
  keep: async (body) => void (await call(() => api.refunds.keep.post(body))),
  sent: async (ids: number[], transactionHash: Hash) =>
    void (await call(() => api.refunds.sent.post({ ids, transactionHash }))),
  rejected: async (rows) => void (await call(() => api.refunds.rejected.post({ rows }))),
})
