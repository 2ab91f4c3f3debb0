const key = 'blockdraw:device'

/**
 * A random id that stays in this browser. It opens nothing: the server only tells a browser that has logged in before
 * from strangers of the same address. Undefined where nothing can be stored.
 */
export function readDeviceId(): string | undefined {
  try {
    const known = localStorage.getItem(key)
    if (known) return known
    const bytes = crypto.getRandomValues(new Uint8Array(32))
    const made = Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('')
    localStorage.setItem(key, made)
    return made
  } catch {
    return undefined
  }
}
