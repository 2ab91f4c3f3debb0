import { expect, test } from 'vitest'
import { openStory } from '../lab/story.ts'
import { buyButton, connectWallet, goTo } from '../lab/verbs.ts'
import { fakeState } from './screens/screen-states.ts'

const story = openStory()

test('S1: if the server names another token than the page was built with, nothing can be paid', async () => {
  const { page, wallet } = await story.visit({
    prepare: (context) =>
      fakeState(context, story.stack, {
        // The first block may not have come yet when the state is read.
        config: { tokenAddress: `0x${'66'.repeat(20)}`, isSoon: false },
      }),
  })
  await connectWallet(page)
  await goTo(page, 'Buy Tickets')
  await page.getByText('The server names another wallet or token').first().waitFor()
  expect(await buyButton(page).isDisabled()).toBe(true)
  expect(wallet.sent()).toEqual([])
  await goTo(page, 'Home')
  expect(await page.locator('[data-address]').first().innerText()).toBe('Not Set')
  expect(await page.content()).not.toContain(await story.account(0))
})
