import { getAddress } from 'viem'
import { RaffleError } from '../../core/errors.ts'
import type { operatorWallets } from '../schema/index.ts'

/** The refusal where a wallet is none of the operator's. */
export const notOurs = () => new RaffleError('NOT_FOUND', '운영자 지갑이 아닙니다.')

/** As answers have it. */
export const toOwnWallet = ({
  address,
  role,
  registerOnly,
  lostAt,
  unheardUntil,
}: typeof operatorWallets.$inferSelect) => ({
  ...{ address: getAddress(address), role, registerOnly },
  lostAt: lostAt?.toISOString() ?? null,
  unheardUntil: unheardUntil?.toISOString() ?? null,
})
