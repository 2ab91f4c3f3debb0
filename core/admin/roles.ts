/** What an administrator may be, the most powerful first. */
export const adminRoles = ['owner', 'operator', 'auditor'] as const
export type AdminRole = (typeof adminRoles)[number]

export const isAdminRole = (text: string): text is AdminRole =>
  (adminRoles as readonly string[]).includes(text)

/**
 * The least role of every call that is written into the audit list. An action that nobody has decided on does not
 * compile. `auditor`: it changes nothing but what is the caller's own. Calls that only read are open to every role.
 *
 * The owner alone decides where money goes, who comes in and what the house promises; the operator runs the raffle.
 */
export const actionRoles = {
  // One's own account.
  reauth: 'auditor',
  credentials: 'auditor',
  language: 'auditor',
  'otp.setup': 'auditor',
  'otp.confirm': 'auditor',
  'passkey.ask': 'auditor',
  'passkey.setup': 'auditor',
  'passkey.add': 'auditor',
  'passkey.remove': 'auditor',
  'sessions.revoke-all': 'auditor',
  // One's own sessions; those of others are the owner's, as the route says.
  'sessions.revoke': 'auditor',

  // Nothing is changed: files, and a question about a code.
  'export.history': 'auditor',
  'export.refund': 'auditor',
  'claim.check': 'auditor',

  // The raffle day by day. Another operator wallet is the owner's, as the route says.
  'raffle.config': 'operator',
  'raffle.open-next': 'operator',
  'raffle.prove-wallet': 'operator',
  'raffle.stop-sale': 'operator',
  'raffle.resume': 'operator',
  'raffle.next-terms': 'operator',
  'raffle.discard-terms': 'operator',
  'raffle.content': 'operator',
  'raffle.next-content': 'operator',
  'raffle.discard-content': 'operator',
  'raffle.correction': 'operator',
  'event.settings': 'operator',
  'upload.sign': 'operator',
  'process-transaction': 'operator',
  draw: 'operator',
  'winner.clear': 'operator',
  'prize.said': 'operator',

  // Refunds go to who has paid, by the register, and are signed in the wallet.
  'refund.execute': 'operator',
  'refund.hold': 'operator',
  'refund.release': 'operator',
  'refund.sent': 'operator',
  'refund.mark': 'operator',
  'refund-notification': 'operator',
  // It may stop the sale.
  'wallet.stolen': 'owner',

  // Channels hold secrets and carry what is told outside; whether one works, the operator may try.
  'channel.add': 'owner',
  'channel.change': 'owner',
  'channel.remove': 'owner',
  'channel.test': 'operator',
  'delivery.retry': 'operator',

  // What the house promises by law, and who comes in.
  'house.rules': 'owner',
  'house.text': 'owner',
  settings: 'owner',
  'admins.add': 'owner',
  'admins.role': 'owner',
  'admins.disable': 'owner',
  'admins.reset-password': 'owner',

  // Whose word it may be follows from the action that is asked for: core/admin/second-person.ts.
  'approval.approve': 'operator',
  'approval.close': 'operator',
} as const satisfies Record<string, AdminRole>

export type AdminAction = keyof typeof actionRoles

/** True when `role` is at least `least`. */
export const isAtLeast = (role: AdminRole, least: AdminRole): boolean =>
  adminRoles.indexOf(role) <= adminRoles.indexOf(least)

/** True when this role may do it, as far as the action alone decides. */
export const mayDo = (role: AdminRole, action: AdminAction): boolean => isAtLeast(role, actionRoles[action])
