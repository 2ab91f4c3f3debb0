import { expect, type Stack } from '../stack.ts'

/** The commands of the runbook, in the running containers: what is restored into another database is the same. */
export async function keepsAndRestores({ plain, psql, project }: Stack): Promise<string> {
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
  return `kept and restored into another database: ${back}`
}
