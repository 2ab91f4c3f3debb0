import { useStore } from '@nanostores/react'
import downloadIcon from 'lucide-static/icons/download.svg?raw'
import { useState } from 'react'
import type { Address } from 'viem'
import { shorten } from '../../../../core/format.ts'
import { centsOf } from '../../../../core/money.ts'
import type { SafeFile as File } from '../../../../core/refund/safe-file.ts'
import { showToast } from '../../shell/toast.ts'
import { saveFile } from '../exports/download.ts'
import { api } from '../frame/api.ts'
import { Button } from '../frame/Button.tsx'
import { confirm } from '../frame/confirm.ts'
import { inWords } from '../frame/dates.ts'
import { Group } from '../frame/Group.tsx'
import { Wallet } from '../frame/HashText.tsx'
import { count, usdtColumn } from '../frame/numbers.ts'
import { call } from '../frame/session.ts'
import { useAction } from '../frame/use-action.ts'
import { rich } from '../language/rich.tsx'
import { t } from '../language/t.ts'
import { $desk, dueFrom, readyRows, refreshDesk } from './desk-store.ts'
import styles from './SafeFile.module.css'
import { forSafe, isInFile, takeSafeFiles } from './safe-offers.ts'
import { expectOurMoney } from './signing-store.ts'
import type { DeskAnswer, OwedRow } from './types.ts'

/** Refunds from a Safe, which cannot be connected here: files that its owners execute, followed by what the chain shows. */
export function SafeFile() {
  const desk = useStore($desk)
  const safes = desk?.summary.wallets.filter(({ isContract }) => isContract) ?? []
  if (!desk || safes.length === 0) return null
  return (
    <Group
      title={t('Safe로 지급')}
      reason={t(
        'Safe 지갑은 여기에 연결할 수 없습니다. 파일을 받아 Safe의 Transaction Builder에 올리고 소유자들이 승인하면, 결과는 체인 기록으로 확인됩니다.',
      )}
    >
      {safes.map(({ address }) => (
        <OfSafe key={address} desk={desk} wallet={address} />
      ))}
    </Group>
  )
}

function OfSafe({ desk: { summary, rows }, wallet }: { desk: DeskAnswer; wallet: Address }) {
  const [validUntil, setValidUntil] = useState(0)
  const ready = readyRows(rows, wallet)
  const taken = rows.filter((row) => isInFile(row, wallet))
  const sending = forSafe(rows, wallet, (row) => ready.includes(row)).filter(
    (row) => dueFrom(row, wallet) > 0n,
  )
  const until = Math.max(validUntil * 1_000, ...taken.map((row) => Date.parse(row.validUntil ?? '') || 0))
  const [take, isBusy] = useAction(t('파일을 만들지 못했습니다'), async () => {
    expectOurMoney(summary)
    if (!(await askToTake(wallet, sending))) return
    const { files, debtors, error, ...made } = await takeSafeFiles(
      (body) => call(() => api.refunds.offer.post(body)),
      sending,
      { wallet, chainId: summary.chainId, token: summary.token },
    )
    for (const file of files) saveFile(asBlob(file), nameOf(file, summary.eventNumber))
    setValidUntil(made.validUntil)
    await refreshDesk()
    if (error) throw error
    if (files.length === 0)
      showToast(t('이 지갑이 지급할 환불이 없습니다'), t('다른 지갑이 갚을 환불입니다.'))
    else
      showToast(
        t('파일 {count}개를 받았습니다', { count: count(files.length) }),
        t('{debtors}명에게 지급합니다.', { debtors: count(debtors) }),
        'good',
      )
  })
  return (
    <div className={styles.safe}>
      <p className={styles.owed}>
        <Wallet address={wallet} />
        <span>
          {t('{count}건,', { count: count(sending.length) })}{' '}
          <b className="figure">{inUsdt(sending, wallet)} USDT</b>
        </span>
      </p>
      {taken.length > 0 && (
        <p className="hint">
          {rich(
            '받은 파일은 {until}까지 실행할 수 있습니다. 그때까지 이 사람들에게 직접 지급하지 마세요. 파일을 잃었으면 다시 받아도 됩니다. 둘 다 실행해도 두 번 지급되지 않습니다.',
            { until: <b>{t('{until} (한국)', { until: inWords(new Date(until)) })}</b> },
          )}
        </p>
      )}
      <Button
        need="refund.offer"
        tone="edged"
        icon={downloadIcon}
        isBusy={isBusy}
        disabled={sending.length === 0 || summary.isPaused || !summary.isWatching}
        onClick={() => void take()}
      >
        {taken.length > 0 ? t('파일 다시 받기') : t('Safe 파일 받기')}
      </Button>
    </div>
  )
}

const askToTake = (wallet: Address, rows: readonly OwedRow[]): Promise<boolean> =>
  confirm({
    title: t('Safe 파일 받기'),
    action: t('파일 받기'),
    body: (
      <>
        <p>
          {t('{wallet}에서 {count}건, {amount} USDT를 지급하는 거래를 파일로 만듭니다.', {
            wallet: shorten(wallet, 6, 4),
            count: count(rows.length),
            amount: inUsdt(rows, wallet),
          })}
        </p>
        <p>
          {t(
            '파일은 7일 동안 유효합니다. 그동안 이 환불은 다른 지갑이나 다른 방법으로 보낼 수 없고, 직접 지급해서도 안 됩니다.',
          )}
        </p>
      </>
    ),
  })

const inUsdt = (rows: readonly OwedRow[], wallet: Address): string =>
  usdtColumn(Number(centsOf(rows.reduce((sum, row) => sum + dueFrom(row, wallet), 0n))))

const asBlob = (file: File): Blob => new Blob([JSON.stringify(file, null, 2)], { type: 'application/json' })

const nameOf = ({ meta }: File, eventNumber: number): string =>
  `refunds-event-${eventNumber}-${meta.name.replace(/^.* /, '').replace('/', '-of-')}.json`
