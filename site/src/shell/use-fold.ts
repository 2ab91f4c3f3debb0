import { type SyntheticEvent, useEffect, useRef, useState } from 'react'

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
