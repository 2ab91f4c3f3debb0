import { randomBytes } from 'node:crypto'
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

const randomSecret = () => randomBytes(32).toString('base64url')

/** A random secret, created once and kept in the data directory, readable only by its owner. */
export function keptSecret(dataDir: string, name: string, make = randomSecret): string {
  const file = join(dataDir, name)
  if (existsSync(file)) return readFileSync(file, 'utf8').trim()
  const secret = make()
  writeFileSync(file, `${secret}\n`, { mode: 0o600 })
  return secret
}
