import { Elysia } from 'elysia'
import { addressKeys } from '../../core/address-key.ts'
import { RaffleError } from '../../core/errors.ts'
import { getFrozenLedger, ledgerPages } from '../../db/payment/ledger.ts'
import type { Deps } from '../deps.ts'
import { notModified } from '../http/answers.ts'
import { clientAddress } from '../http/client-address.ts'
import { route } from '../http/route.ts'
import { eventInPath } from '../http/values.ts'
import { downloadLane } from './download-lane.ts'

/** The canonical file of a frozen ledger, streamed: its SHA-256 is the published fingerprint. */
export const ledgerRoutes = ({ db, addresses }: Pick<Deps, 'db' | 'addresses'>) => {
  const addressOf = clientAddress(addresses)
  const lane = downloadLane()
  return new Elysia().get(
    '/api/raffle/ledger/:eventNumber',
    ...route(
      {
        about: 'The canonical ledger file',
        more: 'Its SHA-256 is the published fingerprint. Anyone can rebuild it from the chain, byte for byte. 409 before the freeze. Two downloads at once an address.',
        params: eventInPath,
        file: { type: 'text/csv', about: 'One line a payment, in chain order.' },
        also: notModified,
        refusals: ['SALES_OPEN', 'EXPORT_BUSY'],
      },
      async ({ params: { eventNumber }, request, server }) => {
        const ledger = await getFrozenLedger(db, eventNumber)
        if (!ledger) throw new RaffleError('NOT_FOUND', `There is no event ${eventNumber}.`)
        if (!ledger.frozenAt)
          throw new RaffleError(
            'SALES_OPEN',
            'The ledger is published when the sale has ended and every payment is final.',
          )
        const etag = `"${ledger.sha256}"`
        const headers = {
          'content-type': 'text/csv; charset=utf-8',
          'content-disposition': `attachment; filename="blockdraw-ledger-${eventNumber}.csv"`,
          'cache-control': 'public, max-age=0, s-maxage=60',
          'access-control-allow-origin': '*',
          'access-control-expose-headers': 'etag',
          'x-content-type-options': 'nosniff',
          etag,
        }
        if (request.headers.get('if-none-match')?.includes(etag))
          return new Response(null, { status: 304, headers })
        const keys = addressKeys(addressOf(request, server?.requestIP(request)?.address))
        return new Response(lane(keys, ledgerPages(db, eventNumber)), { headers })
      },
    ),
  )
}
