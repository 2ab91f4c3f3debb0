import { atom } from 'nanostores'
import type { Hash } from 'viem'
import type { Acceptance } from '../../../core/house/rules.ts'
import type { PurchaseReport } from '../../../core/live/public.ts'
import type { PaymentReason, PaymentStatus } from '../../../core/payment/payment.ts'
import { $accepted, confirmed } from '../house/acceptance.ts'
import { passGate } from '../house/gate.ts'
import { serverNow } from '../live/clock.ts'
import { $config, $rules, $stats } from '../live/live.ts'
import { ApiError, getJson } from '../shell/api.ts'
import { purchasesKey, storage } from '../shell/storage.ts'
import { showToast, takeBackToast } from '../shell/toast.ts'
import { fill, t } from '../texts/index.ts'
import { bscId, isSameAddress, sendTransaction } from '../wallet/eip1193.ts'
import { isSwapped } from '../wallet/pinned.ts'
import { encodeTransfer, purchaseTotal, transferGas } from '../wallet/transfer.ts'
import { $wallet, toBsc, walletMessage, walletProvider } from '../wallet/wallet.ts'
import { claim, follow } from './follow.ts'
import { keepTerms } from './kept-terms.ts'

/** Unfinished, kept over reloads, named by `sentAt`, when the wallet was asked: its hash is null if none was told, another if replaced. */
export type Pending = {
  transactionHash: Hash | null
  walletAddress: string
  quantity: number
  /** Hundredths of a USDT. */
  amount: number
  accepted?: Acceptance | undefined
  sentAt: number
}

/** A hash that no node knows after this time was dropped, or replaced in the wallet. */
const forgetAfterMs = 7 * 86_400_000

export const pendingPurchases = (now = Date.now()): Pending[] =>
  (storage.read(purchasesKey, Array.isArray) ?? []).filter(
    (entry): entry is Pending => isPending(entry) && now - entry.sentAt < forgetAfterMs,
  )

/** In place of what was kept of it. Reads before it writes, since another tab may have bought in the meantime. */
export function rememberPurchase(purchase: Pending): void {
  storage.write(purchasesKey, [...others(purchase), purchase])
}

export function forgetPurchase(purchase: Pick<Pending, 'sentAt'>): void {
  const left = others(purchase)
  storage.write(purchasesKey, left.length > 0 ? left : undefined)
}

const others = ({ sentAt }: Pick<Pending, 'sentAt'>) =>
  pendingPurchases().filter((entry) => entry.sentAt !== sentAt)

function isPending(value: unknown): value is Pending {
  const entry = value as Partial<Pending> | null
  return (
    typeof entry === 'object' &&
    entry !== null &&
    (entry.transactionHash === null || /^0x[0-9a-f]{64}$/i.test(String(entry.transactionHash))) &&
    /^0x[0-9a-f]{40}$/i.test(String(entry.walletAddress)) &&
    Number.isSafeInteger(entry.quantity) &&
    Number.isSafeInteger(entry.amount) &&
    typeof entry.sentAt === 'number'
  )
}

/** A purchase as its card shows it. `sent`: the server has not reported a status yet. */
export type Purchase = Omit<Pending, 'transactionHash' | 'accepted'> & {
  /** Null while nobody knows whether the wallet has sent it. */
  hash: Hash | null
  /** Found on the chain under another hash than the wallet told. */
  isMoved: boolean
  status: PaymentStatus | 'sent'
  reason: PaymentReason | null
  ticketNumber: number | null
  ticketCount: number
  /** The server has seen its receipt; the block may not be final yet. */
  isInBlock: boolean
  /** The server cannot be reached at the moment. */
  isTroubled: boolean
}

export const $quantity = atom(1)
export const $approving = atom<{ quantity: number; amount: number; wallet: string } | undefined>()
/** Newest first. */
export const $purchases = atom<readonly Purchase[]>([])
/** From the press of the buy button until the server has the hash. */
export const $isBuying = atom(false)
/** The wallet has sent it, and the server does not have the hash yet. */
export const $isHanding = atom(false)

let leave: (() => void) | undefined
/** The buyer waits no longer for the wallet's answer, which may come all the same. */
export const stopWaiting = (): void => leave?.()

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
  const hasLeft = new Promise<undefined>((resolve) => {
    leave = () => resolve(undefined)
  })
  try {
    if (import.meta.env.PUBLIC_DEMO_RPC_URL)
      await (await import('../wallet/demo-wallet.ts')).assertLocalChain(provider)
    await toBsc()
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
    const sentAt = serverNow()
    const answer = sendTransaction(provider, transaction)
    const transactionHash = (await Promise.race([answer, hasLeft])) ?? null
    const pending: Pending = { walletAddress: address, transactionHash, quantity, amount, accepted, sentAt }
    rememberPurchase(pending)
    keepTerms(config)
    $approving.set(undefined)
    takeBackToast(t.buyToasts.progressTitle)
    if (transactionHash) $isHanding.set(true)
    else tellUnclear(pending, answer)
    await track(pending)
  } catch (error) {
    failed(t.buyToasts.failedTitle, walletMessage(error, name) ?? t.buyToasts.failedText)
  } finally {
    $approving.set(undefined)
    $isHanding.set(false)
    $isBuying.set(false)
  }
}

/** Neither sent nor refused. What the wallet tells later is taken: its hash, or that nothing was sent. */
function tellUnclear({ sentAt }: Pending, answer: Promise<Hash | undefined>): void {
  showToast(t.buyToasts.unclearTitle, t.buyToasts.unclearText)
  answer.then(
    (hash) => hash && patch(sentAt, { hash }),
    () => dropPurchase(sentAt),
  )
}

export function dropPurchase(sentAt: number): void {
  forgetPurchase({ sentAt })
  $purchases.set($purchases.get().filter((each) => each.sentAt !== sentAt))
}

export function resumePurchases(): void {
  const known = new Set($purchases.get().map(({ sentAt }) => sentAt))
  for (const pending of pendingPurchases()) if (!known.has(pending.sentAt)) void track(pending)
}

const purchaseOf = (sentAt: number) => $purchases.get().find((each) => each.sentAt === sentAt)

const patch = (sentAt: number, part: Partial<Purchase>): void =>
  $purchases.set($purchases.get().map((each) => (each.sentAt === sentAt ? { ...each, ...part } : each)))

/** Resolves when the server has the claim; following the payment goes on in the background. */
async function track(pending: Pending): Promise<void> {
  const { sentAt, transactionHash: hash, walletAddress, quantity, amount } = pending
  const fresh = {
    ...({ isMoved: false, status: 'sent', reason: null, ticketNumber: null, ticketCount: 0 } as const),
    ...{ isInBlock: false, isTroubled: false },
  }
  $purchases.set([{ sentAt, hash, walletAddress, quantity, amount, ...fresh }, ...$purchases.get()])
  const onTrouble = (isTroubled: boolean) => patch(sentAt, { isTroubled })
  try {
    if (hash) await claim({ ...pending, transactionHash: hash }, onTrouble)
  } catch (error) {
    const detail = error instanceof ApiError ? (error.detail ?? error.message) : undefined
    failed(t.buyToasts.purchaseFailed, detail ?? t.buyToasts.purchaseFailedText)
  }
  void follow(hash, {
    onReport: (report) => patch(sentAt, standing(report, walletAddress)),
    onTrouble,
    isOff: () => purchaseOf(sentAt) === undefined,
    find: () => findPayment(pending),
    onFound: (found) => {
      const named = { ...pending, transactionHash: found }
      patch(sentAt, { hash: found, isMoved: hash !== null })
      rememberPurchase(named)
      // Beside it: the server may know the payment already. Trouble is told by who follows it.
      claim(named, () => undefined).catch(() => undefined)
    },
  }).then((report) => {
    if (!report) return
    forgetPurchase(pending)
    if (report.status === 'credited') showToast(t.buyToasts.doneTitle, t.buyToasts.doneText, 'good')
    else failed(t.buyToasts.purchaseFailed, t.buyToasts.notCredited)
  })
}

/** A block's time may lie a little before the moment in which the wallet was asked. */
const earlierMs = 10_000

/** Under the hash that the wallet told at last, or by who has paid what and when. */
async function findPayment({ walletAddress, amount, sentAt }: Pending): Promise<Hash | undefined> {
  const told = purchaseOf(sentAt)?.hash
  const taken = $purchases.get().map(({ hash }) => hash)
  const { payments } = (await getJson(`/api/tickets/wallet/${walletAddress}`)).value
  const found = payments.findLast(
    (payment) =>
      payment.amount === amount &&
      Date.parse(payment.createdAt) >= sentAt - earlierMs &&
      !taken.includes(payment.transactionHash),
  )
  return found?.transactionHash ?? told ?? undefined
}

/** The buyer's own payment in a report; one transaction can hold payments of others too. */
function standing(report: PurchaseReport, walletAddress: string): Partial<Purchase> {
  const own = report.payments.find((p) => isSameAddress(p.walletAddress, walletAddress))
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
