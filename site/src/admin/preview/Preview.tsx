import { useStore } from '@nanostores/react'
import { useEffect, useRef, useState } from 'react'
import { $stats } from '../../live/live.ts'
import { Row } from '../../shell/Layout.tsx'
import type { Lang } from '../../texts/index.ts'
import { type ContentDraft, shownOf } from '../content/content-draft.ts'
import { language as adminLanguage, t } from '../language/t.ts'
import { Choice } from '../ui/select.tsx'
import { type PreviewMessage, previewReady, type View } from './message.ts'
import styles from './Preview.module.css'

const sizes = { phone: { width: 390, height: 720 }, desktop: { width: 1440, height: 900 } }
const sizeNames = { phone: t('휴대전화'), desktop: t('데스크톱') }
type Size = keyof typeof sizes
const languages = { ko: t('한국어'), en: 'English' } satisfies Record<Lang, string>

const views: Record<View, string> = { home: t('첫 화면'), event: t('이벤트 페이지'), card: t('공유 그림') }

export function Preview({ draft, eventNumber }: { draft: ContentDraft; eventNumber: number }) {
  const [size, setSize] = useState<Size>('phone')
  const [language, setLanguage] = useState<Lang>(adminLanguage)
  const [view, setView] = useState<View>('home')
  return (
    <section className={`stack ${styles.preview}`} aria-label={t('미리보기')} data-width={size}>
      <Row as="header">
        <h3 className="grow">{t('미리보기')}</h3>
        <Choice label={t('보는 화면')} options={views} value={view} onChange={setView} />
        <Choice label={t('화면 폭')} options={sizeNames} value={size} onChange={setSize} />
        <Choice label={t('언어')} options={languages} value={language} onChange={setLanguage} />
      </Row>
      <Page
        key={`${language} ${view}`}
        view={view}
        size={size}
        language={language}
        told={{ eventNumber, content: shownOf(draft) }}
      />
    </section>
  )
}

type PageProps = { size: Size; language: Lang; view: View; told: Omit<PreviewMessage['told'], 'ticketPrice'> }

function Page({ size, language, view, told }: PageProps) {
  const stats = useStore($stats)
  const frame = useRef<HTMLIFrameElement>(null)
  const place = useRef<HTMLDivElement>(null)
  const [isReady, setReady] = useState(false)
  const [room, setRoom] = useState(0)
  const { width, height } = sizes[size]
  const scale = room > 0 ? Math.min(1, room / width) : 1

  useEffect(() => {
    const heard = ({ origin, source, data }: MessageEvent) => {
      if (origin === location.origin && source === frame.current?.contentWindow && data === previewReady)
        setReady(true)
    }
    window.addEventListener('message', heard)
    return () => window.removeEventListener('message', heard)
  }, [])
  useEffect(() => {
    const watch = new ResizeObserver(([entry]) => setRoom(entry?.contentRect.width ?? 0))
    if (place.current) watch.observe(place.current)
    return () => watch.disconnect()
  }, [])
  const theme = useTheme()
  const ticketPrice = Math.round((stats?.ticketPrice ?? 3) * 100)
  const text = JSON.stringify({ ...told, ticketPrice })
  useEffect(() => {
    if (!isReady) return
    const message: PreviewMessage = { type: 'blockdraw:preview', told: JSON.parse(text), language, theme }
    frame.current?.contentWindow?.postMessage(message, location.origin)
  }, [isReady, text, language, theme])

  return (
    <div ref={place} className={styles.place} style={{ height: height * scale }}>
      <iframe
        ref={frame}
        title={t('미리보기, {name}, {languages}', { name: sizeNames[size], languages: languages[language] })}
        src={`/preview/${language === 'ko' ? 'ko/' : ''}${view === 'home' ? '' : `${view}/`}`}
        // Its links lead nowhere, and it opens nothing.
        sandbox="allow-scripts allow-same-origin"
        style={{ width, height, transform: `scale(${scale})` }}
      />
    </div>
  )
}

function useTheme(): PreviewMessage['theme'] {
  const [theme, setTheme] = useState<PreviewMessage['theme']>(null)
  useEffect(() => {
    const look = () => setTheme((document.documentElement.dataset.theme ?? null) as PreviewMessage['theme'])
    const watch = new MutationObserver(look)
    watch.observe(document.documentElement, { attributeFilter: ['data-theme'] })
    look()
    return () => watch.disconnect()
  }, [])
  return theme
}
