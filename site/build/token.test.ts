import { expect, test } from 'vitest'
import { usdtOnBsc } from '../../core/chain/register.ts'
import { tokenProblem } from './token.ts'

test('pages for a chain other than 56 are built only if the token is named', () => {
  for (const env of [
    {},
    { PUBLIC_CHAIN_ID: '', PUBLIC_USDT_ADDRESS: '' },
    { PUBLIC_CHAIN_ID: '56' },
    { PUBLIC_CHAIN_ID: '56', PUBLIC_USDT_ADDRESS: usdtOnBsc },
    { PUBLIC_CHAIN_ID: '97', PUBLIC_USDT_ADDRESS: usdtOnBsc },
  ])
    expect([env, tokenProblem(env)]).toEqual([env, undefined])
  expect(tokenProblem({ PUBLIC_CHAIN_ID: '97' })).toBe(
    'PUBLIC_USDT_ADDRESS must name the token that buys tickets on chain 97.',
  )
  expect(tokenProblem({ PUBLIC_CHAIN_ID: 'bsc' })).toContain('PUBLIC_CHAIN_ID')
  expect(tokenProblem({ PUBLIC_USDT_ADDRESS: '0x12' })).toContain('PUBLIC_USDT_ADDRESS')
  expect(tokenProblem({ PUBLIC_LOCAL_BEACON_KEY: '0xac' })).toContain('PUBLIC_LOCAL_BEACON_KEY')
})
