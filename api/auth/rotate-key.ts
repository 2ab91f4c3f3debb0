import { channelRow, type SecretKeys, secretBox } from '../../core/server/secrets.ts'
import { renewSecrets } from '../../db/admin/admins.ts'
import type { Db } from '../../db/index.ts'
import { renewChannelSecrets } from '../../db/notify/tell.ts'
import { otpRow } from './otp.ts'

/**
 * How many second factors were brought under the new key, and whose opens under neither; the same of channels, where there
 * was anything to do.
 */
export type Rotation = { renewed: number; lost: string[]; channels?: { renewed: number; lost: string[] } }

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
  const channels = { renewed: 0, lost: [] as string[] }
  await renewChannelSecrets(db, (sealed, { id, name }) => {
    const made = box.renew(sealed, channelRow(id))
    if (made === 'same') return undefined
    if (made === 'lost') {
      channels.lost.push(name)
      return undefined
    }
    channels.renewed++
    return made
  })
  return channels.renewed + channels.lost.length > 0 ? { ...done, channels } : done
}
