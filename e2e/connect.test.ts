import { expect, test } from 'vitest'
import { openStory, soon } from './lab/story.ts'
import {
  buyButton,
  connectWallet,
  goTo,
  openWalletDialog,
  ownTickets,
  pressBuy,
  toastText,
  walletButton,
} from './lab/verbs.ts'
import { createWallet } from './lab/wallet.ts'

const story = openStory()
const switched = 'wallet_switchEthereumChain'
const added = 'wallet_addEthereumChain'

test('a wallet connects: accounts, then chain 0x38; the header shows 4 and 4 characters', async () => {
  const { page, wallet } = await story.visit({ account: 1 })
  await connectWallet(page)
  expect(await toastText(page, 'Wallet Connected')).toBe('MetaMask is connected to the BSC network.')
  await soon(() => walletButton(page).innerText()).toBe('0x70…79C8')
  expect(wallet.requests.slice(0, 2)).toEqual([
    { method: 'eth_requestAccounts', params: undefined },
    { method: switched, params: [{ chainId: '0x38' }] },
  ])
  expect(await page.getByRole('dialog').count()).toBe(0)
})

test('a press on the address disconnects, and a reload does not reconnect', async () => {
  const { page } = await story.visit()
  await connectWallet(page)
  await walletButton(page).click()
  expect(await toastText(page, 'Wallet Disconnected')).toBe('Your wallet has been disconnected.')
  await page.reload()
  await page.locator('header').getByRole('button', { name: 'Connect Wallet' }).waitFor()
  await goTo(page, 'Buy Tickets')
  await page.getByText('Connect a wallet first.').waitFor()
  expect(await buyButton(page).isDisabled()).toBe(true)
})

test('a reload keeps the wallet without a request that opens it', async () => {
  const { page, wallet } = await story.visit()
  await connectWallet(page)
  wallet.requests.length = 0
  await page.reload()
  await walletButton(page).waitFor()
  expect(wallet.methods()).toEqual(['eth_accounts', 'eth_chainId'])
})

test('without a wallet: Connection Failed, a link to download one, and a retry is possible', async () => {
  const { page } = await story.visit({ withWallet: false })
  const dialog = await openWalletDialog(page)
  await dialog.getByRole('button', { name: 'Connect MetaMask' }).click()
  expect(await toastText(page, 'Connection Failed')).toMatch(/MetaMask가 설치되어 있지 않습니다/)
  const link = dialog.getByRole('link', { name: /Download MetaMask/ })
  expect([await link.getAttribute('href'), await link.getAttribute('target')]).toEqual([
    'https://metamask.io/download/',
    '_blank',
  ])
  expect(await dialog.getByRole('button', { name: 'Connect MetaMask' }).isEnabled()).toBe(true)
})

test('a wallet without an account: Connection Failed', async () => {
  const { page } = await story.visit({ account: null })
  const dialog = await openWalletDialog(page)
  await dialog.getByRole('button', { name: 'Connect MetaMask' }).click()
  expect(await toastText(page, 'Connection Failed')).toMatch(/계정을 찾을 수 없습니다/)
  expect(await walletButton(page).count()).toBe(0)
})

test('while the wallet asks, button and dialog say Connecting...; a rejection returns to disconnected', async () => {
  const { page, wallet } = await story.visit()
  const answer = wallet.hold('eth_requestAccounts')
  wallet.refuse('eth_requestAccounts')
  const dialog = await openWalletDialog(page)
  await dialog.getByRole('button', { name: 'Connect MetaMask' }).click()
  const connecting = dialog.getByRole('button', { name: 'Connecting...' })
  await connecting.waitFor()
  expect(await connecting.isDisabled()).toBe(true)
  await page.locator('header > div > div').getByText('Connecting...').first().waitFor()
  answer()
  expect(await toastText(page, 'Connection Failed')).toBe('You rejected the request in MetaMask.')
  await dialog.getByRole('button', { name: 'Connect MetaMask' }).click()
  await walletButton(page).waitFor()
})

test.each([
  { variant: 'the chain is unknown', refusal: 'plain', addSwitches: true, more: [] },
  { variant: 'the code is nested, as on phones', refusal: 'nested', addSwitches: true, more: [] },
  { variant: 'adding does not switch', refusal: 'plain', addSwitches: false, more: [switched] },
] as const)(
  '$variant: the chain is added, then the wallet pays on it',
  async ({ refusal, addSwitches, more }) => {
    const wallet = { chainId: 1, knowsBsc: false, refusal, addSwitches }
    const { page, wallet: asked } = await story.visit({ account: 2, wallet })
    await connectWallet(page)
    expect(asked.methods()).toEqual([
      'eth_requestAccounts',
      switched,
      added,
      'eth_chainId',
      ...more,
      'eth_chainId',
    ])
    expect(asked.requests.find(({ method }) => method === added)?.params).toEqual([
      {
        chainId: '0x38',
        chainName: 'BNB Smart Chain',
        nativeCurrency: { name: 'BNB', symbol: 'BNB', decimals: 18 },
        rpcUrls: [expect.stringMatching(/^https:\/\//)],
        blockExplorerUrls: ['https://bscscan.com'],
      },
    ])
    await pressBuy(page, 1)
    expect(await ownTickets(page)).toMatch(/^#\d+$/)
    expect(asked.sent()[0]?.chainId).toBe('0x38')
  },
)

test('a user who refuses to add the chain stays disconnected', async () => {
  const { page, wallet } = await story.visit({ wallet: { chainId: 1, knowsBsc: false } })
  wallet.refuse(added)
  const dialog = await openWalletDialog(page)
  await dialog.getByRole('button', { name: 'Connect MetaMask' }).click()
  expect(await toastText(page, 'Connection Failed')).toBe('You rejected the request in MetaMask.')
  expect(await walletButton(page).count()).toBe(0)
})

test('a wallet on another chain is reported and switched back before it pays', async () => {
  const { page, wallet } = await story.visit({ account: 3 })
  await connectWallet(page)
  await wallet.setChain(1)
  expect(await toastText(page, 'Wrong Network')).toContain('left BNB Smart Chain')
  wallet.requests.length = 0
  await pressBuy(page, 2)
  await ownTickets(page)
  expect(wallet.methods()).toEqual([switched, 'eth_chainId', 'eth_sendTransaction'])
})

test('nothing is paid when the wallet refuses to switch back to the chain', async () => {
  const { page, wallet } = await story.visit({ account: 3 })
  await connectWallet(page)
  await wallet.setChain(1)
  wallet.refuse(switched)
  await pressBuy(page, 2)
  expect(await toastText(page, 'Transaction Failed')).toBe('You rejected the request in MetaMask.')
  expect(wallet.sent()).toEqual([])
})

test('after a change of account the page shows it and it pays; no account is a disconnect', async () => {
  const { page, wallet } = await story.visit({ account: 4 })
  await connectWallet(page)
  const other = await story.account(5)
  await wallet.setAccounts([other])
  await soon(() => walletButton(page).innerText()).toBe('0x99…A4dc')
  await pressBuy(page, 1)
  await ownTickets(page)
  expect(wallet.sent()[0]?.from).toBe(other)
  await wallet.setAccounts([])
  await toastText(page, 'Wallet Disconnected')
})

test('a wallet that exists only as window.ethereum connects too, also after a reload', async () => {
  const { page } = await story.visit({ wallet: { found: 'legacy' } })
  await connectWallet(page)
  await page.reload()
  await walletButton(page).waitFor()
})

test('every wallet that announces itself is offered, and the chosen one gets the requests', async () => {
  const { rpcUrl, accounts } = { rpcUrl: story.stack.chain.url, accounts: [await story.account(6)] }
  const rabby = createWallet({ rpcUrl, accounts, name: 'Rabby', rdns: 'io.rabby' })
  const { page, wallet } = await story.visit({ more: [rabby] })
  const dialog = await openWalletDialog(page)
  await dialog.getByRole('button', { name: 'Rabby' }).click()
  expect(await toastText(page, 'Wallet Connected')).toBe('Rabby is connected to the BSC network.')
  expect([wallet.requests.length, rabby.methods()[0]]).toEqual([0, 'eth_requestAccounts'])
})
