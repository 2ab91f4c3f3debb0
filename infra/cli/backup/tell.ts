import type { Logger } from 'pino'
import { connect } from '../../../db/index.ts'
import { noteBackupFailed, noteBackupMade } from '../../../db/notify/outside.ts'
import type { Step } from './service.ts'

/** The newest backup that is where it belongs. */
export type SafeBackup = { name: string; at: string; isOffSite: boolean }

/**
 * Puts what fails into the outbox, and once a day that there is a backup. A database that is away, which is why backups fail, is told when it is back: `failed`
 * remembers, and `tell` never throws.
 */
export function backupTeller(databaseUrl: string, log: Pick<Logger, 'warn'>) {
  const untold = new Map<Step, Date>()
  let toldDay = ''
  return {
    failed: (step: Step): void => {
      if (!untold.has(step)) untold.set(step, new Date())
    },
    async tell(safe?: SafeBackup): Promise<void> {
      const day = safe?.at.slice(0, 10) ?? toldDay
      if (untold.size === 0 && day === toldDay) return
      const { db, close } = connect(databaseUrl, { max: 1, name: 'blockdraw backup' })
      try {
        for (const [step, at] of untold) {
          await noteBackupFailed(db, step, at)
          untold.delete(step)
        }
        if (safe && day !== toldDay) await noteBackupMade(db, safe)
        toldDay = day
      } catch (err) {
        log.warn({ reason: (err as Error).name }, 'what became of the backup is told later')
      } finally {
        await close()
      }
    },
  }
}
