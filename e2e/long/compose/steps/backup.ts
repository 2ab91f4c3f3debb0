import { readFileSync } from 'node:fs'
import { Readable } from 'node:stream'
import { identitiesIn, unsealed } from '../../../../infra/cli/backup/seal.ts'
import type { BackupState } from '../../../../infra/cli/backup/state.ts'
import { untilUp } from '../engine.ts'
import { expect, type Stack } from '../stack.ts'

/**
 * The service has made a backup that the operator's key opens, and rehearsed it; and by the commands of the runbook, in
 * the running containers, what is restored into another database is the same.
 */
export async function keepsAndRestores(stack: Stack): Promise<string> {
  const { plain, psql, project } = stack
  const { name, rows } = await ownBackup(stack)
  const file = '/data/uploads/check.backup.gz'
  const url = 'postgres://postgres:5432/restored'
  const inApi = (...command: string[]) => plain.compose('exec', '-T', 'api', 'bun', ...command)
  await inApi('backup.js', file)
  await psql('blockdraw', 'create database restored owner blockdraw_owner')
  const restore = ['-v', `${project}_uploads:/data/uploads:ro`, '-e', `DATABASE_URL=${url}`, 'migrate']
  await plain.compose('run', '--rm', '-T', ...restore, 'bun', 'restore.js', file)
  const sums = `select count(*) || ' payments, ' || md5(string_agg(payments::text, ' ' order by id)) from payments`
  const [kept, back] = [await psql('blockdraw', sums), await psql('restored', sums)]
  expect(kept === back, `restored: ${back} instead of ${kept}`)
  expect(/one-time password/.test(await inApi('admin.js', 'create', 'second')), 'no administrator was made')
  return `backup: the service rehearsed ${rows} rows of ${name}; kept and restored into another database: ${back}`
}

/** The newest one of the service, once it has been restored and compared there. */
async function ownBackup({ plain, keyFile }: Stack): Promise<{ name: string; rows: number }> {
  await plain.healthy('backup')
  const inService = (...command: string[]) => plain.compose('exec', '-T', 'backup', ...command)
  let state: BackupState = {}
  await untilUp(async () => {
    state = JSON.parse(await inService('cat', '/data/backups/state.json'))
    return state.rehearsed
  }, 'the backup is rehearsed')
  const { made, rehearsed } = state
  expect(rehearsed?.problem === null, `the rehearsal found ${rehearsed?.problem}`)
  const sealed = await inService('base64', '-w0', `/data/backups/${made?.name}`)
  const bytes = Readable.from([Buffer.from(sealed, 'base64')], { objectMode: false })
  const plainBytes = await (await unsealed(bytes, identitiesIn(readFileSync(keyFile, 'utf8')))).toArray()
  const text = Bun.gunzipSync(Buffer.concat(plainBytes))
  expect(
    new TextDecoder().decode(text.subarray(0, 40)).includes('blockdraw backup'),
    'the key opens something else',
  )
  return { name: made?.name ?? '', rows: made?.rows ?? 0 }
}
