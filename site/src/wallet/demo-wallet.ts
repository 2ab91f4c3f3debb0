import { trustedMarkup } from '../shell/trusted.ts'
import type { Eip1193, WalletOffer } from './eip1193.ts'

/** For the local chain only, so that a newcomer can buy without an extension: anvil holds the keys and signs. */
const rpcUrl = import.meta.env.PUBLIC_DEMO_RPC_URL ?? ''
const accounts = {
  operator: '0xf39Fd6e51aad88F6F4ce6aB8827279cffFb92266',
  buyer: '0x70997970C51812dc3A010C7d01b50e0d17dc79C8',
}

const icon = `data:image/svg+xml,${encodeURIComponent(
  '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 32 32"><path fill="#E3AA2B" stroke="#1B1712" stroke-width="2" d="M3 7h26v6a3 3 0 0 0 0 6v6H3v-6a3 3 0 0 0 0-6z"/><path stroke="#1B1712" stroke-width="2" d="M12 12h10M12 16h10M12 20h6"/></svg>',
)}`

const providerOf = (account: string): Eip1193 => ({
  async request({ method, params }) {
    switch (method) {
      case 'eth_requestAccounts':
      case 'eth_accounts':
        return [account]
      case 'wallet_switchEthereumChain': {
        const [chain] = (params ?? []) as { chainId?: string }[]
        if (Number(chain?.chainId) === Number(await rpc('eth_chainId'))) return null
        throw Object.assign(new Error('The local chain is the only one here.'), { code: 4902 })
      }
      case 'eth_sendTransaction':
        if (await approve(params)) return rpc(method, params)
        throw Object.assign(new Error('Rejected in Demo Wallet.'), { code: 4001 })
      default:
        return rpc(method, params)
    }
  },
})

const own = new Set<Eip1193>()

/** The buyer's on the public page, the operator's beside the dashboard. */
export function announceDemoWallet(holder: keyof typeof accounts = 'buyer'): void {
  const provider = providerOf(accounts[holder])
  own.add(provider)
  const offer: WalletOffer = {
    info: {
      uuid: '5b0d2f0e-8a1f-4e57-9d5e-b10cd4a30001',
      name: 'Demo Wallet',
      icon,
      rdns: 'local.blockdraw.demo',
    },
    provider,
  }
  const announce = () =>
    window.dispatchEvent(new CustomEvent('eip6963:announceProvider', { detail: Object.freeze(offer) }))
  window.addEventListener('eip6963:requestProvider', announce)
  announce()
}

/** The local chain has the real one's id, and a known key: both must have the same first block. */
export async function assertLocalChain(wallet: Eip1193): Promise<void> {
  if (own.has(wallet)) return
  const call = { method: 'eth_getBlockByNumber', params: ['0x0', false] }
  const [theirs, ours] = await Promise.all([
    wallet.request(call).catch(() => null) as Promise<{ hash?: string } | null>,
    rpc(call.method, call.params) as Promise<{ hash?: string } | null>,
  ])
  if (theirs?.hash && ours?.hash && theirs.hash !== ours.hash)
    throw new Error(
      'This page runs on a local test chain, but your wallet is on the real one. Nothing was sent. Use the Demo Wallet, or add the local chain to your wallet.',
    )
}

async function rpc(method: string, params: unknown = []): Promise<unknown> {
  const response = await fetch(rpcUrl, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ jsonrpc: '2.0', id: 1, method, params }),
  })
  const { result, error } = (await response.json()) as {
    result?: unknown
    error?: { code: number; message: string }
  }
  if (error) throw Object.assign(new Error(error.message), { code: error.code })
  return result
}

type Asked = { says: string; what: string; to: string; contract: string | undefined }

const tokenCalls: Record<string, string> = {
  '0xa9059cbb': 'You send',
  '0x095ea7b3': 'You allow to be taken',
}

/** In words what a call does: the two of the token by their amounts, any other by its first bytes. */
function askedFor(params: unknown): Asked {
  const [{ to = '', data = '' } = {}] = (params ?? []) as { to?: string; data?: string }[]
  const word = (at: number) => data.slice(10 + 64 * at, 74 + 64 * at)
  const usdt = () => `${Number(BigInt(`0x${word(1)}`) / 10n ** 16n) / 100} USDT`
  const says = tokenCalls[data.slice(0, 10)]
  if (says && word(1).length === 64) return { says, what: usdt(), to: `0x${word(0).slice(24)}`, contract: to }
  return { says: 'You call', what: data.slice(0, 10) || 'nothing', to, contract: undefined }
}

/** The wallet's own window: what is asked for, of whom, and two buttons. Closing it rejects the request. */
function approve(params: unknown): Promise<boolean> {
  const { says, what, to, contract } = askedFor(params)
  const dialog = document.createElement('dialog')
  dialog.className = 'dialog'
  dialog.setAttribute('aria-labelledby', 'demo-wallet-title')
  dialog.innerHTML = trustedMarkup(`<form method="dialog" class="stack">
    <div><p class="label">Demo Wallet</p>
    <h2 id="demo-wallet-title">Approve transaction</h2></div>
    <dl class="summary">
      <div><dt data-says></dt><dd data-amount></dd></div>
    </dl>
    <div><p class="field-label">To</p><p class="address" data-to></p></div>
    <div data-contract><p class="field-label">Token contract</p><p class="address" data-token></p></div>
    <p class="hint">Play money on the local chain of this machine.</p>
    <div class="row"><button class="button plain" value="reject">Reject</button>
    <button class="button" value="approve" autofocus>Approve</button></div></form>`)
  for (const [name, text] of Object.entries({ says, amount: what, to, token: contract ?? '' })) {
    const place = dialog.querySelector(`[data-${name}]`)
    if (place) place.textContent = text
  }
  dialog.querySelector('[data-contract]')?.toggleAttribute('hidden', contract === undefined)
  document.body.append(dialog)
  dialog.showModal()
  return new Promise((resolve) =>
    dialog.addEventListener('close', () => {
      dialog.remove()
      resolve(dialog.returnValue === 'approve')
    }),
  )
}
