import { flushSync } from 'react-dom'

/**
 * Moves focus to the first field that this press has marked as wrong, and unfolds what it is in, before anything else is
 * heard: a frame later the visitor may be typing in another field already, whose letters would land here.
 */
export function focusWrong(form: HTMLElement): void {
  queueMicrotask(() => {
    flushSync(() => undefined)
    const field = form.querySelector<HTMLElement>('[aria-invalid="true"]')
    for (let fold = field?.closest('details'); fold; fold = fold.parentElement?.closest('details'))
      fold.open = true
    field?.focus()
  })
}
