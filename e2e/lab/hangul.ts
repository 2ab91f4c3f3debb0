import type { Page } from 'playwright-core'

/** Every text and label with Hangul that the page shows, save the switch and what is written in Korean on purpose. */
export const hangulOn = (page: Page): Promise<string[]> =>
  page.evaluate(() => {
    const closed = [...document.querySelectorAll('details:not([open])')] as HTMLDetailsElement[]
    for (const details of closed) details.open = true
    const isOf = (text: string | null) => /\p{Script=Hangul}/u.test(text ?? '')
    const found = [document.title].filter(isOf)
    for (const element of document.body.querySelectorAll('*')) {
      if (element.closest('body [lang="ko"], textarea, script, noscript') || !element.checkVisibility())
        continue
      const own = [...element.childNodes].filter(({ nodeType }) => nodeType === Node.TEXT_NODE)
      found.push(...own.map(({ textContent }) => textContent ?? '').filter(isOf))
      for (const name of ['aria-label', 'title', 'placeholder', 'alt', 'data-label'])
        if (isOf(element.getAttribute(name))) found.push(`${name}: ${element.getAttribute(name)}`)
    }
    for (const details of closed) details.open = false
    return found
  })
