import { chmodSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { basename, join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { clusterDir, postgresUser } from './postgres.ts'

// Who is not root has the cluster in the data directory itself.
test.runIf(process.getuid?.() === 0)(
  'an id that was cut short stands for no folder: neither for all clusters nor for one outside',
  () => {
    const dataDir = mkdtempSync(join(tmpdir(), 'blockdraw-place-'))
    onTestFinished(() => rmSync(dataDir, { recursive: true }))
    chmodSync(dataDir, 0o700)
    const user = postgresUser()
    const made = clusterDir(dataDir, user)
    expect(basename(made)).toMatch(new RegExp(`^${basename(dataDir)}-[0-9a-f-]{36}$`))
    expect(clusterDir(dataDir, user)).toBe(made)
    for (const id of ['', '\n', '.', '..', '../../home', `${basename(dataDir)}-`, `../${basename(made)}`]) {
      writeFileSync(join(dataDir, 'postgres.id'), id)
      expect(() => clusterDir(dataDir, user), id).toThrow('names no cluster')
    }
  },
)
