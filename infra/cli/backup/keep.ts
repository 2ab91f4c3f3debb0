import { type BackupName, backupsAmong } from './names.ts'

/** How many stay: the newest ones, then the last of each of so many days and weeks. */
export type Keep = { newest: number; days: number; weeks: number }

const dayMs = 86_400_000

/**
 * The backups that `keep` has no place for. Days and weeks are counted among the backups and not from the clock:
 * one that runs wrong, or months without a backup, delete nothing.
 */
export function outdated(names: readonly string[], { newest, days, weeks }: Keep): string[] {
  const backups = backupsAmong(names)
  const kept = new Set(backups.slice(0, newest))
  for (const backup of lastOfEach(dayMs, days, backups)) kept.add(backup)
  for (const backup of lastOfEach(7 * dayMs, weeks, backups)) kept.add(backup)
  return backups.filter((backup) => !kept.has(backup)).map(({ name }) => name)
}

function lastOfEach(spanMs: number, count: number, newestFirst: readonly BackupName[]): BackupName[] {
  const last = new Map<number, BackupName>()
  for (const backup of newestFirst) {
    const span = Math.floor(backup.madeAt.getTime() / spanMs)
    if (last.size < count && !last.has(span)) last.set(span, backup)
  }
  return [...last.values()]
}
