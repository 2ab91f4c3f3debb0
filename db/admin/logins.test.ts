import { sql } from 'drizzle-orm'
import { expect, test } from 'vitest'
import { addressKeys } from '../../core/address-key.ts'
import { testDb } from '../../e2e/lab/database.ts'
import { forFile } from '../../e2e/lab/opened.ts'
import { countLoginFailures } from './logins.ts'

const { db } = await forFile(testDb())

test('however many strangers guess at one account, a login reads ten of their failures (A1)', async () => {
  await db.execute(sql`
    insert into login_failures (kind, client_address, account, at)
    select 'password', '10.' || n / 65536 || '.' || n / 256 % 256 || '.' || n % 256, 'owner',
      case when n < 4 then now() - interval '11 minutes' else now() end
    from generate_series(0, 20000) n`)
  const keys = addressKeys('10.0.1.1')
  expect(await countLoginFailures(db, keys, 'owner')).toEqual({
    ofKeys: [expect.objectContaining({ failures: 1 })],
    accountFailures: 10,
  })
  await db.execute(
    sql`delete from login_failures where client_address <> '10.0.0.1' and client_address <> '10.0.0.9'`,
  )
  expect(await countLoginFailures(db, keys, 'owner')).toMatchObject({ accountFailures: 1 })
  expect(await countLoginFailures(db, keys, 'nobody')).toMatchObject({ accountFailures: 0 })
})
