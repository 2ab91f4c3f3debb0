import { admin } from './admin-api.ts'

export type Rightful = { knownS: number; newS: number; actS: number }

const deadlineS = 30

/** The administrator of the benches, as the dashboard calls. */
export function rightful(url: string, office: string) {
  const call = (path: string, from: string, headers: Record<string, string>, body?: unknown) =>
    fetch(url + path, {
      method: body === undefined ? 'GET' : 'POST',
      headers: { 'content-type': 'application/json', 'x-forwarded-for': from, ...headers },
      ...(body !== undefined && { body: JSON.stringify(body) }),
    })

  /** Tries until it is in, as a person would who is told to wait; a refusal costs a second. */
  async function login(
    from: string,
    headers: Record<string, string>,
  ): Promise<{ token: string; tookS: number; headers: Record<string, string> }> {
    const began = performance.now()
    for (;;) {
      const answer = await call('/api/admin/login', from, headers, admin)
      const body = (await answer.json()) as { token: string }
      const tookS = (performance.now() - began) / 1000
      const cookie = answer.headers.get('set-cookie')?.split(';')[0]
      if (cookie) known = { ...browser, cookie }
      const bound = { authorization: `Bearer ${body.token}`, ...(cookie && { cookie }) }
      if (answer.ok || tookS > deadlineS) return { token: body.token, tookS, headers: bound }
      await Bun.sleep(1_000)
    }
  }
  async function act(headers: Record<string, string>): Promise<number> {
    const began = performance.now()
    const answer = await call('/api/admin/event/settings', office, headers, { prizeDescription: 'A prize' })
    const text = await answer.text()
    if (!answer.ok) throw new Error(`The action answered ${answer.status} ${text}`)
    return (performance.now() - began) / 1000
  }
  const browser = { 'sec-fetch-site': 'same-origin' }
  /** With the cookie that the last login has set. */
  let known: Record<string, string> = browser
  return {
    /** Before the attack: from now on the browser is known. */
    begin: () => login(office, known),
    /** During it: logs in with the browser that is known, then acts; and with a new one from a new address. */
    async work(fresh: string): Promise<Rightful> {
      const { headers, tookS: knownS } = await login(office, known)
      const actS = await act(headers)
      const { tookS: newS } = await login(fresh, {})
      return { knownS, actS, newS }
    },
    logout: (headers: Record<string, string>) => call('/api/admin/logout', office, headers, {}),
  }
}
