import { type AdminAction, type AdminRole, actionRoles } from './roles.ts'

/** When a call needs a second person: at each time, or where the call itself finds that it does. */
type Second = { when: 'always' | 'sometimes'; by: AdminRole }

const always = (by: AdminRole): Second => ({ when: 'always', by })
const sometimes = (by: AdminRole): Second => ({ when: 'sometimes', by })

/**
 * Under TWO_PERSON: the calls that take the word of a second administrator, and the least role of who gives it. It
 * guards what a stolen session could send elsewhere: wallet, refunds, the announced winner, and these accounts.
 */
const guarded: Partial<Record<AdminAction, Second>> = {
  // Another operator wallet.
  'raffle.config': sometimes('owner'),
  'winner.clear': always('operator'),

  // Each lets money go that would stay. What is due goes to who has paid, whoever asks for the list.
  'refund.release': always('operator'),
  'refund.mark': always('operator'),

  // Whoever makes accounts could give himself the word. One alone may, while nobody else could give it.
  'admins.add': sometimes('owner'),
  'admins.reset-password': sometimes('owner'),
  'admins.role': always('owner'),
  'admins.disable': always('owner'),
  // Logins without a second factor, and an address list that shuts others out.
  settings: sometimes('owner'),
}

/** Undefined: one administrator does it alone. */
export const secondOf = (action: AdminAction): Second | undefined => guarded[action]

/** The least role of who gives the word for an action. */
export const secondRole = (action: AdminAction): AdminRole => secondOf(action)?.by ?? actionRoles[action]

/** A call as it came in, to be sent again. */
export type AskedCall = { method: string; path: string; body?: unknown }

export const approvalHours = 24
