import { useEffect, useState } from 'react'
import styles from './shell.module.css'

/** A QR code; its library loads with the first one. Dark on light in both themes, or cameras fail. */
export function Qr({ text, name }: { text: string; name: string }) {
  const [drawn, setDrawn] = useState<{ size: number; path: string }>()
  useEffect(() => {
    let isCurrent = true
    void import('./qr.ts').then(({ qrPath }) => {
      if (isCurrent) setDrawn(qrPath(text))
    })
    return () => {
      isCurrent = false
    }
  }, [text])
  return (
    <svg
      className={styles.qr}
      viewBox={`0 0 ${drawn?.size ?? 1} ${drawn?.size ?? 1}`}
      role="img"
      aria-label={name}
    >
      <path d={drawn?.path} shapeRendering="crispEdges" />
    </svg>
  )
}
