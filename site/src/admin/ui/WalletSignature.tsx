import penIcon from 'lucide-static/icons/pen-line.svg?raw'
import { useState } from 'react'
import type { Address, Hex } from 'viem'
import { Row, Stack } from '../../shell/Layout.tsx'
import {
  discover,
  type Eip1193,
  ensureBsc,
  personalSign,
  rpcCode,
  type WalletOffer,
} from '../../wallet/eip1193.ts'
import { t } from '../language/t.ts'
import { ActionButton, Button } from './action.tsx'
import { Copied } from './address.tsx'
import { Cancelled, Trouble } from './error-text.ts'
import { TextArea } from './Field.tsx'

type Props = { wallet: string; message: string; onSigned: (signature: Hex) => Promise<void> }

export function WalletSignature({ wallet, message, onSigned }: Props) {
  const [isByHand, setByHand] = useState(false)
  const [signature, setSignature] = useState('')
  const failure = t('지갑 서명을 확인하지 못했습니다')
  return (
    <>
      <Row>
        <ActionButton
          action={{
            name: t('지갑으로 서명'),
            failure,
            async run() {
              const { provider, account } = await connectAs(wallet)
              await onSigned((await asked(personalSign(provider, message, account))) as Hex)
            },
            icon: penIcon,
          }}
        />
        <Button tone="plain" size="small" aria-expanded={isByHand} onClick={() => setByHand(!isByHand)}>
          {t('다른 곳에서 서명')}
        </Button>
      </Row>
      {isByHand && (
        <Stack>
          <p className="hint">
            {t(
              '이 문장을 그 지갑으로 서명(personal_sign)한 뒤 결과를 붙여 넣으세요. Safe는 소유자들이 메시지로 서명한 결과입니다.',
            )}
          </p>
          <Copied text={message} label={t('서명할 문장 복사')} />
          <TextArea
            label={t('서명')}
            rows={3}
            value={signature}
            onChange={setSignature}
            placeholder="0x…"
            spellCheck={false}
          />
          <ActionButton
            action={{
              name: t('서명 확인'),
              failure,
              run: () => onSigned(signature.trim() as Hex),
              tone: 'ink',
            }}
            disabled={!signature.trim()}
          />
        </Stack>
      )}
    </>
  )
}

const deadlineMs = 400

/** Of several wallets MetaMask is asked first, then the others, until one has exactly this account. Throws Trouble. */
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
