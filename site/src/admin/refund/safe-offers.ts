import type { Address } from 'viem'
import { register as known } from '../../../../core/chain/register.ts'
import {
  type RegisterOffer,
  type SafeFile,
  safeFileSeconds,
  safeFiles,
} from '../../../../core/refund/safe-file.ts'
import { isSameAddress } from '../../wallet/same-address.ts'
import type { DeskRow } from './types.ts'

/** Rows that one call may hand out. */
const rowsAtOnce = 500

type SafeOffer = (body: {
  ids: number[]
  wallet: Address
  nonce: number
  transactions: number
  path: 'register'
  validFor: number
}) => Promise<{ register: RegisterOffer | null }>

export type TakenFiles = { files: SafeFile[]; debtors: number; validUntil: number }

/**
 * Has rows handed to a Safe, and makes of them what its owners sign. Rows that it has already may be among them: files of
 * the same Safe pay nobody twice. What was handed out before a call failed is answered too, with the error, and so is
 * that an answer pays others than these rows, which the administrator sees.
 */
export async function takeSafeFiles(
  offer: SafeOffer,
  rows: readonly DeskRow[],
  { wallet, chainId, token }: { wallet: Address; chainId: number; token: Address },
): Promise<TakenFiles & { error?: unknown }> {
  let validUntil = 0
  const offers: RegisterOffer[] = []
  const done = (): TakenFiles => ({
    validUntil,
    files: safeFiles({ chainId, wallet, offers, createdAt: Date.now() }),
    debtors: new Set(offers.flatMap(({ debtors }) => debtors.map(({ debtor }) => debtor))).size,
  })
  const listed = new Set(rows.map(({ payer, to }) => wayOf(payer, to)))
  for (let at = 0; at < rows.length; at += rowsAtOnce) {
    const ids = rows.slice(at, at + rowsAtOnce).map(({ id }) => id)
    try {
      // A contract's own nonce says nothing of what its owners may still have executed.
      const request = {
        ids,
        wallet,
        nonce: 0,
        transactions: 1,
        path: 'register',
        validFor: safeFileSeconds,
      } as const
      const { register } = await offer(request)
      if (!register) continue
      if (!isSameAddress(register.address, known.address) || !isSameAddress(register.token, token))
        throw new TypeError('another contract or token was named')
      if (register.debtors.some(({ debtor, payee }) => !listed.has(wayOf(debtor, payee))))
        throw new TypeError('the call pays others than the list')
      offers.push(register)
      validUntil = Math.max(validUntil, register.validUntil)
    } catch (error) {
      return { ...done(), error }
    }
  }
  return done()
}

/** Rows that this Safe can be handed: those that wait, and its own of which a file was taken before. */
export const forSafe = <Row extends DeskRow>(
  rows: readonly Row[],
  wallet: Address,
  isReady: (row: Row) => boolean,
): Row[] => rows.filter((row) => isReady(row) || isInFile(row, wallet))

/** In a file that may still be executed. */
export const isInFile = ({ state, offeredPath, offeredWallet }: DeskRow, wallet: Address): boolean =>
  state === 'offered' && offeredPath === 'register' && isSameAddress(offeredWallet ?? '', wallet)

const wayOf = (payer: string, to: string): string => `${payer} ${to}`.toLowerCase()
