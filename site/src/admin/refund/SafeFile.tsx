import downloadIcon from 'lucide-static/icons/download.svg?raw'
import { useState } from 'react'
import type { Address } from 'viem'
import { showToast } from '../../shell/toast.ts'
import { saveFile } from '../exports/download.ts'
import { t } from '../language/t.ts'
import { Button } from '../ui/Button.tsx'
import { TextField } from '../ui/Field.tsx'
import { count } from '../ui/numbers.ts'
import { useAction } from '../ui/use-action.ts'
import { filesForSafe, type RefundSummary } from './desk.ts'
import styles from './refund.module.css'

/** Refunds from a Safe, whose owners sign a file; nothing of it is kept, as the chain shows what came of it. */
export function SafeFile({ summary }: { summary: RefundSummary }) {
  const [safe, setSafe] = useState('')
  const address = safe.trim()
  const [take, isBusy] = useAction(t('파일을 만들지 못했습니다'), async () => {
    const files = await filesForSafe(summary, address as Address)
    for (const [index, file] of files.entries()) {
      const json = new Blob([JSON.stringify(file, null, 2)], { type: 'application/json' })
      saveFile(json, `refunds-${index + 1}-of-${files.length}.json`)
    }
    showToast(
      t('파일 {count}개를 받았습니다', { count: count(files.length) }),
      t('7일 안에 Safe의 Transaction Builder에 올려 승인하세요.'),
      'good',
    )
  })
  return (
    <details className={styles.stack}>
      <summary>{t('Safe로 지급')}</summary>
      <TextField
        label={t('Safe 주소')}
        value={safe}
        onChange={setSafe}
        hint={t('두 번 실행해도 두 번 지급되지 않습니다.')}
        placeholder={summary.operatorWallet ?? '0x…'}
        spellCheck={false}
        autoComplete="off"
        isMono
      />
      <Button
        writes
        tone="edged"
        icon={downloadIcon}
        isBusy={isBusy}
        disabled={!/^0x[0-9a-f]{40}$/i.test(address) || summary.isPaused || !summary.isWatching}
        onClick={() => void take()}
      >
        {t('Safe 파일 받기')}
      </Button>
    </details>
  )
}
