import { join } from 'node:path'
import { openCheckout } from '../checkout.ts'
import { buy, visitWhile } from '../crowd.ts'
import { commandsOf } from '../runbook.ts'
import { expect, root, type Stack, say } from '../stack.ts'

/** The older release sells; then the runbook's commands put this one in its place while visitors come. */
export async function upgrades(stack: Stack): Promise<string> {
  const { type, newer } = await openCheckout(stack)
  await type('git checkout -q v0.2.0 && bash infra/docker/release.sh build')
  await type(`git checkout -q v0.1.0 && bash ${join(root, 'infra/docker/release.sh')}`)
  await type('docker compose up -d --no-build --scale api=2 --scale worker=1')
  await stack.ready()
  stack.bought.push((await buy(stack.place, 9, 30)).hash)
  say('another release sells')
  return `upgraded to ${newer.slice(0, 7)}: ${await replaced(stack, 'To a newer release:')}`
}

/** Back to the older release and forth again: it sells on what the newer one has written. */
export async function rollsBack(stack: Stack): Promise<string> {
  const back = await replaced(stack, 'Back to the one before:')
  return `rolled back: ${back}; and forth again: ${await replaced(stack, 'To a newer release:')}`
}

/** Types the commands under load: whoever finds somebody is answered rightly, and a page that is open loads its files. */
async function replaced(stack: Stack, sentence: string): Promise<string> {
  const { type } = await openCheckout(stack)
  const [sold, files] = [await stack.psql('blockdraw', soldSoFar), await filesOf(stack)]
  const typed = async () => {
    for (const command of commandsOf('upgrade', sentence)) await type(command)
  }
  const told = await visitWhile(stack, typed, true)
  await stack.ready()
  expect((await stack.psql('blockdraw', soldSoFar)) === sold, 'the payments are others than before')
  const now = await filesOf(stack)
  expect(
    files.some((file) => !now.includes(file)),
    'the page is that of the release before',
  )
  for (const file of files)
    expect((await fetch(stack.siteUrl + file)).ok, `an open page cannot load ${file} any more`)
  const isBefore = (await stack.plain.compose('logs', '--tail=500', 'api')).includes('the release before')
  expect(isBefore === sentence.startsWith('Back'), 'the api is that of the release before')
  stack.bought.push((await buy(stack.place, 9, 3)).hash)
  return told
}

const soldSoFar = `select count(*) || md5(string_agg(concat(transaction_hash, ticket_number), ' ' order by id)) from payments`

const filesOf = async ({ siteUrl }: Stack): Promise<string[]> =>
  (await (await fetch(siteUrl)).text()).match(/\/_astro\/[\w.-]+\.(?:js|css)/g) ?? []
