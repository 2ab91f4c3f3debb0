import { bold, faint } from '../../../infra/local/progress.ts'

export type Teller = ReturnType<typeof createTeller>

type Options = {
  /** As a person types it. */
  site: string
  pace: number
}

/** Says what happens and where to look, and leaves time to do so. */
export function createTeller({ site, pace }: Options) {
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
