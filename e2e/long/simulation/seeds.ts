import fc from 'fast-check'
import type { Broken } from './invariants.ts'
import { play } from './play.ts'
import { playRelays } from './relays/play.ts'
import { relayStory } from './relays/story.ts'
import type { Stage } from './stage.ts'
import { story } from './story.ts'

type AnyStory = { endpoints: number; steps: readonly unknown[] }
type Simulation<S extends AnyStory> = {
  stories: fc.Arbitrary<S>
  play: (stage: Stage, story: S) => Promise<Broken[]>
}
const simulationOf = <S extends AnyStory>(simulation: Simulation<S>) => ({
  /** Plays the story of a seed; `shortest`: and leaves out of a failing one what it fails without. */
  playSeed: async (stage: Stage, seed: number, { shortest = false } = {}): Promise<Outcome> => {
    const began = performance.now()
    const whole = fc.sample(simulation.stories, { seed, numRuns: 1 })[0] as S
    const tell: Tell<S> = (next) => simulation.play(stage, next).catch(brokenByError)
    let told = { story: whole, broken: await tell(whole) }
    if (shortest && told.broken.length > 0) told = await shorten(tell, told)
    const { endpoints, steps } = told.story
    return { seed, endpoints, steps: steps.length, ms: Math.round(performance.now() - began), ...told }
  },
})

/** `payments`: until the draw and beyond; `relays`: around a beacon's round. */
export const simulations = {
  payments: simulationOf({ stories: story, play }),
  relays: simulationOf({ stories: relayStory, play: playRelays }),
}
export type SimulationName = keyof typeof simulations

export type Outcome = {
  seed: number
  endpoints: number
  steps: number
  ms: number
  broken: Broken[]
  story: AnyStory
}

type Tell<S> = (story: S) => Promise<Broken[]>
type Told<S> = { story: S; broken: Broken[] }

/** A worker that fails for another reason than the chain's is broken as well. */
function brokenByError(error: unknown): Broken[] {
  const lines = []
  for (let at = error; at instanceof Error; at = at.cause) lines.push(at.stack ?? at.message)
  return [{ name: 'an error', saw: lines.join('\n') || String(error) }]
}

/** Without halves, quarters and so on of the steps, as long as the same invariant breaks. */
async function shorten<S extends AnyStory>(tell: Tell<S>, whole: Told<S>): Promise<Told<S>> {
  let best = whole
  for (
    let size = Math.ceil(whole.story.steps.length / 2);
    size >= 1;
    size = size > 1 ? Math.ceil(size / 2) : 0
  )
    for (let at = 0; at < best.story.steps.length; ) {
      const { steps } = best.story
      const next = { ...best.story, steps: [...steps.slice(0, at), ...steps.slice(at + size)] }
      const broken = await tell(next)
      if (broken[0]?.name === best.broken[0]?.name) best = { story: next, broken }
      else at += size
    }
  return best
}
