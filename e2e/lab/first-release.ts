import { randomBytes } from 'node:crypto'
import postgres from 'postgres'
import { inject } from 'vitest'
import { connect } from '../../db/index.ts'
import { migrateTo } from '../../infra/cli/backup/load.ts'
import { databaseOf } from './database.ts'

/** A database as the first release has left it: with the first migration alone. */
export async function firstReleaseDb() {
  const name = `first_release_${randomBytes(6).toString('hex')}`
  const server = postgres(inject('postgresUrl'), { max: 1, onnotice: () => undefined })
  await server.unsafe(`create database ${name}`)
  const url = databaseOf(inject('postgresUrl'), name)
  await migrateTo(url, 1)
  const connection = connect(url, { max: 2, name: 'blockdraw test' })
  return {
    ...connection,
    url,
    close: async () => {
      await connection.close()
      await server.unsafe(`drop database ${name} with (force)`)
      await server.end()
    },
  }
}
