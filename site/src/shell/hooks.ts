import { useStore } from '@nanostores/react'
import type { Store } from 'nanostores'
import { type SyntheticEvent, useEffect, useRef, useState } from 'react'
import { $live } from '../live/live.ts'

/** The value of a store; the one it begins with while the page is built, and until React has taken the island over. */
export const useShown = <S extends Store>(store: S) => useStore(store, { ssr: 'initial' })

export const useLive = () => useShown($live)

/** Whether a `details` is open, and what it takes to know: also one opened before this page's scripts had started. */
export function useFold() {
  const [isOpen, setOpen] = useState(false)
  const ref = useRef<HTMLDetailsElement>(null)
  useEffect(() => {
    if (ref.current?.open) setOpen(true)
  }, [])
  const onToggle = ({ currentTarget }: SyntheticEvent<HTMLDetailsElement>) => setOpen(currentTarget.open)
  return { isOpen, fold: { ref, onToggle } }
}

/** A `dialog` that is open as long as this is true. */
export function useModal(isOpen: boolean) {
  const dialog = useRef<HTMLDialogElement>(null)
  useEffect(() => {
    if (isOpen && !dialog.current?.open) dialog.current?.showModal()
    if (!isOpen) dialog.current?.close()
  }, [isOpen])
  return dialog
}

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
