import { useState } from 'react'
import type { ContentVersion } from '../../../../core/content/public-content.ts'
import { shorten } from '../../../../core/format.ts'
import { api } from '../frame/api.ts'
import { Button } from '../frame/Button.tsx'
import { inWords } from '../frame/dates.ts'
import { call } from '../frame/session.ts'
import { useAction } from '../frame/use-action.ts'
import { t } from '../language/t.ts'
import { changesBetween } from './changes.ts'
import { draftOf } from './content-draft.ts'
import styles from './Versions.module.css'

/** Every content that was saved for the event, newest first; each can be compared with the one before it. */
export function Versions({ versions }: { versions: readonly ContentVersion[] }) {
  if (versions.length === 0) return null
  return (
    <details className={styles.versions}>
      <summary>{t('저장된 버전 {count}개', { count: versions.length })}</summary>
      <ol className="rows">
        {versions.map((version, at) => (
          <li key={version.id}>
            <Version version={version} before={versions[at + 1]} />
          </li>
        ))}
      </ol>
    </details>
  )
}

type Props = { version: ContentVersion; before: ContentVersion | undefined }

function Version({ version: { id, savedAt, savedBy, contentSha256 }, before }: Props) {
  const [changes, setChanges] = useState<ReturnType<typeof changesBetween>>()
  const [compare, isBusy] = useAction(t('버전을 불러오지 못했습니다'), async () => {
    if (!before) return
    const [own, older] = await Promise.all([contentOf(id), contentOf(before.id)])
    setChanges(changesBetween(draftOf(older), draftOf(own)))
  })
  return (
    <>
      <p className={styles.line}>
        <span>{inWords(savedAt)}</span>
        <span>{savedBy ?? t('설치할 때')}</span>
        <span className="figure" title={contentSha256}>
          {shorten(contentSha256, 10, 0)}
        </span>
        {before && !changes && (
          <Button tone="plain" size="compact" isBusy={isBusy} onClick={() => void compare()}>
            {t('앞 버전과 비교')}
          </Button>
        )}
      </p>
      {changes && (
        <ul className={styles.changes}>
          {changes.length === 0 && <li>{t('보이는 내용은 같습니다.')}</li>}
          {changes.map(({ label, from, to }) => (
            <li key={label}>
              <span>{label}</span> <s dir="auto">{from || t('없음')}</s> <b dir="auto">{to || t('없음')}</b>
            </li>
          ))}
        </ul>
      )}
    </>
  )
}

const contentOf = async (id: number) =>
  (await call(() => api.raffle['content-version']({ id }).get())).content
