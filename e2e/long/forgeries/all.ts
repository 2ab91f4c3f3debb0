import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { anchorCases } from './anchors.ts'
import type { Case } from './case.ts'
import { beaconCases, drawCases } from './draws.ts'
import { fileCases } from './files.ts'
import { honestCases } from './honest.ts'
import { promiseCases } from './promises.ts'
import { serveLies } from './server.ts'
import { openForgeryWorld } from './world.ts'

/** A case as a verifier gets it: the options of its command. */
export type Run = Case & { options: string[] }

/** Every case, ready to be run by any verifier. */
export async function openForgeries() {
  const world = await openForgeryWorld()
  const cases = [
    ...honestCases(world),
    ...(await fileCases(world)),
    ...(await promiseCases(world)),
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
    const options = [
      ...['--proof', write('proof', each.proof), '--ledger', write('ledger', each.ledger)],
      ...(each.isOffline ? [] : ['--rpc', server.url(each.lie)]),
      ...(each.kept?.length ? ['--terms', write('terms', each.kept.join(''))] : []),
      ...(each.args ?? []),
    ]
    return { ...each, options }
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
