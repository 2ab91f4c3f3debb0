/** Moves focus to the first wrong field, once it is marked as wrong. */
export function focusWrong(form: HTMLElement): void {
  requestAnimationFrame(() => form.querySelector<HTMLElement>('[aria-invalid="true"]')?.focus())
}
