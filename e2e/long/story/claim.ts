import { type Address, type Hex, isAddressEqual } from 'viem'
import { mnemonicToAccount } from 'viem/accounts'
import type { PublicPrize } from '../../../core/prize/promise.ts'
import type { Safe } from '../../lab/safe.ts'
import { expectSame, StoryProblem, type World } from './world.ts'

const mnemonic = 'test test test test test test test test test test test junk'

/** The winner signs the message of the site (EIP-4361) with the key that paid, as the page has him do. */
export async function claim(world: World, winner: Address, safe: Safe): Promise<void> {
  type Asked = { message: string; walletAddress: Address }
  const isHis = ({ walletAddress }: Asked) => isAddressEqual(walletAddress, winner)
  const { message } = await world.wait<Asked>('/api/raffle/claim/1', isHis, 'The winner can claim')
  const signature = await signatureOf(world, { winner, safe, message })
  const claimed = await world.must<{ code: string }>('POST', '/api/raffle/claim', {
    ...{ eventNumber: 1, message, signature },
  })
  const checked = await world.must<{ isValid: boolean }>('POST', '/api/admin/raffle/claim-code', {
    ...{ eventNumber: 1, code: claimed.code },
  })
  expectSame(checked.isValid, true, 'The code of the winner')
  const isClaimed = ([prize]: PublicPrize[]) => prize?.state === 'claimed'
  await world.wait('/api/raffle/prizes', isClaimed, 'The prize is claimed')
  const who = isAddressEqual(winner, safe.address)
    ? 'The Safe has won: two of its owners sign for the wallet that paid, and get'
    : 'The winner signs with the wallet that paid, and gets'
  world.tell(`${who} the code ${claimed.code} for the delivery form.`, [
    'What became of the prize',
    '/#winner',
  ])
}

async function signatureOf(
  { accounts }: World,
  { winner, safe, message }: { winner: Address; safe: Safe; message: string },
): Promise<Hex> {
  if (isAddressEqual(winner, safe.address)) return safe.signMessage(message)
  const addressIndex = accounts.findIndex((account) => isAddressEqual(account, winner))
  if (addressIndex < 0) throw new StoryProblem(`Nobody here has the key of ${winner}.`)
  return mnemonicToAccount(mnemonic, { addressIndex }).signMessage({ message })
}
