import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { anchorCases, honestCases } from './anchors.ts'
import { cappedCases } from './capped.ts'
import type { Case } from './case.ts'
import { contentCases } from './content.ts'
import { beaconCases, drawCases } from './draws.ts'
import { fileCases } from './files.ts'
import { promiseCases } from './promises.ts'
import { serveLies } from './server.ts'
import { openForgeryWorld } from './world.ts'

/** A case as a verifier gets it: files, an endpoint and options. */
export type Run = Case & {
  id: string
  files: { proof: string; ledger: string }
  rpc: string | null
  options: string[]
}

/** Every case, ready to be run by any verifier. */
export async function openForgeries() {
  const world = await openForgeryWorld()
  const cases = [
    ...honestCases(world),
    ...(await fileCases(world)),
    ...(await promiseCases(world)),
    ...(await contentCases(world)),
    ...(await cappedCases(world)),
    ...(await drawCases(world)),
    ...(await beaconCases(world)),
    ...anchorCases(world),
  ]
  const server = serveLies(world.world.url)
  const dir = mkdtempSync(join(tmpdir(), 'blockdraw-forgeries-'))
  const runs = cases.map((each, at): Run => {
    const write = (kind: string, content: string | Uint8Array) => {
      const file = join(dir, `${at}.${kind}`)
      writeFileSync(file, content)
      return file
    }
    const files = { proof: write('proof', each.proof), ledger: write('ledger', each.ledger) }
    const kept = each.kept?.length ? ['--terms', write('terms', JSON.stringify(each.kept))] : []
    const raffled = each.content === undefined ? [] : ['--content', write('content', each.content)]
    const rpc = each.isOffline ? null : server.url(each.lie)
    return {
      ...each,
      id: `${at} ${each.name}`,
      files,
      rpc,
      options: [...kept, ...raffled, ...(each.args ?? [])],
    }
  })
  return {
    runs,
    close: async () => {
      await server.stop()
      await world.close()
      rmSync(dir, { recursive: true })
    },
  }
}
