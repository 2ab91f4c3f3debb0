import { Elysia } from 'elysia'
import { RaffleError } from '../../core/errors.ts'
import { getFrozenLedger, ledgerPages } from '../../db/payment/ledger.ts'
import type { Deps } from '../deps.ts'
import { frozenFiles } from '../http/frozen-files.ts'
import { notModified, route } from '../http/route.ts'
import { eventInPath } from '../http/values.ts'

/** The canonical file of a frozen ledger: its SHA-256 is the published fingerprint. */
export const ledgerRoutes = (deps: Pick<Deps, 'db' | 'admin' | 'addresses' | 'log'>) => {
  const { db } = deps
  const answer = frozenFiles(deps)
  return new Elysia().get(
    ...route('/api/raffle/ledger/:eventNumber', {
      about: 'The canonical ledger file',
      more: 'Its SHA-256 is the published fingerprint. Anyone can rebuild it from the chain, byte for byte. 409 before the freeze.',
      params: eventInPath,
      file: { type: 'text/csv', about: 'One line a payment, in chain order.' },
      also: notModified,
      refusals: ['SALES_OPEN'],
      run: async ({ params: { eventNumber }, request, server }) => {
        const ledger = await getFrozenLedger(db, eventNumber)
        if (!ledger) throw new RaffleError('NOT_FOUND', { reason: 'event' })
        if (!ledger.frozenAt || !ledger.sha256) throw new RaffleError('SALES_OPEN', { reason: 'ledger' })
        return answer(
          { request, server },
          {
            name: `blockdraw-ledger-${eventNumber}.csv`,
            sha256: ledger.sha256,
            pages: () => ledgerPages(db, eventNumber),
          },
        )
      },
    }),
  )
}
