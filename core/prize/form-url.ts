/** Hosts of the winner's delivery form where FORM_HOSTS names none. */
export const defaultFormHosts: readonly string[] = ['docs.google.com', 'forms.gle']

/**
 * True for an https address on one of these hosts exactly: no other port, no user, no final dot. Browsers turn letters
 * of other scripts into `xn--` names, which are other hosts.
 */
export function isFormUrl(value: string, hosts: readonly string[]): boolean {
  const url = URL.canParse(value) ? new URL(value) : undefined
  return (
    url?.protocol === 'https:' &&
    url.port === '' &&
    url.username === '' &&
    url.password === '' &&
    hosts.includes(url.hostname)
  )
}

/** As FORM_HOSTS lists them: a name of two labels or more, in lower case, nothing around it. */
export const isHostName = (text: string): boolean =>
  text.length <= 253 && /^(?:[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?\.)+[a-z][a-z0-9-]*[a-z0-9]$/.test(text)
