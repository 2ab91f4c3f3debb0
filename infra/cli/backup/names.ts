import type { Head } from './format.ts'

export type BackupName = { name: string; madeAt: Date }

/** `blockdraw-20261123T024255Z.backup.gz.age`. */
const pattern = /^blockdraw-(\d{4})(\d\d)(\d\d)T(\d\d)(\d\d)(\d\d)Z\.backup\.gz\.age$/

/** A moment as names have it: to the second, in UTC, in the order of time when sorted. */
const stamp = (at: Date): string => `${at.toISOString().slice(0, 19).replaceAll(/[-:]/g, '')}Z`

export const backupName = ({ madeAt }: Pick<Head, 'madeAt'>, isSealed: boolean): string =>
  `blockdraw-${stamp(new Date(madeAt))}.backup.gz${isSealed ? '.age' : ''}`

/** As the backup service names its own. */
export const sealedName = (madeAt: Date): string => backupName({ madeAt: madeAt.toISOString() }, true)

/** Undefined for every file that the backup service has not written: it is neither counted nor deleted. */
export function readBackupName(name: string): BackupName | undefined {
  const parts = pattern.exec(name)?.slice(1, 7).map(Number)
  if (!parts) return undefined
  const [year = 0, month = 0, day = 0, hour = 0, minute = 0, second = 0] = parts
  const madeAt = new Date(Date.UTC(year, month - 1, day, hour, minute, second))
  return name.startsWith(`blockdraw-${stamp(madeAt)}`) ? { name, madeAt } : undefined
}

/** The backups among these names, newest first. */
export const backupsAmong = (names: readonly string[]): BackupName[] =>
  [...new Set(names)]
    .flatMap((name) => readBackupName(name) ?? [])
    .sort((a, b) => b.madeAt.getTime() - a.madeAt.getTime() || (a.name < b.name ? 1 : -1))
