import { resolve } from 'node:path'
import { EnvError } from '../../../core/server/env.ts'
import { isClosing, StartProblem, stopper } from '../../../infra/local/child.ts'
import { lockDataDir, unlockDataDir } from '../../../infra/local/lock.ts'
import { readOptions } from './options.ts'

/**
 * `bun run story`: plays a whole raffle in about three minutes, then one that is refunded, on a system of its own. Each step
 * looks whether what it tells has happened, by the API and by the chain; exit code 1 if it has not.
 */
const root = resolve(import.meta.dirname, '../../..')
const began = performance.now()
let dataDir: string | undefined
const stop = stopper(() => dataDir && unlockDataDir(dataDir))

try {
  const options = readOptions(process.argv.slice(2), root)
  // loaded after the signal handlers are in place, as it takes a moment
  const { expectOwn, forgetStory, ownEnv } = await import('./own-place.ts')
  expectOwn(options.dataDir)
  const wasKilled = lockDataDir(options.dataDir, isPlayed(options.dataDir))
  dataDir = options.dataDir
  if (forgetStory(dataDir)) console.log('The story before is thrown away: this one begins anew.')
  const env = await ownEnv(root, dataDir)
  const { bringUp } = await import('../../../infra/local/system.ts')
  const running = await bringUp({ env, root, dataDir, wasKilled })
  const broken = running.broken.then((sentence) => {
    throw new StartProblem(sentence)
  })
  const { tellOn } = await import('./tell-on.ts')
  await Promise.race([tellOn({ ...options, port: env.sitePort, running, began }), broken])
  if (options.exit) await stop(0)
  console.log('\n       The story is over. All of it runs on until Ctrl-C; the next story begins anew.\n')
  await broken
} catch (error) {
  // Steps are expected to fail while children are being stopped.
  if (!isClosing()) console.error(`\n${describe(error)}`)
  await stop(1)
}

function isPlayed(dir: string): string {
  return `A story is being played in ${dir}: end that one with Ctrl-C first, or give this one a folder with --data.`
}

function describe(error: unknown): unknown {
  if (error instanceof EnvError || error instanceof StartProblem) return error.message
  if (error instanceof Error && error.name === 'StoryProblem') return `The story went wrong: ${error.message}`
  return error instanceof Error ? (error.stack ?? error.message) : error
}
