import doneIcon from 'lucide-static/icons/check.svg?raw'
import clockIcon from 'lucide-static/icons/clock.svg?raw'
import sentIcon from 'lucide-static/icons/loader-circle.svg?raw'
import heldIcon from 'lucide-static/icons/pause.svg?raw'
import surplusIcon from 'lucide-static/icons/triangle-alert.svg?raw'
import { atom } from 'nanostores'
import type { Address } from 'viem'
import { usdtOf } from '../../../../core/money.ts'
import type { RefundState } from '../../../../core/refund/rules.ts'
import { type SafeFile, safeFileSeconds, safeFiles } from '../../../../core/refund/safe-file.ts'
import { $config } from '../../live/live.ts'
import type { Answer } from '../../shell/answers.ts'
import { showToast } from '../../shell/toast.ts'
import { type Eip1193, isSameAddress } from '../../wallet/eip1193.ts'
import { isOtherMoney } from '../../wallet/pinned.ts'
import { t, words } from '../language/t.ts'
import { $event } from '../session/config.ts'
import { api, call, isRefusal } from '../session/session.ts'
import type { Tone } from '../ui/card.tsx'
import { Cancelled, errorText, Trouble } from '../ui/error-text.ts'
import { createPay, type Line, type PayState, reasonOf, type Stop, type Terms } from './pay.ts'

export type RefundSummary = Answer<'get', '/api/admin/refunds/summary'>
export type RefundRow = Answer<'get', '/api/admin/refunds'>[number]
export type PayerFacts = Answer<'get', '/api/admin/refunds/:payer'>

export const $scope = atom<number | undefined>()
export const $signer = atom<{ provider: Eip1193; wallet: Address } | undefined>()
/** Outside the components: another tab of the dashboard does not stop it. */
export const $run = atom<PayState | undefined>()

export const isRunning = (run: PayState | undefined): boolean =>
  run !== undefined && run.phase !== 'stopped' && run.phase !== 'done'

/** What is signed with; throws Trouble where the server names another token or chain than this page was built for. */
function termsOf({ book, token, chainId, operatorWallet }: RefundSummary): Terms {
  if (isOtherMoney({ tokenAddress: token, chainId }))
    throw new Trouble(t('서버가 이 페이지와 다른 토큰이나 체인을 알려주었습니다. 서명하지 마세요.'))
  if (!book) throw new Trouble(t('운영자 지갑이 설정되지 않았습니다.'))
  const own = $config.get()?.formerWallets ?? []
  return { book, token, chainId, wallets: operatorWallet ? [operatorWallet, ...own] : own }
}

async function askLines(eventNumber: number | undefined): Promise<Line[]> {
  const ask = async () => {
    const { events } = await call(() => api.refunds.summary.get())
    const named = eventNumber ?? $event.get()?.eventNumber
    const known = events.find((event) => event.eventNumber === named)
    const refundInfo = known?.refundInfo ?? { totalTickets: 0, totalAmount: 0 }
    const body = { refundInfo, ...(eventNumber && { eventNumber }) }
    return (await call(() => api.raffle['execute-refund'].post(body))).refundTransactions
  }
  // A payment may come in between the two calls.
  for (let tries = 1; ; tries++)
    try {
      return await ask()
    } catch (error) {
      if (tries === 5 || !isRefusal(error, 'REFUND_TOTALS_CHANGED')) throw error
    }
}

let leave = (): void => undefined
const everyMs = 1_000

/** Shown by the card, and told on any tab where something else than its user has stopped it. @internal */
export function showRun(run: PayState): void {
  $run.set(run)
  const isOwn = run.stop === 'left' || run.stop === 'refused' || run.error instanceof Cancelled
  if (run.phase === 'stopped' && !isOwn)
    showToast(t('지갑 환불을 실행하는 중 오류가 발생했습니다'), wordOf(run), 'bad')
}

/** Begins, or goes on after a stop or a reload: server and chain know what is left. */
export function startPaying(summary: RefundSummary, perCall: number): void {
  const signer = $signer.get()
  if (!signer || isRunning($run.get())) return
  const eventNumber = $scope.get()
  const pay = createPay({
    ...{ ...signer, perCall, terms: termsOf(summary), onChange: showRun },
    lines: () => askLines(eventNumber),
    report: (transactionHash, payers) => call(() => api.refunds.sent.post({ transactionHash, payers })),
    pause: () => new Promise((resolve) => setTimeout(resolve, everyMs)),
  })
  leave = pay.leave
  void pay.run()
}

export const stopPaying = (): void => leave()

/** What the owners of a Safe sign, in any order; a second time, or after a week, it pays nothing. */
export async function filesForSafe(summary: RefundSummary, safe: Address): Promise<SafeFile[]> {
  const { book, token, chainId } = termsOf(summary)
  const lines = await askLines($scope.get())
  const createdAt = Date.now()
  return safeFiles({
    ...{ chainId, wallet: safe, createdAt, book, token },
    validUntil: Math.floor(createdAt / 1000) + safeFileSeconds,
    debtors: lines
      .filter(({ to }) => !isSameAddress(to, safe))
      .map(({ to, units, total }) => ({ debtor: to, total: BigInt(total), due: BigInt(units) })),
  })
}

/** Units with two decimals, or all of them where two would make nothing of something. */
export function money(units: bigint | string): string {
  const text = usdtOf(units)
  return `${BigInt(units) < 0n ? '−' : ''}${text}${text.includes('.') ? '' : '.00'}`
}

export const stateTexts: Record<RefundState, { tone: Tone; icon: string; word: string }> = {
  due: { tone: 'plain', icon: clockIcon, word: t('예정') },
  sent: { tone: 'wait', icon: sentIcon, word: t('전송됨') },
  held: { tone: 'held', icon: heldIcon, word: t('보류') },
  settled: { tone: 'ok', icon: doneIcon, word: t('완료') },
  surplus: { tone: 'bad', icon: surplusIcon, word: t('초과 지급') },
}

const stopWords: Partial<Record<Stop, string>> = words.payStops

export function wordOf({ phase, stop, error }: PayState): string {
  if (phase !== 'stopped') return words.payPhases[phase]
  if (stop === 'wallet') return t('지갑이 오류를 답했습니다 ({reason}).', { reason: reasonOf(error) })
  if (stop === 'failed' && !(error instanceof Cancelled))
    return errorText(error, t('지갑의 노드가 답하지 않습니다.'))
  return (stop && stopWords[stop]) ?? t('멈췄습니다. 이어서 하면 남은 것만 보냅니다.')
}
