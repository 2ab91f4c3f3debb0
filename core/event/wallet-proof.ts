import { type Address, getAddress, type Hex, recoverMessageAddress } from 'viem'

/** What an event's operator wallet signs, word by word: somebody can move the money that is paid there. */
export const eventWalletMessage = (eventNumber: number, wallet: Address | null): string =>
  `Blockdraw event ${eventNumber}: I hold the key of ${wallet && getAddress(wallet)}, to which tickets are paid.`

/** True for a signature of the text (EIP-191) by the wallet's own key; a contract's is judged by the contract. */
export async function isSignedByKey(wallet: Address, message: string, signature: Hex): Promise<boolean> {
  const signer = await recoverMessageAddress({ message, signature }).catch(() => undefined)
  return signer?.toLowerCase() === wallet.toLowerCase()
}

const isValidSignature = '1626ba7e'

/** Calldata of ERC-1271's `isValidSignature(bytes32,bytes)`. */
export function encodeIsValidSignature(digest: Hex, signature: Hex): Hex {
  const bytes = signature.slice(2)
  const word = (value: number) => value.toString(16).padStart(64, '0')
  const padded = bytes.padEnd(Math.ceil(bytes.length / 64) * 64, '0')
  return `0x${isValidSignature}${digest.slice(2)}${word(64)}${word(bytes.length / 2)}${padded}`
}

/** True for the magic value that a contract answers when the signature is its own. */
export const isMagicValue = (answer: Hex): boolean =>
  answer.length === 66 &&
  answer.toLowerCase().startsWith(`0x${isValidSignature}`) &&
  /^0{56}$/.test(answer.slice(10))
