import { type DetailsOf, RaffleError } from '../../core/errors.ts'
import { maxPasswordLength, minPasswordLength, weaknessOfPassword } from '../../core/server/password.ts'

export const weakLength = {
  reason: 'length',
  values: { least: minPasswordLength, most: maxPasswordLength },
} satisfies DetailsOf<'WEAK_PASSWORD'>

/** Throws WEAK_PASSWORD with the reason. */
export async function expectStrong(password: string, username: string): Promise<void> {
  const reason = await weaknessOfPassword(password, username)
  if (reason) throw new RaffleError('WEAK_PASSWORD', reason === 'length' ? weakLength : { reason })
}
