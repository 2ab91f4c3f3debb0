import { type Address, getAddress } from 'viem'
import { mnemonicToAccount } from 'viem/accounts'
import { eventWalletMessage, isSignedByKey } from '../../core/event/wallet-proof.ts'
import { getOpenEvent } from '../../db/event/events.ts'
import { proveWallet } from '../../db/event/wallet-proofs.ts'
import { connect } from '../../db/index.ts'
import { type LocalChain, operatorAccount } from './chain.ts'

/** Everybody has it: it is anvil's default. */
const account = mnemonicToAccount('test test test test test test test test test test test junk')

/**
 * Account 0 of the chain on this machine signs for its event, as an administrator's wallet does in the dashboard: else the page of
 * a first start would say of what is held that nobody knows it. Asks for that very chain, as nowhere else that key shows anything.
 * Does nothing where the event has another wallet, or a proof; safe to run twice.
 */
export async function proveLocalWallet(
  { databaseUrl }: { databaseUrl: string },
  _chain: LocalChain,
): Promise<void> {
  const { db, close } = connect(databaseUrl, { max: 1, name: 'blockdraw start' })
  try {
    const event = await getOpenEvent(db)
    const wallet = event?.operatorWallet as Address | null | undefined
    if (!event || !wallet || event.walletProvenAt || getAddress(wallet) !== operatorAccount) return
    const message = eventWalletMessage(event.number, wallet)
    if (!(await isSignedByKey(wallet, message, await account.signMessage({ message })))) return
    await proveWallet(db, event.number, wallet)
  } finally {
    await close()
  }
}
