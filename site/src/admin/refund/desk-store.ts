import { atom, onMount } from 'nanostores'
import { isOfferable, type RefundRow } from '../../../../core/refund/rules.ts'
import { api } from '../frame/api.ts'
import { Cancelled, errorText } from '../frame/error-text.ts'
import { latestOnly } from '../frame/latest.ts'
import { call } from '../frame/session.ts'
import type { DeskAnswer, DeskRow, DeskScope } from './types.ts'

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
      $deskTrouble.set(errorText(error, '환불 상태를 불러오지 못했습니다.'))
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

/** A row for signing, whose `units` are the amount still to be sent. */
export const toSend = ({ id, to, amount, dueUnits, state, reason, transactionHash }: DeskRow): RefundRow => ({
  ...{ id, to, amount, units: dueUnits, state, reason, transactionHash },
})

/** Rows that can be signed next. */
export const readyRows = (rows: readonly DeskRow[]): DeskRow[] =>
  rows.filter((row) => isOfferable(row) && BigInt(row.dueUnits) > 0n)
