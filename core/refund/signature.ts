import { type Address, getAddress, type Hex, hashMessage, hashTypedData, recoverAddress } from 'viem'
import type { SignatureProof } from './rules.ts'

/** A payer's wish: this row's money to another address. `chainId` and `rowId` keep it from being used elsewhere. */
export type Readdress = { chainId: number; rowId: number; payer: Address; recipient: Address }

/** What a person signs with `personal_sign` (EIP-191), word by word. */
export const readdressMessage = ({ chainId, rowId, payer, recipient }: Readdress): string =>
  [
    'Blockdraw refund',
    '',
    `I paid from ${getAddress(payer)}.`,
    `Please send my refund to ${getAddress(recipient)} instead.`,
    '',
    `Refund: ${rowId}`,
    `Chain: ${chainId}`,
  ].join('\n')

/** The same wish as typed data (EIP-712), for wallets that show it field by field. */
export const readdressTypedData = ({ chainId, rowId, payer, recipient }: Readdress) =>
  ({
    domain: { name: 'Blockdraw refund', version: '1', chainId },
    types: {
      Readdress: [
        { name: 'refund', type: 'uint256' },
        { name: 'payer', type: 'address' },
        { name: 'recipient', type: 'address' },
      ],
    },
    primaryType: 'Readdress',
    message: { refund: BigInt(rowId), payer, recipient },
  }) as const

/** The two digests that a signature may be of. */
export const readdressDigests = (wish: Readdress): { proof: 'personal' | 'typed'; digest: Hex }[] => [
  { proof: 'personal', digest: hashMessage(readdressMessage(wish)) },
  { proof: 'typed', digest: hashTypedData(readdressTypedData(wish)) },
]

/** How the payer's own key signed it; undefined when it did not, which leaves a contract's answer. */
export async function recoverProof(wish: Readdress, signature: Hex): Promise<SignatureProof | undefined> {
  for (const { proof, digest } of readdressDigests(wish)) {
    const signer = await recoverAddress({ hash: digest, signature }).catch(() => undefined)
    if (signer?.toLowerCase() === wish.payer.toLowerCase()) return proof
  }
  return undefined
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
