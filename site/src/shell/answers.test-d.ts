import { expectTypeOf, test } from 'vitest'
import type { PublicConfig, PurchaseReport, WalletReport } from '../../../core/live/public.ts'
import type { Answer, Path } from './answers.ts'

test('the answers of public calls are the ones the server declares', () => {
  expectTypeOf<Answer<'get', `/api/tickets/purchase/0x${string}`>>().toEqualTypeOf<PurchaseReport>()
  expectTypeOf<Answer<'get', `/api/tickets/wallet/${string}`>>().toEqualTypeOf<WalletReport>()
  expectTypeOf<Answer<'get', '/api/raffle/config'>>().toEqualTypeOf<PublicConfig>()
})

test('the administrator’s answers have the fields that the server sends', () => {
  expectTypeOf<Answer<'get', '/api/admin/raffle/config'>>().toMatchObjectType<{ walletProven: boolean }>()
  expectTypeOf<Answer<'get', '/api/admin/refunds'>[number]['due']>().toEqualTypeOf<string>()
})

test('a path that the server does not have is no path', () => {
  expectTypeOf<'/api/raffle/changes'>().toExtend<Path<'get'>>()
  expectTypeOf<'/api/raffle/changed'>().not.toExtend<Path<'get'>>()
  expectTypeOf<'/api/raffle/config'>().not.toExtend<Path<'post'>>()
  expectTypeOf<Answer<'get', '/api/admin/none'>>().toBeNever()
})
