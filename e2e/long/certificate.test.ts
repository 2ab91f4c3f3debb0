import { expect, test } from 'vitest'
import { openStory } from '../lab/story.ts'
import { fakeState, madeUp } from './screens/screen-states.ts'

const story = openStory()

/** How many pages the certificate of this state has on paper. */
async function printed(name: string, path: string): Promise<number> {
  const [, , state, promised] = madeUp().find(([each]) => each === name) ?? []
  const { page, context } = await story.visit({
    ...{ path, withWallet: false, allow: [/404/] },
    prepare: (made) => fakeState(made, story.stack, state ?? {}, promised),
  })
  await page.evaluate(() => {
    window.print = () => undefined
  })
  const certificate = page.locator('#winner article')
  await certificate.getByRole('img').or(certificate.locator('svg')).first().waitFor()
  await page.locator('#winner [data-certified-prizes]').first().waitFor()
  await page.locator('#winner button', { hasText: path.startsWith('/ko') ? '인쇄' : 'Print' }).click()
  await page.locator('body > div article').waitFor({ state: 'attached' })
  const paper = (await page.pdf({ preferCSSPageSize: true, printBackground: true })).toString('latin1')
  await context.close()
  return paper.match(/\/Type\s*\/Page\b(?!s)/g)?.length ?? 0
}

test.each([
  ['winner-several-3', '/#winner'],
  ['winner-several-20', '/#winner'],
  ['winner-several-20', '/ko/#winner'],
] as const)(
  'the certificate of %s at %s is one page',
  async (name, path) => {
    expect(await printed(name, path)).toBe(1)
  },
  240_000,
)
