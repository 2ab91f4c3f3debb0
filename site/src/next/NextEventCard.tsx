import { useState } from 'react'
import { narrower, pictureWidths } from '../../../core/content/event-content.ts'
import { dollars } from '../live/stage.ts'
import { useLive } from '../shell/hooks.ts'
import { island } from '../shell/island.tsx'
import { When } from '../shell/Parts.tsx'
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
            {...narrowerOf(imageUrl)}
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
          <div>
            <dt>{t.next.value}</dt>
            <dd>{dollars(settings?.prizeValue)}</dd>
          </div>
          <div>
            <dt>{t.next.status}</dt>
            <dd>
              <span className={`badge ${settings?.isActive ? 'ok' : ''}`}>
                {settings?.isActive ? t.next.active : t.next.soon}
              </span>
            </dd>
          </div>
          {settings?.eventStartDate && (
            <div>
              <dt>{t.next.start}</dt>
              <dd>
                <When value={settings.eventStartDate} />
              </dd>
            </div>
          )}
        </dl>
        <p className="note">{t.next.separate}</p>
      </div>
    </div>
  )
})

/** Of a picture that was uploaded here there are narrower ones; the browser takes one that is wide enough. */
function narrowerOf(url: string): { srcSet?: string; sizes?: string } {
  const made = pictureWidths.flatMap((width) => {
    const narrow = narrower(url, width)
    return narrow ? [`${narrow} ${width}w`] : []
  })
  return made.length > 0
    ? { srcSet: made.join(', '), sizes: '(width < 840px) calc(100vw - 40px), 560px' }
    : {}
}
