/**
 * Presses what was pressed, and sends what was sent, before the scripts of this page listened: start-when-painted.js
 * has marked it. From here on the page listens itself.
 */
export function replayEarly(): void {
  document.documentElement.setAttribute('data-awake', '')
  for (const element of document.querySelectorAll<HTMLElement>('[data-early]')) {
    element.removeAttribute('data-early')
    if (element instanceof HTMLFormElement) element.requestSubmit()
    else element.click()
  }
}
