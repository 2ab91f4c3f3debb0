import type { createAdminClient } from './admin-client.ts'
import { waitBlocks } from './chain-verbs.ts'
import { openSafe, type Safe } from './safe.ts'

/** A Safe, proven by two of its owners, is paid by the event from now on; the wallet before is still ours. */
export async function sellToSafe(
  call: ReturnType<typeof createAdminClient>['call'],
  rpcUrl: string,
): Promise<Safe> {
  const must = async (method: string, path: string, body?: unknown) => {
    const answer = await call(method, `/api/admin/raffle/${path}`, body)
    if (answer.status !== 200) throw new Error(`${path}: ${answer.status} ${JSON.stringify(answer.body)}`)
    return answer.body
  }
  const safe = await openSafe(rpcUrl)
  await must('PATCH', 'config', { operatorWallet: safe.address })
  const { walletProofMessage } = await must('GET', 'config')
  const signature = await safe.signMessage(walletProofMessage)
  await waitBlocks(rpcUrl, 3) // its code counts once it is final
  await must('POST', 'prove-wallet', { signature })
  return safe
}
