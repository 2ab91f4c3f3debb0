import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'
import { type Env, readEnv } from '../../../core/server/env.ts'
import { oneTimePassword } from '../../../core/server/password.ts'
import { StartProblem } from '../../../infra/local/child.ts'
import { freePort, isPortFree } from '../../../infra/local/ports.ts'

/** The shortest there is between the end of the sale and the draw. */
const leadSeconds = 10
/** A hundred above those of `start`; pages are built for these, so another port costs a build. */
const ports = { SITE_PORT: 4421, API_PORT: 3100, RPC_PORT: 8645, METRICS_PORT: 9564 }
/** In a folder of a story, which throws away what is in it when it begins anew. */
const storyMark = 'played-here'
/** What stays when the data goes: built pages with the beacon's key that is in them, and who uses the folder. */
const kept = [storyMark, 'builds', 'beacon-secret', 'start.lock']

/** Throws StartProblem for a folder with other things in it, as those of `start`: what is there is thrown away. */
export function expectOwn(dataDir: string): void {
  const found = existsSync(dataDir) ? readdirSync(dataDir) : []
  if (!found.includes(storyMark) && found.length > 0)
    throw new StartProblem(`${dataDir} holds other things than a story: give it an empty folder with --data.`)
  mkdirSync(dataDir, { recursive: true, mode: 0o755 })
  writeFileSync(join(dataDir, storyMark), '')
}

/** Throws the story before away; true if there was one. What a killed one ran ends by itself, and may write until then. */
export function forgetStory(dataDir: string): boolean {
  const place = join(dataDir, 'postgres')
  const cluster = existsSync(place) ? realpathSync(place) : place
  const found = readdirSync(dataDir).filter((name) => !kept.includes(name))
  for (const path of [cluster, ...found.map((name) => join(dataDir, name))])
    rmSync(path, { recursive: true, force: true, maxRetries: 20 })
  return found.length > 0
}

/** Of the story alone: variables and `.env` of the checkout say nothing, so that none is ever played on a real chain. */
export async function ownEnv(root: string, dataDir: string): Promise<Env> {
  const example = readFileSync(join(root, '.env.example'), 'utf8')
  for (const [, name = ''] of example.matchAll(/^([A-Z][A-Z_]+)=/gm))
    for (const variable of [name, `${name}_FILE`]) process.env[variable] = ''
  for (const [name, preferred] of Object.entries(ports))
    process.env[name] = `${(await isPortFree(preferred)) ? preferred : await freePort()}`
  Object.assign(process.env, {
    DATA_DIR: dataDir,
    SALE_LEAD_SECONDS: `${leadSeconds}`,
    ENTROPY: 'blocks+drand',
    ADMIN_USERNAME: 'admin',
    ADMIN_PASSWORD: oneTimePassword(),
  })
  return readEnv()
}
