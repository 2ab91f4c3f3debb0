import { atom } from 'nanostores'
import type { Hash } from 'viem'
import type { PurchaseReport } from '../../../core/live/public.ts'
import type { PaymentReason, PaymentStatus } from '../../../core/payment/payment.ts'
import { $accepted, confirmed } from '../house/acceptance.ts'
import { passGate } from '../house/gate.ts'
import { $config, $rules, $stats } from '../live/live.ts'
import { ApiError } from '../shell/api.ts'
import { showToast, takeBackToast } from '../shell/toast.ts'
import { fill } from '../texts/fill.ts'
import { t } from '../texts/index.ts'
import { bscId, ensureBsc } from '../wallet/eip1193.ts'
import { isSwapped } from '../wallet/pinned.ts'
import { encodeTransfer, purchaseTotal, transferGas } from '../wallet/transfer.ts'
import { $wallet, walletMessage, walletProvider } from '../wallet/wallet.ts'
import { claim, follow } from './follow.ts'
import { keepTerms } from './kept-terms.ts'
import { forgetPurchase, type Pending, pendingPurchases, rememberPurchase } from './pending.ts'

/** A purchase as its card shows it. `sent`: the server has not reported a status yet. */
export type Purchase = {
  hash: Hash
  walletAddress: string
  quantity: number
  /** Hundredths of a USDT. */
  amount: number
  status: PaymentStatus | 'sent'
  reason: PaymentReason | null
  ticketNumber: number | null
  ticketCount: number
  /** The server has seen its receipt; the block may not be final yet. */
  isInBlock: boolean
  /** The server cannot be reached at the moment. */
  isTroubled: boolean
}

/** The purchase that waits for the buyer's approval in the wallet. */
export const $approving = atom<{ quantity: number; amount: number; wallet: string } | undefined>()
/** Newest first. */
export const $purchases = atom<readonly Purchase[]>([])
/** From the press of the buy button until the server has the hash. */
export const $isBuying = atom(false)
/** The wallet has sent it, and the server does not have the hash yet. */
export const $isHanding = atom(false)

export async function buyTickets(quantity: number): Promise<void> {
  if ($isBuying.get() || !(await passGate()) || $isBuying.get()) return
  const rules = $rules.get()
  // Before the wallet is opened: rules that change meanwhile were not confirmed.
  const accepted = rules && confirmed(rules, $accepted.get())
  const { address, name = t.wallet.yours } = $wallet.get()
  const provider = walletProvider()
  const config = $config.get()
  const stats = $stats.get()
  // The wallet may take long, and what is told meanwhile may be another line.
  if (!provider || !address) return failed(t.buyToasts.walletTitle, t.buyToasts.walletText)
  if (!config?.operatorWallet || !stats) return failed(t.buyToasts.operatorTitle, t.buyToasts.operatorText)
  if (isSwapped(config)) return failed(t.buyToasts.purchaseFailed, t.buy.swapped)

  $isBuying.set(true)
  const { cents, units } = purchaseTotal(quantity, stats.ticketPrice)
  const amount = Number(cents)
  try {
    if (import.meta.env.PUBLIC_DEMO_RPC_URL)
      await (await import('../wallet/demo-wallet.ts')).assertLocalChain(provider)
    await ensureBsc(provider)
    showToast(t.buyToasts.progressTitle, fill(t.buyToasts.progressText, { wallet: name }))
    $approving.set({ quantity, amount, wallet: name })
    const transaction = {
      from: address,
      to: config.tokenAddress,
      data: encodeTransfer(config.operatorWallet, units),
      value: '0x0',
      gas: transferGas,
      chainId: `0x${bscId.toString(16)}`,
    }
    const hash = await provider.request({ method: 'eth_sendTransaction', params: [transaction] })
    if (typeof hash !== 'string' || !/^0x[0-9a-f]{64}$/i.test(hash))
      throw new Error('The wallet gave no hash.')
    const transactionHash = hash.toLowerCase() as Hash
    const pending: Pending = {
      walletAddress: address,
      transactionHash,
      quantity,
      amount,
      accepted,
      sentAt: Date.now(),
    }
    rememberPurchase(pending)
    keepTerms(config)
    $approving.set(undefined)
    takeBackToast(t.buyToasts.progressTitle)
    $isHanding.set(true)
    await track(pending)
  } catch (error) {
    failed(t.buyToasts.failedTitle, walletMessage(error, name) ?? t.buyToasts.failedText)
  } finally {
    $approving.set(undefined)
    $isHanding.set(false)
    $isBuying.set(false)
  }
}

/** Resumes purchases that an earlier visit left unfinished. */
export function resumePurchases(): void {
  const known = new Set($purchases.get().map(({ hash }) => hash))
  for (const pending of pendingPurchases()) if (!known.has(pending.transactionHash)) void track(pending)
}

/** Resolves when the server has the claim; following the payment goes on in the background. */
async function track(pending: Pending): Promise<void> {
  const hash = pending.transactionHash
  const patch = (part: Partial<Purchase>) =>
    $purchases.set($purchases.get().map((p) => (p.hash === hash ? { ...p, ...part } : p)))
  const { walletAddress, quantity, amount } = pending
  const fresh = {
    status: 'sent',
    reason: null,
    ticketNumber: null,
    ticketCount: 0,
    isInBlock: false,
    isTroubled: false,
  } as const
  $purchases.set([{ hash, walletAddress, quantity, amount, ...fresh }, ...$purchases.get()])
  const onTrouble = (isTroubled: boolean) => patch({ isTroubled })
  try {
    await claim(pending, onTrouble)
  } catch (error) {
    const detail = error instanceof ApiError ? (error.detail ?? error.message) : undefined
    failed(t.buyToasts.purchaseFailed, detail ?? t.buyToasts.purchaseFailedText)
  }
  void follow(pending, (report) => patch(standing(report, pending.walletAddress)), onTrouble).then(
    (report) => {
      forgetPurchase(hash)
      if (report?.status === 'credited') showToast(t.buyToasts.doneTitle, t.buyToasts.doneText, 'good')
      else failed(t.buyToasts.purchaseFailed, t.buyToasts.notCredited)
    },
  )
}

/** The buyer's own payment in a report; one transaction can hold payments of others too. */
function standing(report: PurchaseReport, walletAddress: string): Partial<Purchase> {
  const own = report.payments.find((p) => p.walletAddress.toLowerCase() === walletAddress.toLowerCase())
  const payment = own ?? report.payments[0]
  return {
    status: payment?.status ?? report.status,
    reason: payment?.reason ?? report.reason,
    ticketNumber: payment?.ticketNumber ?? null,
    ticketCount: payment?.ticketCount ?? 0,
    isInBlock: payment !== undefined,
  }
}

const failed = (title: string, text: string) => showToast(title, text, 'bad')
