import { channelRow, type SecretKeys, secretBox } from '../../core/server/secrets.ts'
import { renewSecrets } from '../../db/admin/admins.ts'
import type { Db } from '../../db/index.ts'
import { renewChannelSecrets } from '../../db/notify/tell.ts'
import { otpRow } from './otp.ts'

type Renewed = { renewed: number; lost: string[] }
/** How many second factors were brought under the new key, and whose opens under neither; the same of
 * channels, where there was anything to do. */
export type Rotation = Renewed & { channels?: Renewed }

/** Encrypts anew what SECRET_KEY_OLD has encrypted. Safe to repeat, and while people log in. */
export async function rotateKey(db: Db, keys: SecretKeys): Promise<Rotation> {
  const box = secretBox(keys)
  const renew = (done: Renewed, name: string, row: string, sealed: Uint8Array) => {
    const made = box.renew(sealed, row)
    if (made === 'lost') done.lost.push(name)
    if (typeof made === 'string') return undefined
    done.renewed++
    return made
  }
  const codes: Renewed = { renewed: 0, lost: [] }
  const channels: Renewed = { renewed: 0, lost: [] }
  await renewSecrets(db, (sealed, { id, username }) => renew(codes, username, otpRow(id), sealed))
  await renewChannelSecrets(db, (sealed, { id, name }) => renew(channels, name, channelRow(id), sealed))
  // One who is setting up another factor has two of them.
  const done = { ...codes, lost: [...new Set(codes.lost)] }
  return channels.renewed + channels.lost.length > 0 ? { ...done, channels } : done
}
