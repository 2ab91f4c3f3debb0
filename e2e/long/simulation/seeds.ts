import fc from 'fast-check'
import type { Broken } from './invariants.ts'
import { play } from './play.ts'
import type { Stage } from './stage.ts'
import { type Story, story } from './story.ts'

/** Plays the story of a seed; `shortest`: and leaves out of a failing one what it fails without. */
export async function playSeed(stage: Stage, seed: number, { shortest = false } = {}): Promise<Outcome> {
  const began = performance.now()
  const whole = fc.sample(story, { seed, numRuns: 1 })[0] as Story
  const tell: Tell = (next) => play(stage, next).catch(brokenByError)
  let told = { story: whole, broken: await tell(whole) }
  if (shortest && told.broken.length > 0) told = await shorten(tell, told)
  const { endpoints, steps } = told.story
  return { seed, endpoints, steps: steps.length, ms: Math.round(performance.now() - began), ...told }
}

export type Outcome = {
  seed: number
  endpoints: number
  steps: number
  ms: number
  broken: Broken[]
  story: Story
}

type Tell = (story: Story) => Promise<Broken[]>
type Told = { story: Story; broken: Broken[] }

/** A worker that fails for another reason than the chain's is broken as well. */
function brokenByError(error: unknown): Broken[] {
  const lines = []
  for (let at = error; at instanceof Error; at = at.cause) lines.push(at.stack ?? at.message)
  return [{ name: 'an error', saw: lines.join('\n') || String(error) }]
}

/** Without halves, quarters and so on of the steps, as long as the same invariant breaks. */
async function shorten(tell: Tell, whole: Told): Promise<Told> {
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
