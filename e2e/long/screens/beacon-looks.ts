import { installStream, openTeller } from '../../lab/states.ts'
import type { Visit } from './admin-looks.ts'
import { beaconState } from './screen-states.ts'

/** The draw tab of an event that waits for its round of drand, as each of its states is told. */
export async function beaconSteps({ page, url, shot, open }: Visit): Promise<void> {
  await installStream(page.context())
  await open('winner')
  // The page that is already open still reads the real stream.
  await page.reload()
  const tell = openTeller(page, url)
  for (const [name, beacon, ahead] of [
    ['named', 'sealed', 3 * 86_400],
    ['settling', 'sealed', 59],
    ['waiting', 'sealed', 43],
    ['late', 'awaited', -40],
    ['found', 'found', -5],
  ] as const) {
    await tell(beaconState(beacon, ahead))
    await shot(`winner-beacon-${name}`)
  }
}
