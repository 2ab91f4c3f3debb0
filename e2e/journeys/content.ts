import type { FrameLocator, Locator } from 'playwright-core'
import { expect, test } from 'vitest'
import type { PublicDrawnTicket } from '../../core/live/public.ts'
import type { AdminStory } from '../lab/admin-story.ts'
import { agree, fieldDate, openTab, png } from '../lab/admin-verbs.ts'
import { newestTime } from '../lab/chain-verbs.ts'
import { soon } from '../lab/story.ts'
import { connectWallet, toastText } from '../lab/verbs.ts'
import { deliver } from './prize.ts'

type Both = { en: string; ko: string }

const unfoldContent = (form: Locator): Promise<void> =>
  form.getByRole('region', { name: '다음 이벤트 내용' }).locator('summary').click()

const prizeOf = (form: Locator, place: number): Locator => form.getByRole('region', { name: `경품 ${place}` })

const titleOf = (preview: FrameLocator) => preview.locator('[data-slot="hero-title"]').innerText()

/** The next event, from its texts and pictures to its public page; of the one before, a prize is sent and another delivered. */
export function contentJourney({ story, event, get, atDashboard }: AdminStory): void {
  test('an administrator writes the next event in two languages, sees it at once, and starts it for everybody; the one before stays with its prizes', async () => {
    const { number: past } = await event()
    const [winner]: PublicDrawnTicket[] = await get('/api/raffle/winners')
    const { page: visitor } = await story.visit({ withWallet: false, width: 390, path: '/#winner' })
    const { page: holder } = await story.visit({
      ...{ path: '/#winner', wallet: { accounts: [winner?.walletAddress ?? expect.fail()] } },
    })
    await connectWallet(holder)
    const { page } = await atDashboard('event', 1440)
    await openTab(page, '다음 이벤트')
    const form = page.getByRole('form', { name: '다음 이벤트' })
    await unfoldContent(form)
    const preview = page.frameLocator('iframe[title^="미리보기"]')
    // Markup stays text, in the preview and in public.
    await fillBoth(form, '제목', { en: 'Two <i>miners</i>.', ko: '채굴기 <i>두</i> 대.' })
    await soon(() => titleOf(preview)).toContain('채굴기 <i>두</i> 대')
    await prizeOf(form, 1).getByLabel('수량').fill('2')
    await form.getByRole('button', { name: '경품 추가' }).click()
    const phone = prizeOf(form, 2)
    await fillBoth(phone, '이름', { en: 'Phone', ko: '휴대전화' })
    await phone.getByLabel('인쇄되는 가치').fill('$900')
    const file = { name: 'phone.png', mimeType: 'image/png', buffer: png }
    await phone.getByLabel('사진 파일').setInputFiles([file])
    const picture = phone.getByRole('group', { name: '사진 1' })
    await fillBoth(picture, '대체 텍스트', { en: 'From the front', ko: '앞에서' })
    // The phone becomes the first prize by keyboard alone, and its picture is on the ticket.
    await prizeOf(form, 2).getByRole('button', { name: '경품 2 위로' }).press('Enter')
    await soon(() => preview.locator('[data-slot="hero-picture"] img').getAttribute('alt')).toBe('앞에서')
    await soon(() => page.evaluate(() => document.activeElement?.getAttribute('aria-label'))).toBe(
      '경품 1 아래로',
    )
    const region = page.getByRole('region', { name: '미리보기' })
    await region.getByRole('button', { name: 'English' }).click()
    await soon(() => titleOf(preview)).toContain('Two <i>miners</i>')

    // What is typed outlives the page.
    const kept = () => page.evaluate(() => localStorage.getItem('blockdraw:admin-content-next') ?? '')
    await soon(kept).toContain('From the front')
    page.on('dialog', (dialog) => dialog.accept())
    await page.reload()
    await unfoldContent(form)
    await soon(() => form.getByLabel('제목 · English').inputValue()).toBe('Two <i>miners</i>.')
    await form.getByRole('button', { name: '이벤트 저장' }).click()
    await toastText(page, '이벤트 설정을 저장했습니다')
    await soon(kept).toBe('')

    await openTab(page, '기본 설정')
    const date = (await newestTime(story.stack.chain.url)) * 1000 + 2 * 86_400_000
    await page.getByLabel('추첨 일시 (UTC)', { exact: true }).fill(fieldDate(date))
    // Open pages tell of another event then, and are loaded anew.
    const renewed = Promise.all(
      [visitor, holder].map((open) => open.waitForEvent('load', { timeout: 60_000 })),
    )
    await page.getByRole('button', { name: '설정 저장' }).click()
    await agree(page, '보관하고 시작')
    await toastText(page, '설정을 저장했습니다')
    expect((await event()).number).toBe(past + 1)

    for (const [path, title, alt] of [
      ['/', 'Two <i>miners</i>.', 'From the front'],
      ['/ko/', '채굴기 <i>두</i> 대.', '앞에서'],
    ] as const) {
      const { page: public_ } = await story.visit({ path, withWallet: false, javaScript: false })
      const shown = () => public_.reload().then(() => public_.locator('[data-slot="hero-title"]').innerText())
      await soon(shown).toContain(title)
      const shownPicture = public_.locator('[data-slot="hero-picture"] img')
      expect(await shownPicture.getAttribute('alt')).toBe(alt)
      expect(
        (await fetch(new URL((await shownPicture.getAttribute('src')) ?? '', public_.url()))).status,
      ).toBe(200)
    }

    const { page: running } = await story.visit({ path: `/e/${past + 1}/`, withWallet: false })
    const calendar = await running.getByRole('link', { name: 'Follow in calendar' }).getAttribute('href')
    const entries = await fetch((calendar ?? '').replace(/^webcal:/, 'http:'))
    expect([calendar, await entries.text()]).toEqual([
      ...[expect.stringMatching(/^webcal:/), expect.stringContaining('DTSTART:')],
    ])

    // The event before stays to be read and checked.
    const { page: reader } = await story.visit({ path: `/e/${past}/`, withWallet: false, javaScript: false })
    const { result } = await get(`/api/raffle/event/${past}`)
    expect(await reader.locator('[data-slot=result]').innerText()).toContain(result.randomNumber)
    expect(await reader.getByRole('link', { name: 'Buy Tickets' }).count()).toBe(0)
    expect(await reader.getByRole('link', { name: 'Proof file' }).getAttribute('href')).toBe(
      `/api/raffle/proof/${past}`,
    )
    await renewed
    await visitor.getByRole('heading', { name: 'Draw Scheduled' }).waitFor()
    await visitor.getByRole('button', { name: `Check event ${past}` }).click()
    await visitor.getByLabel(`Event #${past}, checked with this node`).waitFor()
    const before = visitor.locator(`[data-past-prizes="${past}"]`)
    await before.locator('> summary').click()
    await before.locator('[data-prize="2"][data-standing=delivered] [data-holder=reserve]').waitFor()
    // A prize that is not over keeps its card there.
    await holder.locator(`[data-past-prizes="${past}"] > summary`).click()
    await holder.getByRole('heading', { name: 'Your prize is on its way' }).waitFor()
    await openTab(page, '블록체인 추첨')
    await deliver(page, `${past} 1`)
    await before.locator('[data-prize="1"][data-standing=delivered]').waitFor()
  })
}

/** A field that is there in both languages. */
async function fillBoth(part: Locator, label: string, { en, ko }: Both): Promise<void> {
  await part.getByLabel(`${label} · English`).fill(en)
  await part.getByLabel(`${label} · 한국어`).fill(ko)
}
