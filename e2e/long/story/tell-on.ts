import { join } from 'node:path'
import { StartProblem } from '../../../infra/local/child.ts'
import { bold } from '../../../infra/local/progress.ts'
import type { Running } from '../../../infra/local/system.ts'
import { claim, drawFirst } from './draw.ts'
import type { StoryOptions } from './options.ts'
import { refundSecond } from './refunds.ts'
import { sell } from './sale.ts'
import { openWorld } from './world.ts'

type Options = StoryOptions & {
  port: number
  running: Running
  /** When the command began, as performance.now() has it. */
  began: number
}

/** Says where to look, and plays the story on what runs. */
export async function tellOn({ port, running, began, ...options }: Options): Promise<void> {
  const { chainUrl, createdAdmin: admin } = running
  if (!chainUrl || !admin) throw new StartProblem('The story has no chain or no login of its own.')
  const site = `http://localhost:${port}`
  console.log(where(site, admin, join(options.dataDir, 'logs')))
  const world = await openWorld({
    ...{ url: `http://127.0.0.1:${port}`, rpcUrl: chainUrl, site, pace: options.pace },
    admin: { username: admin.username, password: admin.password },
  })
  const { chapter, pause } = world
  chapter('People buy')
  const safe = await sell(world)
  chapter('The sale ends, and somebody wins')
  const winner = await drawFirst(world)
  const seconds = Math.round((performance.now() - began) / 1000)
  world.tell(`First winner ${seconds} s after the start, built pages included.`)
  await pause(8)
  await claim(world, winner, safe)
  await pause(5)
  chapter('A second raffle sells too little')
  await refundSecond(world)
}

const where = (
  site: string,
  { username, password }: Running['createdAdmin'] & object,
  logs: string,
): string =>
  [
    '',
    bold(
      'The story begins. Open the page and watch; before each line stand the minutes and seconds since now.',
    ),
    '',
    `  Site      ${bold(site)}`,
    `  Admin     ${bold(`${site}/admin`)}`,
    `  Login     ${bold(username)}`,
    `  Password  ${bold(password)}  (of this story)`,
    `  Logs      ${logs}`,
    '',
    '  Ctrl-C ends it at any moment.',
  ].join('\n')
