import { createHash, createHmac, pbkdf2Sync, randomBytes } from 'node:crypto'

const rounds = 4_096

/**
 * What Postgres keeps of a password (SCRAM-SHA-256, RFC 5803): sent instead of the password itself, it is of no use to
 * a reader of the server's log. The password is taken as it is, so it has to be printable ASCII.
 */
export function scramSecret(password: string, salt: Uint8Array = randomBytes(16)): string {
  const salted = pbkdf2Sync(password, salt, rounds, 32, 'sha256')
  const hmac = (text: string) => createHmac('sha256', salted).update(text).digest()
  const storedKey = createHash('sha256').update(hmac('Client Key')).digest('base64')
  const salted64 = Buffer.from(salt).toString('base64')
  return `SCRAM-SHA-256$${rounds}:${salted64}$${storedKey}:${hmac('Server Key').toString('base64')}`
}
