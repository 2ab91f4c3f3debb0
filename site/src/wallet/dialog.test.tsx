import { expect, test } from 'vitest'
import { buttonsOf, markupOf, read, tell } from '../../../e2e/lab/islands.ts'
import { wallet } from '../../../e2e/lab/told.ts'
import { en } from '../texts/en.ts'
import { WalletButton, WalletDialog } from './WalletButton.tsx'
import { $offers, $wallet, $walletTrouble } from './wallet.ts'

const button = () => read(<WalletButton />)[0]

test('the header: Connect Wallet, Connecting..., then the first 4 and last 4 characters, which disconnect', () => {
  tell()
  expect(button()).toBe('Connect Wallet')
  $wallet.set({ status: 'connecting', name: 'MetaMask' })
  expect(button()).toBe('Connecting...')
  $wallet.set({ status: 'connected', address: wallet, isOnBsc: true })
  expect(button()).toBe('0x70…79C8')
  expect(buttonsOf(<WalletButton />)[0]).toBe('0x70…79C8, disconnect wallet')
})

test('the dialog: Connect MetaMask, other wallets that announced themselves, and a link to download one', () => {
  tell()
  expect(read(<WalletDialog />)).toEqual([
    ...['Connect Wallet', en.wallet.lead, 'Connect MetaMask', en.wallet.download],
  ])
  expect(markupOf(<WalletDialog />)).toContain('href="https://metamask.io/download/"')
  const info = { uuid: '1', name: 'Rabby Wallet', rdns: 'io.rabby', icon: 'https://tracker.example/icon.png' }
  $offers.set([{ info, provider: { request: async () => null } }])
  expect(buttonsOf(<WalletDialog />).slice(1)).toEqual(['Connect MetaMask', 'Rabby Wallet'])
  expect(markupOf(<WalletDialog />)).not.toContain('tracker.example')
  $offers.set([])
})

test('the wallet that is asked cannot be asked again, another one can, and trouble is told where it arose', () => {
  tell()
  $wallet.set({ status: 'connecting', name: 'MetaMask' })
  expect(buttonsOf(<WalletDialog />)).toEqual(['Close', '- Connecting...'])
  expect(read(<WalletDialog />)).toContain('Answer the request in MetaMask.')
  tell()
  $walletTrouble.set(en.wallet.noMetaMaskHere)
  expect(markupOf(<WalletDialog />)).toContain(en.wallet.noMetaMaskHere)
  $walletTrouble.set('')
})
