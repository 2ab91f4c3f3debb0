import { useState } from 'react'
import { narrowerSet } from '../../../core/content/event-content.ts'
import { dollars } from '../live/stage.ts'
import { island, useLive } from '../shell/island.tsx'
import { Fact, When } from '../shell/Parts.tsx'
import { t } from '../texts/index.ts'
import styles from './NextEventCard.module.css'

export const NextEventCard = island(function NextEventCard() {
  const { eventSettings: settings } = useLive()
  const [broken, setBroken] = useState<string>()
  const imageUrl = settings?.prizeImageUrl?.trim()
  const hasImage = imageUrl && imageUrl !== broken
  return (
    <div className={styles.event}>
      <div className={`center ${styles.image}`}>
        {hasImage ? (
          <img
            src={imageUrl}
            srcSet={narrowerSet(imageUrl).join(', ') || undefined}
            sizes="(width < 840px) calc(100vw - 40px), 560px"
            alt={t.next.alt}
            onError={() => {
              console.warn('The image of the next event could not be loaded.')
              setBroken(imageUrl)
            }}
          />
        ) : (
          <p>{t.next.noImage}</p>
        )}
      </div>
      <div className="stack gap-28">
        <p className="lead">{settings?.prizeDescription?.trim() || t.next.description}</p>
        <dl className="summary ruled">
          <Fact name={t.next.value}>{dollars(settings?.prizeValue)}</Fact>
          <Fact name={t.next.status}>
            <span className={`badge ${settings?.isActive ? 'ok' : ''}`}>
              {settings?.isActive ? t.next.active : t.next.soon}
            </span>
          </Fact>
          {settings?.eventStartDate && (
            <Fact name={t.next.start}>
              <When value={settings.eventStartDate} />
            </Fact>
          )}
        </dl>
        <p className="note">{t.next.separate}</p>
      </div>
    </div>
  )
})
