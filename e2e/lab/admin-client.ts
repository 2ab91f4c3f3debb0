type Answer = {
  status: number
  // biome-ignore lint/suspicious/noExplicitAny: a test reads any answer
  body: any
}

/** Calls as the administrator's dashboard makes them, with the token of the last login. */
export function createAdminClient(url: () => string, account: { username: string; password: string }) {
  let token = ''
  const call = async (method: string, path: string, body?: unknown): Promise<Answer> => {
    const response = await fetch(url() + path, {
      method,
      headers: {
        ...(body !== undefined && { 'content-type': 'application/json' }),
        ...(token && path.includes('/admin/') && { authorization: `Bearer ${token}` }),
      },
      body: body === undefined ? null : JSON.stringify(body),
    })
    const text = await response.text()
    const isJson = response.headers.get('content-type')?.includes('json')
    return { status: response.status, body: isJson && text !== '' ? JSON.parse(text) : text }
  }
  return {
    call,
    login: async (): Promise<string> => {
      token = ''
      token = (await call('POST', '/api/admin/login', account)).body.token
      return token
    },
  }
}
