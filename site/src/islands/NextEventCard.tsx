import { useStore } from '@nanostores/react'
import { useState } from 'react'
import { formatDate } from '../../../core/format.ts'
import { dollars } from '../lib/history.ts'
import { $eventSettings } from '../stores/live.ts'

/** The event after this one, as far as the operator has announced it. */
export function NextEventCard() {
  const settings = useStore($eventSettings, { ssr: () => undefined })
  const [broken, setBroken] = useState<string>()
  const imageUrl = settings?.prizeImageUrl?.trim()
  return (
    <div className="next-event">
      <div className="next-image">
        {imageUrl && imageUrl !== broken ? (
          <img
            src={imageUrl}
            alt="The next prize"
            onError={() => {
              console.warn('The image of the next event could not be loaded.')
              setBroken(imageUrl)
            }}
          />
        ) : (
          <p>The picture of the next prize appears here.</p>
        )}
      </div>
      <div>
        <p className="lead">
          {settings?.prizeDescription?.trim() || 'Next event details will be announced soon...'}
        </p>
        <dl className="summary ruled">
          <div>
            <dt>Prize value</dt>
            <dd>{dollars(settings?.prizeValue)}</dd>
          </div>
          <div>
            <dt>Status</dt>
            <dd>
              <span className={`badge ${settings?.isActive ? 'ok' : ''}`}>
                {settings?.isActive ? 'Active' : 'Coming Soon'}
              </span>
            </dd>
          </div>
          {settings?.eventStartDate && (
            <div>
              <dt>Event start</dt>
              <dd>{formatDate(settings.eventStartDate)}</dd>
            </div>
          )}
        </dl>
        <p className="note">
          <span aria-hidden="true" />
          This event is separate from the current raffle. Tickets of one do not count in the other.
        </p>
      </div>
    </div>
  )
}
