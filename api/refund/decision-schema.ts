import { Type as t } from '@sinclair/typebox'
import type { Address } from 'viem'
import { transferMarks } from '../../core/refund/classes.ts'
import { answer, hash, listed, whole as number, orNull } from '../http/answers.ts'
import { exact, nullable } from '../http/schema.ts'
import { anySignature, choice, flag, hash as hashIn, wallet, whole } from '../http/values.ts'

/** What an administrator decides of a row or a transfer, and a payer of where his refund goes. */
export const wishQuery = t.Object({ recipient: wallet })
export const readdressBody = exact({
  recipient: wallet,
  signature: anySignature(),
})
const marks = choice(transferMarks, '{name}: refund, prize, other 중 하나여야 합니다.')
/** `markedAs` null takes a mark back; `notRefund` is the same for `other`. */
export const transferBody = exact(
  {
    transactionHash: hashIn,
    position: whole(0, 100_000),
    notRefund: t.Optional(flag()),
    markedAs: t.Optional(nullable(marks)),
  },
  { someOf: ['notRefund', 'markedAs'] },
)

export const wish = answer({
  message: t.String({ description: 'For personal_sign (EIP-191).' }),
  typedData: t.Unsafe<Wish>(t.Object({}, { description: 'For EIP-712.' })),
})
type Wish = {
  domain: { name: string; version: string; chainId: number }
  types: Record<string, readonly { name: string; type: string }[]>
  primaryType: 'Readdress'
  message: { refund: string; payer: Address; recipient: Address }
}
export const markedTransfer = answer({
  ...{ transactionHash: hash, position: number(), notRefund: t.Boolean() },
  markedAs: orNull(listed(transferMarks)),
})
