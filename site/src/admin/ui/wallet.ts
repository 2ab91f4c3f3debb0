import type { Address } from 'viem'
import {
  discover,
  type Eip1193,
  ensureBsc,
  personalSign,
  rpcCode,
  type WalletOffer,
} from '../../wallet/eip1193.ts'
import { t } from '../language/t.ts'
import { Cancelled, Trouble } from './error-text.ts'

/** How long extensions may take to announce themselves. */
const deadlineMs = 400

/**
 * The browser's wallet, connected with exactly this account; nothing is stored. If several wallets are
 * installed, MetaMask is asked first, then the others, until one has the account. Throws Trouble.
 */
export async function connectAs(wanted: string): Promise<{ provider: Eip1193; account: Address }> {
  for (const provider of await findWallets()) {
    const account = (await accountsOf(provider)).find((one) => one.toLowerCase() === wanted.toLowerCase())
    if (account) return { provider, account }
  }
  throw new Trouble(t('지갑에서 운영자 지갑 계정을 골라 이 페이지에 연결하세요.'))
}

/** A wallet with the account that its user chooses; the browser's first one where none is named. Throws Trouble. */
export async function connectTo(named?: Eip1193): Promise<{ provider: Eip1193; account: Address }> {
  const provider = named ?? (await findWallets())[0]
  const [account] = provider ? await accountsOf(provider) : []
  if (!provider || !account) throw new Trouble(t('지갑에서 계정을 골라 이 페이지에 연결하세요.'))
  return { provider, account }
}

async function findWallets(): Promise<Eip1193[]> {
  const offers: WalletOffer[] = []
  const stop = discover((offer) => offers.push(offer))
  await new Promise((resolve) => setTimeout(resolve, deadlineMs))
  stop()
  offers.sort((a, b) => Number(b.info.rdns === 'io.metamask') - Number(a.info.rdns === 'io.metamask'))
  const found = [...new Set([...offers.map(({ provider }) => provider), window.ethereum])]
  const providers = found.filter((provider): provider is Eip1193 => provider !== undefined)
  if (providers.length === 0) throw new Trouble(t('브라우저에서 지갑을 찾을 수 없습니다. 지갑을 설치하세요.'))
  return providers
}

async function accountsOf(provider: Eip1193): Promise<Address[]> {
  const accounts = await asked(provider.request({ method: 'eth_requestAccounts' }))
  return (Array.isArray(accounts) ? accounts : []).filter((one): one is Address => typeof one === 'string')
}

export const switchToBsc = (provider: Eip1193): Promise<void> => asked(ensureBsc(provider))

export const signText = async (provider: Eip1193, account: string, text: string): Promise<string> =>
  String(await asked(personalSign(provider, text, account)))

export async function sendTransaction(
  provider: Eip1193,
  transaction: Record<string, string>,
): Promise<string> {
  const hash = await asked(provider.request({ method: 'eth_sendTransaction', params: [transaction] }))
  if (typeof hash !== 'string' || !/^0x[0-9a-f]{64}$/i.test(hash))
    throw new Trouble(t('지갑이 거래 해시를 알려주지 않았습니다. 지갑의 기록을 확인하세요.'))
  return hash.toLowerCase()
}

/** The administrator rejected the request in the wallet: no message is shown. */
async function asked<T>(answer: Promise<T>): Promise<T> {
  try {
    return await answer
  } catch (error) {
    if (rpcCode(error) === 4001) throw new Cancelled()
    if (rpcCode(error) === -32002)
      throw new Trouble(t('지갑에 이미 기다리는 요청이 있습니다. 지갑을 열어 답하세요.'))
    const message = (error as { message?: unknown } | null)?.message
    throw new Trouble(typeof message === 'string' && message ? message : t('지갑이 답하지 않았습니다.'))
  }
}
