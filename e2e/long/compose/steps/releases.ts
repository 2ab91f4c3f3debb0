import { join } from 'node:path'
import { type Checkout, openCheckout } from '../checkout.ts'
import { buy, type Tally, ticketsOf, visitWhile } from '../crowd.ts'
import { ownLogins } from '../own-logins.ts'
import { commandsOf } from '../runbook.ts'
import { expect, root, type Stack, say } from '../stack.ts'

let checkout: Checkout

/** The older release sells; then the runbook's commands put this one in its place while visitors come. */
export async function upgrades(stack: Stack): Promise<string> {
  checkout = await openCheckout(stack)
  await checkout.type(`git checkout -q v0.1.0 && bash ${join(root, 'infra/docker/release.sh')}`)
  await checkout.type('docker compose up -d --no-build --scale api=2 --scale worker=1')
  await stack.ready()
  const bought = await buy(stack.place, 9, 30)
  stack.bought.push(bought.hash)
  say(`the release before, ${checkout.older.slice(0, 7)}, sells`)
  const upgraded = await replaced(stack, 'To a newer release:')
  // The older one was the superuser.
  return `upgraded to ${checkout.newer.slice(0, 7)}: ${upgraded}; logged in to Postgres: ${await ownLogins(stack)}`
}

/** Back to the older release and forth again: it sells on what the newer one has written. */
export async function rollsBack(stack: Stack): Promise<string> {
  if (!checkout) return 'rollback: needs the step upgrade before it'
  const back = await replaced(stack, 'Back to the one before:')
  const again = await replaced(stack, 'To a newer release:')
  return `rolled back: ${back}; and forth again: ${again}`
}

/** Types the commands under load: whoever reaches the web server is answered, and the old tickets are there. */
async function replaced(stack: Stack, sentence: string): Promise<string> {
  const before = (await stack.psql('blockdraw', soldSoFar)).trim()
  const { tally } = await visitWhile(stack.siteUrl, stack.bought, async () => {
    for (const command of commandsOf('upgrade', sentence)) await checkout.type(command)
  })
  await stack.ready()
  expect((await stack.psql('blockdraw', soldSoFar)).trim() === before, 'the payments are others than before')
  for (const hash of stack.bought) expect((await ticketsOf(stack.siteUrl, hash)) > 0, `${hash} is gone`)
  const bought = await buy(stack.place, 9, 3)
  stack.bought.push(bought.hash)
  const wrong = [...tally.failedPosts, ...tally.failedGets].filter((answer) => /^\d{3} /.test(answer))
  expect(wrong.length === 0, `wrong answers: ${[...new Set(wrong)]}`)
  return `${told(tally)}, bought again in ${bought.seconds.toFixed(1)} s`
}

const soldSoFar = `select count(*) || md5(string_agg(concat(transaction_hash, ticket_number), ' ' order by id)) from payments`

/**
 * Visitors who found nobody listening, while the web server itself was replaced. Those who had to come again
 * asked the web server of a release that does not yet try another api by itself.
 */
const told = ({ posts, gets, failedPosts, failedGets, repeatedPosts, slowestMs }: Tally): string =>
  `${posts} POSTs and ${gets} GETs, ${failedPosts.length + failedGets.length} not connected, ${repeatedPosts} reported again, slowest ${Math.round(slowestMs)} ms`
