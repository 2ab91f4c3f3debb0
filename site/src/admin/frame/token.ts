const key = 'adminToken'
const noticeKey = 'blockdraw:admin-notice'

/** The session's token. Storage can be switched off, which throws: then nobody is logged in. */
export function readToken(): string | undefined {
  try {
    return localStorage.getItem(key) || undefined
  } catch {
    return undefined
  }
}

/** False where the browser keeps nothing. */
export function writeToken(token: string | undefined): boolean {
  try {
    if (token === undefined) localStorage.removeItem(key)
    else localStorage.setItem(key, token)
    return true
  } catch {
    return false
  }
}

/** A sentence for the next page, which reads it once. */
export function leaveNotice(text: string): void {
  try {
    sessionStorage.setItem(noticeKey, text)
  } catch {
    // The page goes on without it.
  }
}

export function takeNotice(): string | undefined {
  try {
    const text = sessionStorage.getItem(noticeKey) ?? undefined
    sessionStorage.removeItem(noticeKey)
    return text
  } catch {
    return undefined
  }
}
