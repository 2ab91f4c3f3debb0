import { useStore } from '@nanostores/react'
import type { Store } from 'nanostores'
import {
  Component,
  type ComponentType,
  type ReactNode,
  type SyntheticEvent,
  useEffect,
  useRef,
  useState,
} from 'react'
import { $live } from '../live/live.ts'

/** So often an island may fail at once; after that it stays empty, as it would fail for ever. */
const mostAtOnce = 5
const atOnceMs = 1_000

/** An island that fails, as under a translator, is mounted anew. What has to outlive that stands in a store. */
export const island = <P extends object>(Inside: ComponentType<P>): ComponentType<P> =>
  function Island(props: P) {
    return (
      <Boundary>
        <Inside {...props} />
      </Boundary>
    )
  }

class Boundary extends Component<{ children: ReactNode }, { mounted: number; hasFailed: boolean }> {
  override state = { mounted: 0, hasFailed: false }
  #failures: number[] = []

  static getDerivedStateFromError() {
    return { hasFailed: true }
  }

  override componentDidCatch(): void {
    const now = Date.now()
    this.#failures = [...this.#failures, now].filter((at) => now - at < atOnceMs)
    if (this.#failures.length <= mostAtOnce)
      this.setState(({ mounted }) => ({ mounted: mounted + 1, hasFailed: false }))
  }

  override render() {
    const { mounted, hasFailed } = this.state
    return hasFailed ? null : <Keyed key={mounted}>{this.props.children}</Keyed>
  }
}

const Keyed = ({ children }: { children: ReactNode }) => children

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
