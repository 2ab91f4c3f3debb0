import type { Address } from 'viem'
import { bold, faint } from '../../../infra/local/progress.ts'
import { createAdminClient } from '../../lab/admin-client.ts'
import { accountsOf } from '../../lab/chain-verbs.ts'

export type World = Awaited<ReturnType<typeof openWorld>>

type Options = {
  url: string
  rpcUrl: string
  admin: { username: string; password: string }
  /** As a person types it. */
  site: string
  pace: number
}

/** What the story does was not followed by what should come of it. */
export class StoryProblem extends Error {
  override name = 'StoryProblem'
}

/** The story's hands: calls of visitors and of the administrator, who is logged in, and wallets of the local chain. */
export async function openWorld({ url, rpcUrl, admin, ...shown }: Options) {
  const { call, login } = createAdminClient(() => url, admin)
  if (!(await login())) throw new StoryProblem('The administrator could not log in.')

  /** The call must succeed. */
  async function must<T>(method: string, path: string, body?: unknown): Promise<T> {
    const answer = await call(method, path, body)
    if (answer.status < 300) return answer.body
    throw new StoryProblem(
      `${method} ${path} was answered with ${answer.status}: ${JSON.stringify(answer.body)}`,
    )
  }
  /** Asks again and again until the answer is as wanted; a refusal is not there yet. */
  async function wait<T>(
    path: string,
    isThere: (found: T) => boolean,
    what: string,
    withinMs = 45_000,
  ): Promise<T> {
    for (const deadline = Date.now() + withinMs; ; await Bun.sleep(200)) {
      const { status, body } = await call('GET', path)
      if (status === 200 && isThere(body)) return body
      if (Date.now() > deadline)
        throw new StoryProblem(
          `${what}: not within ${withinMs / 1000} s. Last answer: ${JSON.stringify(body)}`,
        )
    }
  }

  return {
    ...{ url, rpcUrl, call, must, wait, ...createTeller(shown) },
    /** Anvil signs for them. 0 is the operator's; the Demo Wallet of the page is 1, and left to who watches. */
    accounts: (await accountsOf(rpcUrl)) as readonly Address[],
  }
}

/** Throws StoryProblem unless both are alike. */
export function expectSame(found: unknown, wanted: unknown, what: string): void {
  if (Bun.deepEquals(found, wanted)) return
  throw new StoryProblem(`${what}: ${JSON.stringify(wanted)} was expected, found ${JSON.stringify(found)}`)
}

/** Says what happens and where to look, and leaves time to do so. */
function createTeller({ site, pace }: Pick<Options, 'site' | 'pace'>) {
  const began = performance.now()
  const time = (): string => {
    const seconds = Math.floor((performance.now() - began) / 1000)
    return `${Math.floor(seconds / 60)}:${`${seconds % 60}`.padStart(2, '0')}`
  }
  return {
    /** One line of what happens; `look` is what to look at, and where. */
    tell(text: string, look?: readonly [what: string, path: string]): void {
      console.log(`${faint(time().padStart(5))}  ${text}`)
      if (look) console.log(`       ${faint(`${look[0]}:`)} ${site}${look[1]}`)
    },
    chapter: (title: string): void => console.log(`\n       ${bold(title)}`),
    /** So many seconds at the usual pace. */
    pause: (seconds: number): Promise<void> => Bun.sleep(seconds * pace * 1000),
    /** So many seconds at the usual pace, and `least` at any. */
    stretch: (seconds: number, least: number): number => Math.max(least, Math.round(seconds * pace)),
  }
}
