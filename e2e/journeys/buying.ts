import { eq } from 'drizzle-orm'
import type { Hash } from 'viem'
import { expect, test } from 'vitest'
import { claims } from '../../db/schema/index.ts'
import { operatorAccount } from '../../infra/local/chain.ts'
import { withoutBsc } from '../lab/manners.ts'
import { payByHand, payWithFakeToken } from '../lab/pay.ts'
import { apiAway, type Story, soon } from '../lab/story.ts'
import {
  buyButton,
  connectWallet,
  goTo,
  ownTickets,
  pressBuy,
  purchaseCard,
  recentRows,
  toastText,
  walletButton,
} from '../lab/verbs.ts'

const word = (hex: string) => hex.toLowerCase().replace('0x', '').padStart(64, '0')

/** From the wallet to the tickets, and what may come between. */
export function buying(story: Story): void {
  const claimOf = async (hash: string) =>
    (
      await story.stack.db
        .select()
        .from(claims)
        .where(eq(claims.transactionHash, hash as Hash))
    )[0]
  const stats = async () => (await fetch(`${story.stack.url}/api/raffle/stats`)).json()

  test('a visitor buys 33 tickets for 99 USDT with a wallet that has to add the chain, and all see them without a reload', async () => {
    const { page: phone } = await story.visit({ withWallet: false, width: 639, path: '/#recent' })
    const manner = withoutBsc({ code: 4902, message: 'Unrecognized chain ID "0x38".' })
    const { page, wallet } = await story.visit({ account: 1, wallet: { chainId: 1, manner } })
    const { ticketsSold: before } = await stats()
    await connectWallet(page)
    expect(await toastText(page, 'Wallet Connected')).toBe('MetaMask is connected to the BSC network.')
    expect(wallet.methods()).toEqual([
      ...['eth_requestAccounts', 'wallet_switchEthereumChain', 'wallet_addEthereumChain'],
      ...['eth_chainId', 'eth_chainId'],
    ])
    await soon(() => walletButton(page).innerText()).toBe('0x70…79C8')

    const approve = wallet.hold('eth_sendTransaction')
    await pressBuy(page, 33)
    const step = purchaseCard(page).locator('[aria-current=step]')
    expect(await step.innerText()).toContain('Your wallet asks you to send 99 USDT.')
    expect([await buyButton(page).innerText(), await buyButton(page).isDisabled()]).toEqual([
      'Processing...',
      true,
    ])
    approve()
    expect(await ownTickets(page)).toBe(`#${before + 1}–#${before + 33}`)
    expect(await toastText(page, 'Ticket Purchase Complete!')).toBe(
      'Transaction has been processed successfully.',
    )
    expect(wallet.sent()).toEqual([
      {
        from: await story.account(1),
        to: '0x55d398326f99059fF775485246999027B3197955',
        data: `0xa9059cbb${word(operatorAccount)}${word((99n * 10n ** 18n).toString(16))}`,
        value: '0x0',
        gas: '0x15f90',
        chainId: '0x38',
      },
    ])

    const explorer = await purchaseCard(page).getByRole('link').getAttribute('href')
    const hash = /^https:\/\/bscscan\.com\/tx\/(0x[0-9a-f]{64})$/.exec(explorer ?? '')?.[1] ?? ''
    expect(await claimOf(hash)).toMatchObject({ quantity: 33, amount: 9900 })
    const row = recentRows(phone).filter({ hasText: hash.slice(0, 12) })
    const texts = async () => (await row.innerText()).split('\n').filter((line) => line.trim() !== '')
    expect(await texts()).toEqual(
      expect.arrayContaining([`#${before + 1}`, `${hash.slice(0, 12)}…`, '99 USDT', '33 tickets']),
    )
    await phone.setViewportSize({ width: 640, height: 900 })
    await soon(async () => (await texts())[1]).toBe(`${hash.slice(0, 16)}…`)
    const link = row.getByRole('link')
    expect([await link.getAttribute('href'), await link.getAttribute('target')]).toEqual([explorer, '_blank'])
    expect((await stats()).ticketsSold).toBe(before + 33)
    await page.getByText(`Total Sales: ${before + 33} tickets sold`).waitFor()
  })

  test('an outage of the API is told and recovers by itself, and a purchase in the middle of it is resumed by a later page', async () => {
    const { page: watcher } = await story.visit({ withWallet: false, allow: apiAway, path: '/#recent' })
    const sign = watcher.locator('[data-link-sign]')
    await sign.filter({ hasText: 'Live' }).waitFor()
    const visitor = await story.visit({ account: 6, allow: apiAway })
    await connectWallet(visitor.page)
    await goTo(visitor.page, 'Buy Tickets')
    // The page has heard from the API all that it needs to sell.
    await soon(() => buyButton(visitor.page).isEnabled()).toBe(true)
    await story.stack.api.kill()
    try {
      await pressBuy(visitor.page, 4)
      await visitor.page.getByText('Our server cannot be reached just now.').waitFor()
      await sign.filter({ hasText: /Reconnecting|Offline/ }).waitFor()
      await visitor.page.close()
    } finally {
      await story.stack.api.start()
    }
    const page = await story.reopen(visitor, '/#buy')
    const [first] = (await ownTickets(page)).split('–')
    expect(visitor.wallet.sent()).toHaveLength(1)
    await soon(() => page.evaluate(() => localStorage.getItem('blockdraw:purchases'))).toBe(null)
    await sign.filter({ hasText: 'Live' }).waitFor()
    await recentRows(watcher)
      .filter({ has: watcher.getByText(first ?? '', { exact: true }) })
      .waitFor()
  })

  test('P11: a payment that no page has reported is found by its hash and among the tickets of its wallet; what is no payment is told to be none', async () => {
    const { url } = story.stack.chain
    const payer = await story.account(3)
    const { page } = await story.visit({ account: 3, path: '/#recent' })
    const answer = page.locator('[data-answer]')
    const find = async (text: string) => {
      await page.getByLabel('Transaction hash').fill(text)
      await page.getByRole('button', { name: 'Find' }).click()
    }
    await find('0x12')
    await page.getByText('A transaction hash is 0x and 64 digits from 0 to f.').waitFor()
    expect(await page.getByLabel('Transaction hash').getAttribute('aria-invalid')).toBe('true')
    await find(await payWithFakeToken(url, payer))
    await page.getByText('Only USDT (BEP-20) buys tickets.').waitFor()
    expect(await answer.locator('.badge').innerText()).toBe('Rejected')

    const hash = await payByHand(url, payer, 9)
    await find(`  ${hash.toUpperCase().replace('0X', '0x')} `)
    const told = await answer.getByText(/^Tickets #\d+–#\d+, counted\.$/).innerText()
    const numbers = /#\d+–#\d+/.exec(told)?.[0] ?? ''
    await connectWallet(page)
    await goTo(page, 'Buy Tickets')
    const mine = page.getByRole('region', { name: 'My tickets' })
    await mine.getByText(numbers).waitFor()
    await payByHand(url, payer, 3)
    await mine.getByText(/^#\d+$/).waitFor()
  })
}
