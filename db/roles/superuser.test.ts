import { expect, test } from 'vitest'
import { readEnv } from '../../core/server/read-env.ts'
import { superuserOf } from './superuser.ts'

/** What compose.yaml tells `migrate`. */
const told = {
  DATABASE_URL: 'postgres://db:5432/blockdraw',
  PGUSER: 'blockdraw_owner',
  PGPASSWORD: 'owner',
  POSTGRES_PASSWORD: 'first',
  POSTGRES_API_PASSWORD: 'a',
  POSTGRES_WORKER_PASSWORD: 'b',
  POSTGRES_BACKUP_PASSWORD: 'c',
}
const superuser = (change: Record<string, string> = {}) => {
  const vars = { ...told, ...change }
  return superuserOf(readEnv(['databaseUrl'], vars), vars)
}

test('the owner is made with the login that the server was made with, as long as that is told', () => {
  expect(superuser()).toBe('postgres://blockdraw:first@db:5432/blockdraw')
  expect(superuser({ POSTGRES_USER: 'root' })).toBe('postgres://root:first@db:5432/blockdraw')
  expect(superuser({ POSTGRES_PASSWORD: '' })).toBeUndefined()
})

test('a database that names its user has one login for everything, and no password is missing', () => {
  const one = 'postgres://me:secret@db:5432/blockdraw'
  expect(superuser({ DATABASE_URL: one, POSTGRES_BACKUP_PASSWORD: '' })).toBeUndefined()
})

test.each([
  ['POSTGRES_OWNER_PASSWORD', { PGPASSWORD: '' }],
  ['POSTGRES_OWNER_PASSWORD', { PGPASSWORD: 'first' }],
  ['POSTGRES_API_PASSWORD', { POSTGRES_API_PASSWORD: '' }],
  ['POSTGRES_WORKER_PASSWORD', { POSTGRES_WORKER_PASSWORD: '' }],
  ['POSTGRES_BACKUP_PASSWORD', { POSTGRES_BACKUP_PASSWORD: '' }],
])('V3: without a good %s migrate does not begin: %o', (variable, change) => {
  expect(() => superuser(change)).toThrow(
    new RegExp(`^${variable} (is not set|must differ from POSTGRES_PASSWORD)`),
  )
})
