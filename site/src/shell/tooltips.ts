/** How long a pointer rests before a name shows, and how soon after it the next one shows at once: docs/spec.md. */
const delayMs = 700
const skipMs = 300
const gapPx = 8

/** Names what is an icon alone, by its `aria-label`: after a while under a pointer, at once under the keyboard. */
export function startTooltips(): void {
  let under: HTMLElement | undefined
  let shown: HTMLElement | undefined
  let timer: ReturnType<typeof setTimeout> | undefined
  let hiddenAt = Number.NEGATIVE_INFINITY

  const hide = () => {
    clearTimeout(timer)
    if (shown) hiddenAt = Date.now()
    shown?.remove()
    shown = undefined
  }
  const show = (icon: HTMLElement) => {
    hide()
    shown = tipOf(icon)
  }
  document.addEventListener('pointerover', ({ target, pointerType }) => {
    const icon = iconAt(target)
    if (icon === under || pointerType === 'touch' || target === shown) return
    under = icon
    hide()
    if (icon) timer = setTimeout(show, Date.now() - hiddenAt < skipMs ? 0 : delayMs, icon)
  })
  document.addEventListener('focusin', ({ target }) => {
    const icon = iconAt(target)
    if (icon?.matches(':focus-visible')) show(icon)
    else hide()
  })
  for (const left of ['focusout', 'pointerdown', 'scroll'])
    document.addEventListener(left, hide, { capture: true })
  document.addEventListener('keydown', ({ key }) => key === 'Escape' && hide())
}

function iconAt(target: EventTarget | null): HTMLElement | undefined {
  const found = (target as Element | null)?.closest?.<HTMLElement>('button[aria-label], a[aria-label]')
  return found && found.textContent?.trim() === '' ? found : undefined
}

/** Below it, or above where the window ends; in the same dialog, as nothing outside is seen beside an open one. */
function tipOf(icon: HTMLElement): HTMLElement {
  const tip = document.createElement('div')
  tip.role = 'tooltip'
  tip.className = 'tooltip'
  tip.textContent = icon.getAttribute('aria-label')
  const place = icon.closest('dialog') ?? document.body
  place.append(tip)
  const { left, top, bottom, width } = icon.getBoundingClientRect()
  const isBelow = bottom + gapPx + tip.offsetHeight <= innerHeight
  const most = innerWidth - tip.offsetWidth - gapPx
  tip.style.left = `${Math.max(gapPx, Math.min(most, left + (width - tip.offsetWidth) / 2))}px`
  tip.style.top = `${isBelow ? bottom + gapPx : top - gapPx - tip.offsetHeight}px`
  return tip
}
