import type { Page } from 'playwright-core'
import { hangulOn } from '../../../lab/hangul.ts'

/**
 * What a stranger would hold against this page at this width, found by measuring: Korean where English was chosen,
 * sideways scroll, text that is cut, buttons that are too small or too near each other.
 */
export async function faultsOn(page: Page, isEnglish: boolean): Promise<string[]> {
  // The audit log shows contents as they were kept: in both languages.
  const korean = isEnglish ? (await hangulOn(page)).filter((text) => !text.startsWith('{"en":')) : []
  return [...korean.map((text) => `Korean: ${text}`), ...(await measured(page))]
}

const measured = (page: Page): Promise<string[]> =>
  page.evaluate(() => {
    const found: string[] = []
    const modal = [...document.querySelectorAll('dialog[open]')].at(-1)
    const isSeen = (element: Element) => element.checkVisibility({ checkOpacity: true })
    const nameOf = (element: Element) =>
      `${element.tagName.toLowerCase()} "${(element.getAttribute('aria-label') ?? element.textContent ?? '').trim().slice(0, 60)}"`
    /** As much of it as the parts it scrolls in show. */
    const shownPart = (element: Element) => {
      const { left, right, ...box } = element.getBoundingClientRect().toJSON() as DOMRect
      let { top, bottom } = box
      for (let around = element.parentElement; around; around = around.parentElement) {
        if (!/auto|scroll/.test(getComputedStyle(around).overflowY)) continue
        const edge = around.getBoundingClientRect()
        top = Math.max(top, edge.top)
        bottom = Math.min(bottom, edge.bottom)
      }
      return { left, right, top, bottom }
    }
    const { scrollWidth, clientWidth } = document.documentElement
    if (scrollWidth > clientWidth) found.push(`Sideways: ${scrollWidth} in ${clientWidth}`)
    const root = modal ?? document.body
    for (const element of root.querySelectorAll('*')) {
      if (!isSeen(element) || element.closest('.visually-hidden, svg')) continue
      const { overflowX, textOverflow } = getComputedStyle(element)
      const isCut = ['hidden', 'clip'].includes(overflowX) && element.scrollWidth > element.clientWidth + 1
      if (isCut && element.textContent?.trim() && element.clientWidth > 1 && textOverflow !== 'ellipsis')
        found.push(`Cut: ${nameOf(element)}`)
    }
    // What floats above the page covers what it must, and a field has buttons in it.
    const targets = [
      ...root.querySelectorAll(
        'button, [role=tab], select, a.button, input:not([type=radio], [type=checkbox], [type=file])',
      ),
    ]
      .filter((element) => isSeen(element) && !element.closest('#toasts'))
      .map((element) => ({ element, box: element.getBoundingClientRect() }))
      .filter(({ box }) => box.width > 2 && box.height > 2)
    for (const { element, box } of targets) {
      if (Math.min(box.width, box.height) < 24 && !element.matches('.link'))
        found.push(`Small: ${nameOf(element)} ${Math.round(box.width)}x${Math.round(box.height)}`)
      if (box.right > innerWidth + 1) found.push(`Outside: ${nameOf(element)}`)
      if (element.matches('button') && element.scrollWidth > element.clientWidth + 1)
        found.push(`Cut: ${nameOf(element)}`)
    }
    for (const [at, one] of targets.entries())
      for (const other of targets.slice(at + 1)) {
        if (one.element.matches('input') || other.element.closest('.actions, [data-save-bar]')) continue
        if (one.element.contains(other.element) || other.element.contains(one.element)) continue
        const [a, b] = [shownPart(one.element), shownPart(other.element)]
        const width = Math.min(a.right, b.right) - Math.max(a.left, b.left)
        const height = Math.min(a.bottom, b.bottom) - Math.max(a.top, b.top)
        if (width > 2 && height > 2)
          found.push(`Overlap: ${nameOf(one.element)} and ${nameOf(other.element)}`)
      }
    return [...new Set(found)]
  })
