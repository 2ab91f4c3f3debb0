import doneIcon from 'lucide-static/icons/check.svg?raw'
import clockIcon from 'lucide-static/icons/clock.svg?raw'
import sentIcon from 'lucide-static/icons/loader-circle.svg?raw'
import heldIcon from 'lucide-static/icons/pause.svg?raw'
import surplusIcon from 'lucide-static/icons/triangle-alert.svg?raw'
import { atom } from 'nanostores'
import type { Address } from 'viem'
import { usdtOf } from '../../../../core/money.ts'
import type { RefundCause, RefundHold, RefundState } from '../../../../core/refund/rules.ts'
import { type SafeFile, safeFileSeconds, safeFiles } from '../../../../core/refund/safe-file.ts'
import { $config } from '../../live/live.ts'
import type { Answer } from '../../shell/answers.ts'
import { showToast } from '../../shell/toast.ts'
import { type Eip1193, isSameAddress } from '../../wallet/eip1193.ts'
import { isOtherMoney } from '../../wallet/pinned.ts'
import { t } from '../language/t.ts'
import { $event } from '../session/config.ts'
import { api, call, isRefusal } from '../session/session.ts'
import type { Tone } from '../ui/card.tsx'
import { Cancelled, errorText, Trouble } from '../ui/error-text.ts'
import { createPay, type Line, type PayState, reasonOf, type Stop, type Terms } from './pay.ts'

export type RefundSummary = Answer<'get', '/api/admin/refunds/summary'>
export type RefundRow = Answer<'get', '/api/admin/refunds'>[number]
export type PayerFacts = Answer<'get', '/api/admin/refunds/:payer'>

/** The event that table and signing are about; undefined for all of them. */
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

/** Nothing more is asked of the wallet, whatever it may still answer. */
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

export const holdTexts: Record<RefundHold, readonly [word: string, text: string]> = {
  manual: [t('관리자'), t('관리자가 보류했습니다. 해제하면 보냅니다.')],
  contract: [
    t('컨트랙트'),
    t('결제한 주소가 컨트랙트입니다. 보낸 돈이 구매자에게 닿지 않을 수 있어, 구매자와 확인한 뒤 해제하세요.'),
  ],
  exchange: [
    t('거래소'),
    t('거래소의 출금 주소로 알려져 있습니다. 이 주소로 보내면 구매자가 아니라 거래소가 받습니다.'),
  ],
  stolen: [
    t('도난 지갑으로 입금'),
    t(
      '도난 신고한 지갑에 그 뒤 들어온 돈입니다. 훔친 사람이 자기 돈을 보내고 돌려받으려는 것일 수 있습니다. 구매자가 확인되면 해제하세요.',
    ),
  ],
  dust: [t('소액'), t('최소 환불액보다 적어 따로 두었습니다. 해제하면 함께 보냅니다.')],
  unchecked: [t('주소 확인 중'), t('결제한 주소가 컨트랙트인지 체인에 묻고 있습니다.')],
  transfer: [
    t('구분할 전송'),
    t('운영자 지갑에서 이 주소로 직접 보낸 전송이 있습니다. 아래에서 환불이었는지 정하면 보류가 풀립니다.'),
  ],
}

export const causeTexts: Record<RefundCause, string> = {
  minimum: t('최소 수량에 미치지 못했습니다.'),
  overdue: t('정해진 기한까지 추첨 결과가 나오지 않았습니다.'),
  beacon_lost: t('추첨에 쓸 공개 난수가 기한까지 나오지 않았습니다.'),
  stopped: t('운영자가 판매를 중지했습니다.'),
  ledger: t('티켓 명단이 추첨 시각 전에 고정된 명단과 다릅니다.'),
}

const phaseWords: Record<Exclude<PayState['phase'], 'stopped'>, string> = {
  reading: t('서버와 체인에 다시 묻고 있습니다.'),
  approve: t('먼저 보낼 합계만큼만 환불 컨트랙트에 허용합니다. 지갑에서 승인하세요.'),
  call: t('지갑에서 승인하세요. 답이 없어도 체인에서 지급이 보이면 이어집니다.'),
  chain: t('보낸 거래가 블록에 들어가기를 기다립니다.'),
  done: t('보낼 수 있는 환불을 모두 보냈습니다. 확정되면 완료됩니다.'),
}
const stopWords: Partial<Record<Stop, string>> = {
  usdt: t('지갑의 USDT가 보낼 금액보다 적습니다. 채우거나 이벤트를 골라 나누어 보내세요.'),
  bnb: t('수수료로 쓸 BNB가 모자랍니다.'),
  allowance: t('지갑에서 허용한 금액이 보낼 금액보다 적습니다.'),
  reverted: t('거래가 체인에서 실패했습니다. 돈은 움직이지 않았습니다.'),
}

export function wordOf({ phase, stop, error }: PayState): string {
  if (phase !== 'stopped') return phaseWords[phase]
  if (stop === 'wallet') return t('지갑이 오류를 답했습니다 ({reason}).', { reason: reasonOf(error) })
  if (stop === 'failed' && !(error instanceof Cancelled))
    return errorText(error, t('지갑의 노드가 답하지 않습니다.'))
  return (stop && stopWords[stop]) ?? t('멈췄습니다. 이어서 하면 남은 것만 보냅니다.')
}
