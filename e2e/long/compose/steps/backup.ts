import { openCheckout } from '../checkout.ts'
import { buy } from '../crowd.ts'
import { untilUp } from '../engine.ts'
import { commandsOf } from '../runbook.ts'
import { expect, type Stack } from '../stack.ts'

/**
 * The service makes a backup and restores it into a server of its own; then the runbook's commands put one in the place of the
 * database, and what was paid after it is read from the chain.
 */
export async function keepsAndRestores(stack: Stack): Promise<string> {
  const { type } = await openCheckout(stack)
  const isKept = async () =>
    (await stack.plain.compose('exec', '-T', 'backup', 'sh', '-c', 'backup healthy && echo yes')) !== ''
  await untilUp(isKept, 'a backup was made and tried')
  const before = (await buy(stack.place, 8, 3)).hash
  const made = await type('docker compose exec -T backup backup once')
  const rows = /made: (\d+) rows/.exec(made)?.[1]
  expect(rows, `no backup was made: ${made}`)
  const sums = `select count(*) || ' payments, ' || md5(string_agg(concat(transaction_hash, ticket_number), ' ' order by transaction_hash, ticket_number)) from payments`
  const lost = await buy(stack.place, 8, 3) // after the backup: the chain has it
  const was = await stack.psql('blockdraw', sums)
  let told = ''
  for (const command of commandsOf('backup', 'Where the old one is still there it is set aside:'))
    told += await type(
      command
        .replace('compose exec ', 'compose exec -T ')
        .replace('run --rm restore', 'run --rm -T restore')
        .replace(/run --rm (migrate .*after-restore)$/, 'run --rm -T $1 --confirm'),
    )
  expect(
    told.includes(`is paid to ${stack.env.OPERATOR_WALLET}`.toLowerCase()) || /is paid to 0x/.test(told),
    `restore told no wallet: ${told}`,
  )
  await stack.ready()
  await untilUp(async () => (await stack.psql('blockdraw', sums)) === was, `${was} after the restore`)
  stack.bought.push(before, lost.hash)
  return `backup: ${rows} rows were kept and tried; restored in place, and what was paid since is back: ${was}`
}
