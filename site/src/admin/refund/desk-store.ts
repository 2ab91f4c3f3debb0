import { atom, onMount } from 'nanostores'
import { isOfferable, type RefundRow } from '../../../../core/refund/rules.ts'
import { isSameAddress } from '../../wallet/same-address.ts'
import { api } from '../frame/api.ts'
import { Cancelled, errorText } from '../frame/error-text.ts'
import { latestOnly } from '../frame/latest.ts'
import { call } from '../frame/session.ts'
import { t } from '../language/t.ts'
import type { DeskAnswer, DeskScope, OwedRow } from './types.ts'

/** The scope on screen: one kind of refund of one event. Undefined until it is known. */
export const $scope = atom<DeskScope | undefined>()
export const $desk = atom<DeskAnswer | undefined>()
export const $deskTrouble = atom('')

const everyMs = 4_000

const isSame = (a: DeskScope | undefined, b: DeskScope) =>
  a?.kind === b.kind && a.eventNumber === b.eventNumber

export function openScope(scope: DeskScope): void {
  if (isSame($scope.get(), scope)) return
  $scope.set(scope)
  $desk.set(undefined)
  $deskTrouble.set('')
  void refreshDesk()
}

const begin = latestOnly()

/** Loads the rows of a scope, and shows them if it is the one on screen. Throws what the call throws. */
export async function loadDesk(scope: DeskScope): Promise<DeskAnswer> {
  const isLatest = begin()
  const query = { event: `${scope.eventNumber}`, kind: scope.kind }
  const answer = await call(() => api.refunds.get({ query }))
  if (isLatest() && isSame($scope.get(), scope)) {
    $desk.set(answer)
    $deskTrouble.set('')
  }
  return answer
}

/** As `loadDesk` for the scope on screen; an error is shown beside the last answer. */
export async function refreshDesk(): Promise<void> {
  const scope = $scope.get()
  if (!scope) return
  try {
    await loadDesk(scope)
  } catch (error) {
    if (!(error instanceof Cancelled) && isSame($scope.get(), scope))
      $deskTrouble.set(errorText(error, t('환불 상태를 불러오지 못했습니다.')))
  }
}

onMount($desk, () => {
  void refreshDesk()
  const again = () => {
    if (document.visibilityState === 'visible') void refreshDesk()
  }
  const timer = setInterval(again, everyMs)
  document.addEventListener('visibilitychange', again)
  return () => {
    clearInterval(timer)
    document.removeEventListener('visibilitychange', again)
  }
})

/** What this wallet pays of a row that waits: what it owes, and what another one never will. */
export const dueFrom = ({ dueBy }: Pick<OwedRow, 'dueBy'>, wallet: string): bigint =>
  dueBy.reduce(
    (sum, { units, isLeft, wallet: owner }) =>
      isLeft || isSameAddress(owner, wallet) ? sum + BigInt(units) : sum,
    0n,
  )

/** Rows that this wallet can sign next. */
export const readyRows = (rows: readonly OwedRow[], wallet: string): OwedRow[] =>
  rows.filter((row) => isOfferable(row) && dueFrom(row, wallet) > 0n)

/** The rows that concern a run of this wallet: those in its hands, and those that it can sign. `units` is what it sends. */
export const rowsFor = (rows: readonly OwedRow[], wallet: string): RefundRow[] =>
  rows.flatMap((row) => {
    const { id, to, amount, dueUnits, state, reason, transactionHash, offeredWallet } = row
    const isUnderWay = state === 'offered' || state === 'sent'
    const isOwn = isUnderWay ? isSameAddress(offeredWallet ?? wallet, wallet) : dueFrom(row, wallet) > 0n
    if (state === 'settled' || !isOwn) return []
    const units = isUnderWay ? dueUnits : `${dueFrom(row, wallet)}`
    return { id, to, amount, units, state, reason, transactionHash }
  })
