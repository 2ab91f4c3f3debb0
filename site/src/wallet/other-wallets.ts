import { t } from '../texts/index.ts'
import {
  $isDialogOpen,
  $wallet,
  connectFound,
  connectionFailed,
  otherWallet,
  stopConnecting,
} from './wallet.ts'

/** Wallets on other devices are offered if the build was given a Reown project. */
export const hasOtherWallets = Boolean(import.meta.env.PUBLIC_REOWN_PROJECT_ID)

/** Deadline for the QR code: without an answer AppKit itself would wait for ever. */
const deadlineMs = 12_000

/** Opens AppKit and connects the chosen wallet. Its window is not in the top layer, so ours closes first. */
export async function connectOther(): Promise<void> {
  // Read here again, so that a build without a project leaves out AppKit.
  if (!import.meta.env.PUBLIC_REOWN_PROJECT_ID || isAsking()) return
  stopConnecting()
  const stop = new AbortController()
  const timer = setTimeout(() => stop.abort(), deadlineMs)
  const late = new Promise<never>((_, reject) => {
    stop.signal.addEventListener('abort', () => reject(new Error('late')), { once: true })
  })
  $isDialogOpen.set(false)
  $wallet.set({ status: 'connecting', name: waitingName })
  try {
    const asked = import('./appkit.ts').then(({ askOtherWallet }) =>
      askOtherWallet({ signal: stop.signal, onCode: () => clearTimeout(timer) }),
    )
    const found = await Promise.race([asked, late])
    // The visitor may have stopped this wait, or chosen another wallet meanwhile.
    if (!isAsking()) return found?.provider.endSession?.()
    $wallet.set({ status: 'disconnected' })
    if (!found) return
    await connectFound(found.provider, found.name, otherWallet)
    if ($wallet.get().status !== 'connected') found.provider.endSession?.()
  } catch {
    if (!isAsking()) return
    $wallet.set({ status: 'disconnected' })
    $isDialogOpen.set(true)
    connectionFailed(t.wallet.otherLate)
  } finally {
    clearTimeout(timer)
  }
}

const waitingName = 'WalletConnect'
const isAsking = (): boolean => $wallet.get().status === 'connecting' && $wallet.get().name === waitingName
