/** Where an endpoint stands among those configured: it may be left out of every question for a while. */
export type Seat = {
  isAside: () => boolean
  /** Leaves it out for ten minutes, unless fewer than two would stay. `proof`: it was shown to tell what is not so. */
  setAside: (proof?: Record<string, string>) => void
}
/** Something that an operator must look at; the text is stable, as alerts search for it. */
export type OnAlarm = (text: string, facts: Record<string, unknown>) => void

const asideMs = 10 * 60_000
const fewest = 2

/** The seats of all configured endpoints, in their order. Setting aside never leaves fewer than two of them. */
export function openSeats(hosts: readonly string[], now: () => number, onAlarm: OnAlarm): Seat[] {
  const until = hosts.map(() => Number.NEGATIVE_INFINITY)
  const namedAt = hosts.map(() => Number.NEGATIVE_INFINITY)
  const isAside = (index: number): boolean => now() < (until[index] as number)
  const staying = (): number => hosts.filter((_, index) => !isAside(index)).length
  return hosts.map((host, index) => ({
    isAside: () => isAside(index),
    setAside: (proof) => {
      const isNew = proof !== undefined && now() - (namedAt[index] as number) >= asideMs
      if (isNew) {
        namedAt[index] = now()
        onAlarm('an endpoint tells what is not so', { host, ...proof })
      }
      if (isAside(index) || staying() <= fewest) return
      until[index] = now() + asideMs
      onAlarm('endpoint set aside', { host, minutes: asideMs / 60_000, staying: staying() })
    },
  }))
}
