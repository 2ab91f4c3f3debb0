import { flushSync } from 'react-dom'

/**
 * Moves focus to the first field that this press has marked as wrong, before anything else is heard: a frame later the
 * visitor may be typing in another field already, whose letters would land here.
 */
export function focusWrong(form: HTMLElement): void {
  queueMicrotask(() => {
    flushSync(() => undefined)
    form.querySelector<HTMLElement>('[aria-invalid="true"]')?.focus()
  })
}
