import { useState } from 'react'

/** Copies a text; `isCopied` for two seconds after. Where that is not allowed it can still be selected. */
export function useCopy(text: string): { isCopied: boolean; copy: () => Promise<void> } {
  const [isCopied, setCopied] = useState(false)
  const copy = async () => {
    try {
      await navigator.clipboard.writeText(text)
    } catch {
      return
    }
    setCopied(true)
    setTimeout(() => setCopied(false), 2000)
  }
  return { isCopied, copy }
}
