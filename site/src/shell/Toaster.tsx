import { useStore } from '@nanostores/react'
import badIcon from 'lucide-static/icons/circle-alert.svg?raw'
import goodIcon from 'lucide-static/icons/circle-check.svg?raw'
import plainIcon from 'lucide-static/icons/info.svg?raw'
import closeIcon from 'lucide-static/icons/x.svg?raw'
import { Toast } from 'radix-ui'
import { useEffect, useLayoutEffect, useRef } from 'react'
import { createRoot } from 'react-dom/client'
import { Icon } from './Icon.tsx'
import { island } from './island.tsx'
import styles from './Toaster.module.css'
import { $toast } from './toast.ts'

const icons = { plain: plainIcon, good: goodIcon, bad: badIcon }

/** Texts for screen readers, in the page's language. */
type Words = { close: string; area: string; toast: string }
/** Five seconds are too short to read the toast, decide and press its button. */
const actionMs = 15_000

/** One toast at a time: a new one replaces the last by its key. */
function Toaster({ layer, words, isCalled }: { layer: HTMLElement; words: Words; isCalled: boolean }) {
  const toast = useStore($toast)
  const area = useRef<HTMLOListElement>(null)
  // Opened again for each toast: the last popover to open is on top.
  useLayoutEffect(() => {
    // Older browsers have no top layer: there it is shown in its place all the same.
    if (!('showPopover' in layer)) return
    if (toast && layer.matches(':popover-open')) layer.hidePopover()
    if (!layer.matches(':popover-open')) layer.showPopover()
  }, [toast, layer])
  useEffect(() => {
    if (isCalled) area.current?.focus()
  }, [isCalled])
  return (
    <Toast.Provider label={words.toast} duration={5000} swipeDirection="right" swipeThreshold={50}>
      {toast && (
        <Toast.Root
          key={toast.id}
          className={styles.toast}
          type={toast.tone === 'bad' ? 'foreground' : 'background'}
          data-tone={toast.tone}
          {...(toast.action && { duration: actionMs })}
        >
          <Icon svg={icons[toast.tone]} />
          <Toast.Title className="strong">{toast.title}</Toast.Title>
          <Toast.Close className={`tool ${styles.close}`} aria-label={words.close}>
            <Icon svg={closeIcon} />
          </Toast.Close>
          <Toast.Description data-toast-text className="muted size-14">
            {/* A line in the page's language, and one that was given in Korean behind it. */}
            {toast.text.split('\n').map((line, at) => (
              <span key={line} lang={/[가-힣]/.test(line) ? 'ko' : undefined}>
                {at > 0 && ' '}
                {line}
              </span>
            ))}
          </Toast.Description>
          {toast.action && (
            <Toast.Action
              className={`${styles.action} link strong`}
              altText={toast.action.label}
              onClick={toast.action.act}
            >
              {toast.action.label}
            </Toast.Action>
          )}
        </Toast.Root>
      )}
      <Toast.Viewport ref={area} className={styles.area} hotkey={['F8']} label={words.area} />
    </Toast.Provider>
  )
}

const Mounted = island(Toaster)

/** `isCalled`: by the key that leads to it, which had nobody to hear it. */
export function mountToaster(place: HTMLElement, words: Words, isCalled = false): void {
  createRoot(place).render(<Mounted layer={place} words={words} isCalled={isCalled} />)
}
