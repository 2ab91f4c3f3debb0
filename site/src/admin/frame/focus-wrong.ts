/** To the first field that is not right, once it is shown as such: nobody has to look for it. */
export function focusWrong(form: HTMLElement): void {
  requestAnimationFrame(() => form.querySelector<HTMLElement>('[aria-invalid="true"]')?.focus())
}
