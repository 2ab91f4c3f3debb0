import { sql } from 'drizzle-orm'
import type { Db } from '../../db/index.ts'

/** The journal that drizzle kept of the migrations before the first release: hash, and when each was made. */
const journal: [hash: string, madeAt: number][] = [
  ['1dcc8a4088fd063fee22f3ead4e0c061063ecc916fa995fb97ea8f3eede0091b', 1795223829417],
  ['efde16d4d705371a2a9ffd53a6ad2e3b37baaf8f4b09112f53348b49f4489511', 1795223829610],
  ['e39ea170cf0c055eb65912d173ca1d196e58cb4c9a7ee9d807898807eaa72931', 1795224459271],
  ['f11a7bcbc9e31d3479546cd38215841eb79df5df87a7a5f5b57980ccc41acff6', 1795224719441],
  ['185909d7403eeedca5cc88cc03b32c4794b3cd2ceb70cab0307c08d048d2bf9d', 1795224819508],
  ['24eef97320445750f518c2c805592eb78911f661085bdcbd4b9330e8e42d7595', 1795225443016],
  ['84f37c543f060f756826c4d520154a2579b4a47fe6dc1ed970f21a9eab44312e', 1795225851583],
  ['f29c928a250e679f88d767c8366ebcfd2d9f59981d419d3a67ee4feb6f434897', 1795225851957],
  ['06930ede090f27fc6dc949d8ea6a2514d11b19e45eda364958b84f6923d0f348', 1795226911643],
  ['af16f090f7bb0e0c52e30587230439909176e38997bcbb3b476c45968268c510', 1795230595640],
  ['0aa0731bb078f2d4251ed622a59f348e8f379999cbd5a64008a29986c0383575', 1795319993271],
]

/** Makes the database one that a development version migrated, by its first `count` migrations. */
export async function asOfDevelopment(db: Db, count = journal.length): Promise<void> {
  await db.execute(sql`truncate drizzle.__drizzle_migrations restart identity`)
  for (const [hash, madeAt] of journal.slice(0, count))
    await db.execute(
      sql`insert into drizzle.__drizzle_migrations (hash, created_at) values (${hash}, ${madeAt})`,
    )
}
