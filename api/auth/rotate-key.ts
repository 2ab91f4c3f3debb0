import { renewSecrets } from '../../db/admin/admins.ts'
import type { Db } from '../../db/index.ts'
import { otpRow } from './otp.ts'
import { type SecretKeys, secretBox } from './secret-box.ts'

/** How many second factors were brought under the new key, and whose opens under neither. */
export type Rotation = { renewed: number; lost: string[] }

/** Encrypts anew what SECRET_KEY_OLD has encrypted. Safe to repeat, and while people log in. */
export async function rotateKey(db: Db, keys: SecretKeys): Promise<Rotation> {
  const box = secretBox(keys)
  const done: Rotation = { renewed: 0, lost: [] }
  await renewSecrets(db, (sealed, { id, username }) => {
    const made = box.renew(sealed, otpRow(id))
    if (made === 'same') return undefined
    if (made === 'lost') {
      if (!done.lost.includes(username)) done.lost.push(username)
      return undefined
    }
    done.renewed++
    return made
  })
  return done
}
