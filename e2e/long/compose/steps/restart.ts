import type { Hash } from 'viem'
import { buy, ticketsOf } from '../crowd.ts'
import { untilUp } from '../engine.ts'
import { expect, type Stack } from '../stack.ts'

/** Everything is taken down and started again: the data is there, and the sale goes on. */
export async function restartsWithItsData(stack: Stack): Promise<string> {
  const { plain, place, siteUrl } = stack
  if (!stack.bought.length) stack.bought.push((await buy(place, 3, 3)).hash)
  // The page shows a purchase a moment after its row is there.
  const sold = Number(
    await stack.psql('blockdraw', 'select tickets_sold from events where archived_at is null'),
  )
  await untilUp(
    async () => JSON.parse(await stack.stats()).ticketsSold === sold,
    `${sold} tickets on the page`,
  )
  const before = await stack.stats()
  await plain.compose('down')
  await plain.compose('up', '-d', '--no-build', '--scale', 'api=2', '--scale', 'worker=4')
  await stack.ready()
  expect((await stack.stats()) === before, 'after down and up the page shows something else')
  const again = await buy(place, 2, 3)
  expect((await ticketsOf(siteUrl, stack.bought[0] as Hash)) > 0, 'the first purchase is gone')
  return `down and up again: the data is there, bought again in ${again.seconds.toFixed(1)} s`
}
