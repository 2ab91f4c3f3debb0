import { type Address, getAddress, type Hex, recoverMessageAddress } from 'viem'

/** What an event's operator wallet signs, word by word: somebody can move the money that is paid there. */
export const eventWalletMessage = (eventNumber: number, wallet: Address | null): string =>
  `Blockdraw event ${eventNumber}: I hold the key of ${wallet && getAddress(wallet)}, to which tickets are paid.`

/** What a wallet signs that is to pay refunds only. The event keeps an old signature from being used again. */
export const refundWalletMessage = (eventNumber: number, wallet: Address): string =>
  `Blockdraw event ${eventNumber}: I hold the key of ${getAddress(wallet)}, which will pay refunds.`

/** True for a signature of the text (EIP-191) by the wallet's own key; a contract's is judged by the contract. */
export async function isSignedByKey(wallet: Address, message: string, signature: Hex): Promise<boolean> {
  const signer = await recoverMessageAddress({ message, signature }).catch(() => undefined)
  return signer?.toLowerCase() === wallet.toLowerCase()
}
