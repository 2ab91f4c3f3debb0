import type { Page } from 'playwright-core'

/** Layout overflow: how far the page scrolls sideways, texts cut off, elements that stick out. */
export const unfitting = (page: Page): Promise<string[]> =>
  page.evaluate(() => {
    const { scrollWidth, clientWidth } = document.documentElement
    // What only screen readers see, drawings, and what scrolls sideways by itself: fields, and rows of cards.
    const isLeftOut = (element: Element): boolean =>
      element.matches('input, svg') ||
      getComputedStyle(element).clipPath === 'inset(50%)' ||
      getComputedStyle(element).scrollSnapType.startsWith('x') ||
      Boolean(element.parentElement && isLeftOut(element.parentElement))
    const trouble = [...document.querySelectorAll('main *, header *, footer *, dialog[open] *')].filter(
      (element) => {
        const { overflowX, textOverflow } = getComputedStyle(element)
        const { width, right } = element.getBoundingClientRect()
        const isClipped =
          overflowX !== 'visible' &&
          textOverflow !== 'ellipsis' &&
          element.scrollWidth > element.clientWidth + 1
        if (width === 0 || (!isClipped && right <= clientWidth + 1)) return false
        return element.checkVisibility() && !isLeftOut(element)
      },
    )
    const names = trouble.map(
      (element) => `${element.localName}.${element.className} ${element.textContent?.slice(0, 40)}`,
    )
    return scrollWidth > clientWidth ? [`the page, by ${scrollWidth - clientWidth} px`, ...names] : names
  })
