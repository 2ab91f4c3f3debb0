import { Type as t } from '@sinclair/typebox'
import { address, answer, listed, moment, orNull } from '../http/answers.ts'
import { exact, refusal } from '../http/schema.ts'
import { anySignature, text, wallet } from '../http/values.ts'

/** Wallets that pay refunds: registered, lost, or of which others take over what they owe. */
export const lostWalletBody = exact({ wallet, note: text({ max: 500, lines: true }) })
export const waivableQuery = t.Object({ wallet })
export const refundWalletBody = exact({
  wallet,
  /** As the page shows it; another text is that of an event before. */
  message: t.String({ maxLength: 500, ...refusal() }),
  signature: anySignature(),
})

export const ownWalletFields = {
  address,
  role: listed(['sale', 'refund']),
  registerOnly: t.Boolean({ description: 'Its past cannot be read, so it pays through the register alone.' }),
  lostAt: orNull(moment('Since when its key is said to be lost: other wallets may pay what it owes.')),
  unheardUntil: orNull(
    moment(
      'After a restore: until then calls may run that it does not know, and it pays through the register alone.',
    ),
  ),
}
export const ownWallet = answer(ownWalletFields)
export const waivable = t.Array(
  answer({
    token: address,
    debtors: t.Array(
      answer({ debtor: address, total: t.String({ description: 'What `waive` has to name.' }) }),
      { description: 'Ascending by address.' },
    ),
  }),
  { description: 'What a wallet has to waive, token by token, so that others may pay it.' },
)

export const refundWallet = answer({
  wallet: address,
  role: listed(['sale', 'refund']),
  registerOnly: t.Boolean({
    description: 'It pays through the register alone: its past cannot be read any more.',
  }),
  isRead: t.Boolean({ description: 'What it sent before is read; until then nothing is offered.' }),
})
