import { type Address, getAddress, type Hex, isAddress, isHex } from 'viem'
import { RaffleError } from '../../core/errors.ts'
import { refundWalletMessage } from '../../core/event/wallet-proof.ts'
import { mustHaveEvent } from '../../db/event/events.ts'
import { expectWalletProof } from '../../db/event/wallet-proofs.ts'
import type { Db } from '../../db/index.ts'
import { registerRefundWallet, whenRead } from '../../db/refund/refund-wallets.ts'

/** `add ADDRESS`, and `--signature` with the wallet's answer. */
export const isRefundWalletCall = ([verb, wallet, option, signature, ...more]: readonly string[]): boolean =>
  verb === 'add' &&
  wallet !== undefined &&
  more.length === 0 &&
  (option === undefined || (option === '--signature' && signature !== undefined))

/** What the wallet has to sign; with its signature the wallet may pay refunds from now on. */
export async function addRefundWallet(
  db: Db,
  [, given = '', , signature]: readonly string[],
): Promise<{ text: string; after?: unknown }> {
  const wallet = toWallet(given)
  const message = refundWalletMessage((await mustHaveEvent(db)).number, wallet)
  if (signature === undefined) return { text: request(wallet, message) }
  if (!isHex(signature) || signature.length % 2 === 1)
    throw new RaffleError(
      'INVALID_VALUE',
      `"${signature.slice(0, 20)}" is no signature: 0x and hexadecimal digits.`,
    )
  await expectWalletProof(db, { wallet, message, signature: signature as Hex })
  await db.transaction((tx) => registerRefundWallet(tx, wallet))
  const known = await whenRead(db, wallet)
  const own = getAddress(wallet)
  const news = [
    `${own} may pay refunds.`,
    known?.registerOnly &&
      'The endpoints have forgotten what it sent before: it pays through the register alone.',
    !known?.isRead && 'What it sent before is still being read: until then nothing is offered.',
  ]
  return { text: news.filter(Boolean).join('\n'), after: { wallet: own, ...known } }
}

const request = (wallet: Address, message: string): string =>
  `Sign this text with ${getAddress(wallet)} (personal_sign; a Safe signs it as a message, with all the owners it needs):

${message}

Then: bun run admin refund-wallet add ${getAddress(wallet)} --signature 0x…`

/** With its checksum, or all in one case, which is usually a copy. */
function toWallet(text: string): Address {
  const isOneCase = text === text.toLowerCase()
  if (!isAddress(text, { strict: !isOneCase }))
    throw new RaffleError('INVALID_WALLET', `"${text}" is no address; look at its checksum.`)
  return text.toLowerCase() as Address
}
