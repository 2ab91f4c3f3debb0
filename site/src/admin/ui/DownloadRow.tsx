import downloadIcon from 'lucide-static/icons/download.svg?raw'
import { type ReactNode, useEffect, useRef, useState } from 'react'
import { showToast } from '../../shell/toast.ts'
import { download, progressText } from '../exports/download.ts'
import { t } from '../language/t.ts'
import { type FileCall, failed } from '../session/session.ts'
import { Button } from './Button.tsx'
import styles from './DownloadRow.module.css'

type FileProps = FileCall & {
  fallbackName: string
  /** Title of the toast if it fails. */
  failure: string
}

/** Starts one download and reports its progress; pressing again cancels it. */
function useDownload({ fallbackName, failure, ...file }: FileProps) {
  const [progress, setProgress] = useState<number>()
  const abort = useRef<AbortController>(undefined)
  useEffect(() => () => abort.current?.abort(), [])
  const start = async () => {
    const own = new AbortController()
    abort.current = own
    setProgress(0)
    try {
      await download({ file, fallbackName, onBytes: setProgress, signal: own.signal })
      showToast(t('다운로드를 마쳤습니다'), t('파일을 저장했습니다.'), 'good')
    } catch (error) {
      if (!own.signal.aborted) failed(failure, error)
    }
    if (abort.current === own) setProgress(undefined)
  }
  const cancel = () => {
    abort.current?.abort()
    setProgress(undefined)
  }
  return { progress, start, cancel }
}

export function DownloadButton(
  props: FileProps & { label: string; name: string; size?: 'small' | 'compact' },
) {
  const { progress, start, cancel } = useDownload(props)
  return (
    <span className={styles.download}>
      <span role="status" className="hint">
        {progress !== undefined && progressText(progress)}
      </span>
      {progress !== undefined && (
        <Button tone="plain" size={props.size ?? 'small'} onClick={cancel}>
          {t('취소')}
        </Button>
      )}
      <Button
        tone="edged"
        size={props.size ?? 'small'}
        icon={downloadIcon}
        isBusy={progress !== undefined}
        aria-label={props.name}
        onClick={() => void start()}
      >
        {props.label}
      </Button>
    </span>
  )
}

export function DownloadRow(props: FileProps & { title: string; children: ReactNode }) {
  const { title, children, ...file } = props
  return (
    <li className={styles.row}>
      <div>
        <h3>{title}</h3>
        <p>{children}</p>
      </div>
      <DownloadButton {...file} label={t('엑셀 받기')} name={t('{title} 엑셀 받기', { title })} />
    </li>
  )
}
