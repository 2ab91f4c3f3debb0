import { Elysia } from 'elysia'
import { RaffleError } from '../../core/errors.ts'
import { checkedFlowsFile, fingerprintFlows, getFlowsHead, getFlowsVersion } from '../../db/flows/lines.ts'
import type { Deps } from '../deps.ts'
import { notModified } from '../http/answers.ts'
import { fingerprintedFiles } from '../http/fingerprinted-file.ts'
import { route } from '../http/route.ts'
import { eventInPath } from '../http/values.ts'
import { rememberNewest } from './newest-file.ts'

/** The file of an event's money, streamed: its SHA-256 is in the header, as that of the ledger is. */
export const flowsFileRoutes = (deps: Pick<Deps, 'db' | 'addresses'>) => {
  const { db } = deps
  const answer = fingerprintedFiles(deps)
  const newest = rememberNewest()
  return new Elysia().get(
    '/api/raffle/flows/:eventNumber',
    ...route(
      {
        about: 'Every transfer in and out of the wallets of the operator, as a file',
        more: 'Its SHA-256 is in the ETag. Of the running event up to the newest final block that was reckoned, of an earlier one whole. 404 while nothing was reckoned for it, 429 while a long one is made for the first time. Two downloads at once an address.',
        params: eventInPath,
        file: { type: 'text/csv', about: 'A head, and one line a transfer, in chain order.' },
        also: notModified,
        refusals: ['EXPORT_BUSY'],
      },
      async ({ params: { eventNumber }, request, server }) => {
        const version = await getFlowsVersion(db, eventNumber)
        const file =
          version &&
          (await newest.get(eventNumber, version, async () => {
            const head = await getFlowsHead(db, eventNumber)
            if (!head) throw nothingReckoned(eventNumber)
            return { head, sha256: await fingerprintFlows(db, head) }
          }))
        if (!version) throw nothingReckoned(eventNumber)
        if (!file)
          throw new RaffleError('EXPORT_BUSY', 'The file is being made. Ask again in a moment.', {
            retryAfterSeconds: 5,
          })
        const { head, sha256 } = file
        return answer(
          { request, server },
          {
            name: `blockdraw-flows-${eventNumber}.csv`,
            sha256,
            pages: () => checkedFlowsFile(db, head, sha256, () => newest.forget(eventNumber)),
          },
        )
      },
    ),
  )
}

const nothingReckoned = (eventNumber: number) =>
  new RaffleError('NOT_FOUND', `No money was reckoned for event ${eventNumber}.`)
