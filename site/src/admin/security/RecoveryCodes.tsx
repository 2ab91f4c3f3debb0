import downloadIcon from 'lucide-static/icons/download.svg?raw'
import { useEffect, useRef } from 'react'
import { Row } from '../../shell/Layout.tsx'
import { t } from '../language/t.ts'
import { CopyButton } from '../ui/address.tsx'
import { Button } from '../ui/Button.tsx'
import { saveFile } from '../ui/download.tsx'

/** Shown only once: the server stores only their hashes. */
export function RecoveryCodes({ codes, onDone }: { codes: string[]; onDone: () => void }) {
  const title = useRef<HTMLHeadingElement>(null)
  useEffect(() => title.current?.focus(), [])
  const text = codes.join('\n')
  return (
    <section className="card stack" aria-labelledby="recovery-title">
      <h3 id="recovery-title" ref={title} tabIndex={-1}>
        {t('복구 코드 목록')}
      </h3>
      <p>
        {t('휴대전화를 잃었을 때 인증 코드 대신 씁니다. 코드마다 한 번만 쓸 수 있고,')}{' '}
        <b>{t('지금 한 번만 보여줍니다.')}</b> {t('안전한 곳에 적어 두세요.')}
      </p>
      <ul className="figure grid gap-8" translate="no" aria-labelledby="recovery-title">
        {codes.map((code) => (
          <li key={code}>{code}</li>
        ))}
      </ul>
      <Row>
        <Button
          tone="edged"
          size="small"
          icon={downloadIcon}
          onClick={() =>
            saveFile(new Blob([`${text}\n`], { type: 'text/plain' }), 'blockdraw-recovery-codes.txt')
          }
        >
          {t('파일로 저장')}
        </Button>
        <CopyButton text={text} label={t('복구 코드 복사')} />
        <Button size="small" onClick={onDone}>
          {t('적어 두었습니다')}
        </Button>
      </Row>
    </section>
  )
}
