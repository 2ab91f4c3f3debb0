import { join, resolve } from 'node:path'
import pino from 'pino'
import { EnvError } from '../../core/server/env.ts'
import { serveMetrics } from '../../core/server/metrics-server.ts'
import { stopOnSignals } from '../../core/server/process.ts'
import { exitFor, readEnvOrExit } from '../../core/server/read-env.ts'
import { createBackupMetrics } from './backup/metrics.ts'
import { expectRecipient } from './backup/seal.ts'
import { openBackups } from './backup/service.ts'
import { backupTeller, type SafeBackup } from './backup/tell.ts'

/**
 * `bun backup-service.js`: an encrypted backup every BACKUP_EVERY in DATA_DIR/backups and at BACKUP_URL, rotated,
 * and one a week restored into a new database and compared.
 */
const lookEveryMs = 10_000

const env = readEnvOrExit(['databaseUrl'])
const log = pino({ level: env.logLevel, base: { part: 'backup' } })
expectRecipients()
const metrics = createBackupMetrics({ everySeconds: env.backupEverySeconds })
const teller = backupTeller(env.databaseUrl, log)
const backups = openBackups({
  databaseUrl: env.databaseUrl,
  directory: resolve(join(env.dataDir, 'backups')),
  bucketUrl: env.backupUrl,
  recipients: env.backupRecipients,
  everySeconds: env.backupEverySeconds,
  keep: env.backupKeep,
  checkUrl: env.backupCheckUrl,
  log,
  onFailure: (step) => {
    metrics.countFailure(step)
    teller.failed(step)
  },
})
const isOn = env.backupRecipients.length > 0
const metricsServer = serveMetrics({
  // API and workers of the same host have those before.
  port: env.metricsPort + 2,
  ports: 10,
  hostname: env.listenHost,
  read: () => metrics.read(backups),
  contentType: metrics.contentType,
  isHealthy: () => true,
  log,
})
// Not an end: the other figures go on, and BackupOld tells whoever does not read this.
if (!isOn) log.error('BACKUP_AGE_RECIPIENT is not set: no backup is made')

let turn: Promise<void> | undefined
const timer = setInterval(look, lookEveryMs)
stopOnSignals({
  name: 'backup',
  log,
  leave: () => clearInterval(timer),
  drain: async () => turn,
  close: async () => metricsServer?.stop(true),
})
look()
log.info({ everySeconds: env.backupEverySeconds, isOffSite: backups.hasBucket }, 'backup is ready')
process.send?.({ ready: true })

function look(): void {
  if (!isOn || turn) return
  turn = backups
    .turn()
    .then(() => teller.tell(safe()))
    .finally(() => {
      turn = undefined
    })
}

/** With a bucket one that is off-site. */
function safe(): SafeBackup | undefined {
  const { made, sent } = backups.state()
  const newest = backups.hasBucket ? sent : made
  return newest && { name: newest.name, at: newest.at, isOffSite: backups.hasBucket }
}

function expectRecipients(): void {
  try {
    for (const recipient of env.backupRecipients) expectRecipient(recipient)
  } catch {
    exitFor(
      new EnvError('BACKUP_AGE_RECIPIENT', 'must be a public key of age, age1…, as `age-keygen` prints it.'),
    )
  }
}
