/** localStorage that never throws: it may be full, forbidden, or hold data of an older page. */
export const storage = {
  read<T>(key: string, isValid: (value: unknown) => value is T): T | undefined {
    try {
      const value: unknown = JSON.parse(localStorage.getItem(key) ?? 'null')
      return isValid(value) ? value : undefined
    } catch {
      return undefined
    }
  },
  write(key: string, value: unknown): void {
    try {
      if (value === undefined) localStorage.removeItem(key)
      else localStorage.setItem(key, JSON.stringify(value))
    } catch {
      // The page works without storage; the payment is found on the chain either way.
    }
  },
}

export const walletKey = 'blockdraw:wallet'
export const purchasesKey = 'blockdraw:purchases'
export const termsKey = 'blockdraw:terms'
export const acceptedKey = 'blockdraw:accepted'
export const themeKey = 'blockdraw:theme'
export const languageKey = 'blockdraw:language'
