import type { Address } from 'viem'
import { type BarDays, barSentence } from '../../../core/house/bar-days.ts'
import { ApiError, getJson, postJson } from '../shell/api.ts'
import { signText } from '../wallet/sign-text.ts'
import { statementOf } from '../wallet/signed-message.ts'
import { $wallet, walletMessage } from '../wallet/wallet.ts'
import { $barredUntil } from './watch.ts'
import { words } from './words.ts'

/** Its message is a sentence for the visitor. */
export class RestError extends Error {
  override name = 'RestError'
}

/** The connected wallet signs a break, and the server keeps it. Returns until when. Throws RestError. */
export async function takeRest(wallet: Address, days: BarDays, chainId: number): Promise<string> {
  const { message } = (
    await asked(() => getJson(`/api/raffle/bar/${wallet}/message`, undefined, `?days=${days}`))
  ).value
  const statement = statementOf(message, { host: location.host, wallet, chainId })
  if (!statement?.startsWith(barSentence(days))) throw new RestError(words.rest.notOurs)
  const signature = await signText(message, wallet).catch((error) => {
    throw new RestError(walletMessage(error, $wallet.get().name) ?? words.rest.notSigned)
  })
  if (!signature) throw new RestError(words.rest.connect)
  const { until } = await asked(() =>
    postJson('/api/raffle/bar', { walletAddress: wallet, days, message, signature }),
  )
  $barredUntil.set(until)
  return until ?? ''
}

async function asked<T>(ask: () => Promise<T>): Promise<T> {
  try {
    return await ask()
  } catch (error) {
    throw new RestError((error instanceof ApiError && error.detail) || words.rest.unreachable)
  }
}
