const key = 'adminToken'
const noticeKey = 'blockdraw:admin-notice'

/** The session's token. If storage is switched off, reading throws and nobody is logged in. */
export function readToken(): string | undefined {
  try {
    return localStorage.getItem(key) || undefined
  } catch {
    return undefined
  }
}

/** False if the browser cannot store it. */
export function writeToken(token: string | undefined): boolean {
  try {
    if (token === undefined) localStorage.removeItem(key)
    else localStorage.setItem(key, token)
    return true
  } catch {
    return false
  }
}

const laterKey = 'blockdraw:otp-later'

/** Whether this login has put off the set-up of a second factor. */
export function isPutOff(): boolean {
  try {
    return sessionStorage.getItem(laterKey) !== null
  } catch {
    return false
  }
}

/** A new login asks again. */
export function putOff(isLater: boolean): void {
  try {
    if (isLater) sessionStorage.setItem(laterKey, '1')
    else sessionStorage.removeItem(laterKey)
  } catch {
    // It is asked on every page then.
  }
}

/** A message for the next page, which reads it once. */
export function leaveNotice(text: string): void {
  try {
    sessionStorage.setItem(noticeKey, text)
  } catch {
    // The page works without it.
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
