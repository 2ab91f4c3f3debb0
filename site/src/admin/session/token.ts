const key = 'adminToken'
const noticeKey = 'blockdraw:admin-notice'
const laterKey = 'blockdraw:otp-later'

/** Storage may be switched off or full: then nothing is kept, and this is undefined. */
export function attempt<T>(act: () => T): T | undefined {
  try {
    return act()
  } catch {
    return undefined
  }
}

export const readToken = (): string | undefined => attempt(() => localStorage.getItem(key)) || undefined

export const writeToken = (token: string | undefined): boolean =>
  attempt(() => {
    if (token === undefined) localStorage.removeItem(key)
    else localStorage.setItem(key, token)
    return true
  }) ?? false

export const isPutOff = (): boolean => Boolean(attempt(() => sessionStorage.getItem(laterKey)))

export const putOff = (isLater: boolean): void =>
  attempt(() => (isLater ? sessionStorage.setItem(laterKey, '1') : sessionStorage.removeItem(laterKey)))

export const leaveNotice = (text: string): void => attempt(() => sessionStorage.setItem(noticeKey, text))

export function takeNotice(): string | undefined {
  const text = attempt(() => sessionStorage.getItem(noticeKey)) ?? undefined
  attempt(() => sessionStorage.removeItem(noticeKey))
  return text
}
