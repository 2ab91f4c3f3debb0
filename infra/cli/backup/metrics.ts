import { Counter, Gauge, Registry } from 'prom-client'
import type { Step } from './service.ts'
import type { BackupState } from './state.ts'

type Source = { state: () => BackupState; hasBucket: boolean }

/** Figures of the backup service. What never happened is infinitely old. */
export function createBackupMetrics({ everySeconds }: { everySeconds: number }) {
  const registry = new Registry()
  const gauge = (name: string, help: string, labelNames: string[] = []) =>
    new Gauge({ name: `blockdraw_backup_${name}`, help, labelNames, registers: [registry] })
  const age = gauge('age_seconds', 'Age of the newest whole backup, here and off-site.', ['place'])
  const bytes = gauge('bytes', 'Its size.')
  const rows = gauge('rows', 'Rows in it.')
  const rehearsalAge = gauge('rehearsal_age_seconds', 'Since a backup was restored and compared.')
  const rehearsalFailed = gauge('rehearsal_failed', '1 after a backup could not be restored or differed.')
  gauge('every_seconds', 'How often one is to be made.').set(everySeconds)
  const failures = new Counter({
    name: 'blockdraw_backup_failures_total',
    help: 'What failed, by step.',
    labelNames: ['step'],
    registers: [registry],
  })
  return {
    contentType: registry.contentType,
    countFailure: (step: Step): void => failures.inc({ step }),
    read({ state, hasBucket }: Source): Promise<string> {
      const { made, sent, rehearsed } = state()
      age.set({ place: 'here' }, ageOf(made?.at))
      if (hasBucket) age.set({ place: 'off-site' }, ageOf(sent?.at))
      bytes.set(made?.bytes ?? 0)
      rows.set(made?.rows ?? 0)
      rehearsalAge.set(ageOf(rehearsed?.at))
      rehearsalFailed.set(Number(Boolean(rehearsed?.problem)))
      return registry.metrics()
    },
  }
}

const ageOf = (at: string | undefined): number =>
  at === undefined ? Number.POSITIVE_INFINITY : (Date.now() - Date.parse(at)) / 1_000
