import { resolve } from 'node:path'
import { parseArgs } from 'node:util'
import { StartProblem } from '../../../infra/local/child.ts'
import { command } from '../../../infra/local/progress.ts'

export type StoryOptions = {
  dataDir: string
  /** Pauses are so many times as long; 0 waits for what happens alone. */
  pace: number
  /** Ends when the story is over. */
  exit: boolean
}

const usage = `${command('story')} [--pace 1] [--exit] [--data DIR]

Plays a whole raffle on a system of its own, beside what runs here, and then a second one that is refunded.

  --pace N    pauses are N times as long; 0: none (1)
  --exit      ends when the story is over; else the system goes on until Ctrl-C
  --data DIR  where its data is, anew with every story (.data/story)`

/** Throws StartProblem with how it is used. */
export function readOptions(args: readonly string[], root: string): StoryOptions {
  const { values } = parse(args)
  const pace = Number(values.pace)
  if (values.help || !(pace >= 0 && pace <= 100)) throw new StartProblem(usage)
  return { dataDir: resolve(root, values.data), pace, exit: values.exit }
}

function parse(args: readonly string[]) {
  try {
    return parseArgs({
      args: [...args],
      options: {
        pace: { type: 'string', default: '1' },
        exit: { type: 'boolean', default: false },
        data: { type: 'string', default: '.data/story' },
        help: { type: 'boolean', default: false },
      },
    })
  } catch (error) {
    throw new StartProblem(`${error instanceof Error ? error.message : error}\n\n${usage}`)
  }
}
