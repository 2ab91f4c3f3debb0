import { Elysia } from 'elysia'
import { getAddress } from 'viem'
import { RaffleError } from '../../core/errors.ts'
import { barWallet, getBarEnd } from '../../db/house/bars.ts'
import type { Deps } from '../deps.ts'
import { clientAddress } from '../http/client-address.ts'
import { route } from '../http/route.ts'
import { notLoaded } from '../server/public-answers.ts'
import { barMessages } from './bar-messages.ts'
import { bar, barBody, barInPath, barQuery, barText } from './schema.ts'

type BarDeps = Pick<
  Deps,
  'db' | 'state' | 'jobs' | 'admin' | 'allowedOrigins' | 'addresses' | 'isDevelopment' | 'limits'
>

/**
 * A wallet bars itself by a signed word, and nobody can make that shorter. The page keeps to it; money that comes all the same is
 * credited like any other. One asks about one address: there is no list of who did.
 */
export const barRoutes = ({ db, state, limits, ...deps }: BarDeps) => {
  const messages = barMessages({ db, ...deps })
  const addressOf = clientAddress(deps.addresses)
  // Each costs a row for a month, and a contract's signature a question to the chain.
  const words = limits({ name: 'bars', calls: 20, inSeconds: 600 })
  /** The chain whose wallets sign; throws CLAIM_CLOSED while no wallet can bar itself here. */
  function openChain(): number {
    const known = state.snapshot()
    if (!known) throw notLoaded()
    if (!known.rules.selfBar)
      throw new RaffleError('CLAIM_CLOSED', 'Wallets cannot bar themselves on this site.')
    return known.config.chainId
  }
  return new Elysia({ prefix: '/api/raffle/bar' })
    .get(
      '/:address',
      ...route(
        {
          about: 'Until when a wallet has barred itself',
          params: barInPath,
          answer: bar,
        },
        async ({ params: { address } }) => ({
          until: (await getBarEnd(db, address))?.toISOString() ?? null,
        }),
      ),
    )
    .get(
      '/:address/message',
      ...route(
        {
          about: 'What a wallet signs to bar itself for 1, 7 or 30 days',
          more: 'An EIP-4361 message for this site: good for ten minutes.',
          params: barInPath,
          query: barQuery,
          answer: barText,
          refusals: ['CLAIM_CLOSED', 'MISDIRECTED'],
        },
        async ({ params: { address }, query: { days }, ...call }) => {
          const walletAddress = getAddress(address)
          const chainId = openChain()
          return { walletAddress, message: await messages.make({ walletAddress, days, chainId }, call) }
        },
      ),
    )
    .post(
      '',
      ...route(
        {
          about: 'Bars a wallet for 1, 7 or 30 days from the message on',
          more: 'Cannot be shortened: the same message again, or one for a shorter break, changes nothing.',
          body: barBody,
          answer: bar,
          refusals: [
            ...(['CLAIM_CLOSED', 'CLAIM_MISMATCH', 'CLAIM_EXPIRED'] as const),
            ...(['MISDIRECTED', 'RPC_UNAVAILABLE', 'BUSY'] as const),
          ],
        },
        async ({ body: { walletAddress, days, ...given }, ...call }) => {
          const terms = { walletAddress: getAddress(walletAddress), days, chainId: openChain() }
          await words.admit(addressOf(call.request, call.server?.requestIP(call.request)?.address))
          const until = await barWallet(db, await messages.expectSigned(terms, given, call))
          return { until: until.toISOString() }
        },
      ),
    )
}
