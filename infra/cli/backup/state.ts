import { readFileSync, renameSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

type Made = { name: string; at: string; bytes: number }

/** What the service has done, in `state.json` beside the backups: it goes on from there after a start. */
export type BackupState = {
  made?: Made & { rows: number }
  sent?: Made
  rehearsed?: { name: string; at: string; problem: string | null }
}

const fileOf = (directory: string): string => join(directory, 'state.json')

/** A file that is missing or damaged is nothing: the service then makes a backup and rehearses it. */
export function readState(directory: string): BackupState {
  try {
    return JSON.parse(readFileSync(fileOf(directory), 'utf8')) as BackupState
  } catch {
    return {}
  }
}

export function saveState(directory: string, state: BackupState): void {
  const half = `${fileOf(directory)}.part`
  writeFileSync(half, `${JSON.stringify(state, null, 2)}\n`, { mode: 0o600 })
  renameSync(half, fileOf(directory))
}
