import { fallback } from '../content/site.ts'
import { $gate } from '../house/gate.ts'
import { $link, $live } from '../live/live.ts'
import { restOf } from '../live/stage.ts'
import styles from '../shell/shell.module.css'
import { t } from '../texts/index.ts'
import { isSwapped } from './pinned.ts'

let shown: string | null = null
let said = ''

/** The wallet while a payment gets a ticket, else why not; with the server away the built-in one, to compare. */
export function showByHand(now: number): void {
  const known = $live.get()
  const gate = $gate.get()
  const rest = restOf(known, now)
  if (rest) {
    sayInstead(t.rest[rest].text)
    showOperatorWallet(null, t.rest[rest].instead)
    return
  }
  if (gate.kind !== 'open') {
    sayInstead(gate.kind === 'closed' ? gate.text : '')
    showOperatorWallet(null, gate.instead)
    return
  }
  const isAway = !known.config && $link.get() === 'offline'
  sayInstead(isAway ? t.rest.away : '')
  if (known.config) showOperatorWallet(isSwapped(known.config) ? null : known.config.operatorWallet)
  else if (isAway) showOperatorWallet(fallback.operatorWallet)
}

function sayInstead(text: string): void {
  document.documentElement.toggleAttribute('data-shut', text !== '')
  for (const place of document.querySelectorAll('[data-instead]'))
    if (place.textContent !== text) place.textContent = text
}

/** Writes the operator wallet with its first 6 and last 4 characters highlighted, to be compared by eye; or why it is not shown. */
function showOperatorWallet(wallet: string | null, instead: string = t.none.notSet): void {
  if (wallet === shown && said === (wallet ?? instead)) return
  shown = wallet
  said = wallet ?? instead
  for (const place of document.querySelectorAll<HTMLElement>('[data-address]')) {
    place.textContent = ''
    place.toggleAttribute('data-none', wallet === null)
    if (wallet) place.append(strong(wallet.slice(0, 6)), wallet.slice(6, -4), strong(wallet.slice(-4)))
    else place.append(instead)
  }
  for (const button of document.querySelectorAll<HTMLElement>('[data-copy]')) button.hidden = wallet === null
  for (const details of document.querySelectorAll<HTMLDetailsElement>('[data-qr]')) {
    details.toggleAttribute('data-none', wallet === null)
    if (details.open) void drawCode(details)
  }
}

/** The address as a QR code, drawn when it is first opened and again when the address has changed. */
export function startAddressCodes(): void {
  for (const details of document.querySelectorAll<HTMLDetailsElement>('[data-qr]'))
    details.addEventListener('toggle', () => {
      if (details.open) void drawCode(details)
    })
}

async function drawCode(details: HTMLDetailsElement): Promise<void> {
  const place = details.querySelector('div')
  if (!place || place.dataset.address === said) return
  place.dataset.address = said
  if (!shown) return place.replaceChildren(said)
  const { drawQr } = await import('../shell/qr.ts')
  const code = document.createElement('div')
  Object.assign(code, { className: styles.qr, role: 'img', ariaLabel: shown })
  drawQr(code, shown)
  place.replaceChildren(code)
}

export function startCopying(): void {
  document.addEventListener('click', async (event) => {
    const button = (event.target as Element).closest<HTMLElement>('[data-copy]')
    const word = button?.querySelector('[data-copy-word]')
    if (!button || !word || !shown) return
    try {
      await navigator.clipboard.writeText(shown)
    } catch {
      return // Not allowed here; the visitor can still select the address by hand.
    }
    button.toggleAttribute('data-copied', true)
    word.textContent = t.copied
    setTimeout(() => {
      button.removeAttribute('data-copied')
      word.textContent = t.copy
    }, 2000)
  })
}

function strong(text: string): HTMLElement {
  const element = document.createElement('b')
  element.textContent = text
  return element
}
