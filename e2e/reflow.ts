import type { Page } from 'playwright-core'

/** What does not fit: how far the page can be scrolled to the side, texts that are cut off, elements that stick out. */
export const unfitting = (page: Page): Promise<string[]> =>
  page.evaluate(() => {
    const { scrollWidth, clientWidth } = document.documentElement
    const trouble = [...document.querySelectorAll('main *, header *, footer *, dialog[open] *')].filter(
      (element) => {
        const { overflowX, textOverflow } = getComputedStyle(element)
        const { width, right } = element.getBoundingClientRect()
        if (
          width === 0 ||
          !element.checkVisibility() ||
          element.closest('.visually-hidden, .table-frame thead, svg')
        )
          return false
        const isClipped =
          overflowX !== 'visible' &&
          textOverflow !== 'ellipsis' &&
          element.scrollWidth > element.clientWidth + 1
        return isClipped || right > clientWidth + 1
      },
    )
    const names = trouble.map(
      (element) => `${element.localName}.${element.className} ${element.textContent?.slice(0, 40)}`,
    )
    return scrollWidth > clientWidth ? [`the page, by ${scrollWidth - clientWidth} px`, ...names] : names
  })
