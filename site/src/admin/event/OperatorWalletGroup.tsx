import checkIcon from 'lucide-static/icons/circle-check.svg?raw'
import { t } from '../language/t.ts'
import { isReadOnly, readOnlyText } from '../session/session.ts'
import type { AdminConfig } from '../session/types.ts'
import { Address } from '../ui/address.tsx'
import { Badge } from '../ui/Badge.tsx'
import { Group } from '../ui/card.tsx'
import { inWords } from '../ui/dates.ts'
import { Field, TextField } from '../ui/Field.tsx'
import rowStyles from '../ui/Rows.module.css'
import { ProveWallet } from './ProveWallet.tsx'
import { checksummed } from './settings-form.ts'

type Props = {
  event: AdminConfig
  value: string
  onChange: (value: string) => void
  error: string | undefined
}

/** The wallet that receives every payment: locked after the first payment and proven by its own signature. */
export function OperatorWalletGroup({ event, value, onChange, error }: Props) {
  const { operatorWallet, locks, walletPinned, lockedAt, walletProvenAt, isOver } = event
  const walletLocked = locks.operatorWallet !== undefined
  // The next event may be paid to another wallet.
  const isLocked = walletPinned || (walletLocked && !isOver) || isReadOnly()
  const shown = isLocked ? operatorWallet : checksummed(value)
  return (
    <Group
      id="operator-wallet"
      title={t('운영자 지갑')}
      reason={t('구매자가 USDT를 보내는 주소입니다. 한 글자라도 다르면 돈을 되찾을 수 없습니다.')}
    >
      {isLocked ? (
        <Field
          label={t('지갑 주소')}
          locked={
            walletPinned
              ? t('서버 설정(OPERATOR_WALLET)으로 고정되어 있습니다.')
              : isReadOnly() && !(walletLocked && !isOver)
                ? readOnlyText
                : lockedAt
                  ? t('첫 티켓이 판매된 {at}부터 잠겼습니다.', { at: inWords(lockedAt) })
                  : t('판매가 끝나 잠겼습니다.')
          }
        >
          {(ids) => (
            <output id={ids.id} aria-describedby={ids['aria-describedby']}>
              {operatorWallet && <Address value={operatorWallet} label={t('지갑 주소 복사')} />}
            </output>
          )}
        </Field>
      ) : (
        <>
          <TextField
            label={t('지갑 주소')}
            value={value}
            onChange={onChange}
            error={error}
            hint={t('체크섬이 있는 주소 또는 모두 소문자인 주소만 저장됩니다.')}
            placeholder="0x…"
            autoComplete="off"
            autoCapitalize="off"
            spellCheck={false}
            isMono
          />
          {shown && <Address value={shown} label={t('지갑 주소 복사')} />}
        </>
      )}
      {operatorWallet && shown?.toLowerCase() === operatorWallet.toLowerCase() && (
        <div className={rowStyles.row}>
          {walletProvenAt ? (
            <>
              <Badge tone="ok" icon={checkIcon}>
                {t('서명으로 확인됨')}
              </Badge>
              <span className="hint">{inWords(walletProvenAt)}</span>
            </>
          ) : (
            <ProveWallet event={event} />
          )}
        </div>
      )}
    </Group>
  )
}
