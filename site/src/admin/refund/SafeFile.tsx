import downloadIcon from 'lucide-static/icons/download.svg?raw'
import type { Address } from 'viem'
import { t } from '../language/t.ts'
import { saveFile } from '../ui/download.tsx'
import { Entry } from '../ui/entry.tsx'
import { count } from '../ui/format.ts'
import { filesForSafe, type RefundSummary } from './desk.ts'

/** Refunds from a Safe, whose owners sign a file; nothing of it is kept, as the chain shows what came of it. */
export const SafeFile = ({ summary }: { summary: RefundSummary }) => (
  <details>
    <summary>{t('Safe로 지급')}</summary>
    <Entry<number>
      label={t('Safe 주소')}
      hint={t('두 번 실행해도 두 번 지급되지 않습니다.')}
      placeholder={summary.operatorWallet ?? '0x…'}
      check={(safe) => (/^0x[0-9a-f]{40}$/i.test(safe) ? undefined : t('지갑 주소가 아닙니다.'))}
      isMono
      disabled={summary.isPaused || !summary.isWatching}
      action={{
        name: t('Safe 파일 받기'),
        failure: t('파일을 만들지 못했습니다'),
        async run(safe) {
          const files = await filesForSafe(summary, safe as Address)
          for (const [index, file] of files.entries()) {
            const json = new Blob([JSON.stringify(file, null, 2)], { type: 'application/json' })
            saveFile(json, `refunds-${index + 1}-of-${files.length}.json`)
          }
          return files.length
        },
        told: (_, files) => [
          t('파일 {count}개를 받았습니다', { count: count(files) }),
          t('7일 안에 Safe의 Transaction Builder에 올려 승인하세요.'),
        ],
        writes: true,
        tone: 'edged',
        icon: downloadIcon,
      }}
    />
  </details>
)
