import { expect, type Stack } from './stack.ts'

/** Who is logged in to Postgres; throws when a program is the superuser. */
export async function ownLogins({ psql }: Stack): Promise<string> {
  const logins = `select string_agg(distinct usename, ' ' order by usename) from pg_stat_activity
    where datname = 'blockdraw' and backend_type = 'client backend' and pid <> pg_backend_pid()`
  const connected = await psql('blockdraw', logins)
  expect(!/\bblockdraw\b/.test(connected), `logged in to Postgres: ${connected}`)
  return connected
}
