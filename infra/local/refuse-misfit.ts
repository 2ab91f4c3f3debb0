import { connect } from '../../db/index.ts'
import { fitsSchema, SchemaMisfit, SchemaOfDevelopment } from '../../db/schema-major.ts'
import { StartProblem } from './problem.ts'

type Place = { databaseUrl: string; postgres: unknown }

/** Throws StartProblem, before anything looks into the tables of a database that this release cannot work on. */
export async function refuseMisfit({ databaseUrl, postgres }: Place, dataDir: string): Promise<void> {
  const { db, close } = connect(databaseUrl, { max: 1, name: 'blockdraw start' })
  try {
    await fitsSchema(db)
  } catch (error) {
    if (!(error instanceof SchemaMisfit)) throw error
    throw new StartProblem(
      postgres && error instanceof SchemaOfDevelopment
        ? `The data in ${dataDir} comes from an earlier development version: remove that folder, or start with another DATA_DIR.`
        : error.message,
    )
  } finally {
    await close()
  }
}
