import { type Address, encodeFunctionData, getAddress, type Hex, parseAbi, recoverMessageAddress } from 'viem'

/** What an event's operator wallet signs, word by word: somebody can move the money that is paid there. */
export const eventWalletMessage = (eventNumber: number, wallet: Address | null): string =>
  `Blockdraw event ${eventNumber}: I hold the key of ${wallet && getAddress(wallet)}, to which tickets are paid.`

/** True for a signature of the text (EIP-191) by the wallet's own key; a contract's is judged by the contract. */
export async function isSignedByKey(wallet: Address, message: string, signature: Hex): Promise<boolean> {
  const signer = await recoverMessageAddress({ message, signature }).catch(() => undefined)
  return signer?.toLowerCase() === wallet.toLowerCase()
}

const abi = parseAbi(['function isValidSignature(bytes32 digest, bytes signature) view returns (bytes4)'])

/** Calldata of ERC-1271's `isValidSignature(bytes32,bytes)`. */
export const encodeIsValidSignature = (digest: Hex, signature: Hex): Hex =>
  encodeFunctionData({ abi, args: [digest, signature] })

/** True for the magic value that a contract answers when the signature is its own. */
export const isMagicValue = (answer: Hex): boolean => answer.toLowerCase() === `0x1626ba7e${'0'.repeat(56)}`
