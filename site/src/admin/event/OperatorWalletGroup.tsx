import checkIcon from 'lucide-static/icons/circle-check.svg?raw'
import { Address } from '../frame/Address.tsx'
import { Badge } from '../frame/Badge.tsx'
import { inKorea } from '../frame/dates.ts'
import { Field, TextField } from '../frame/Field.tsx'
import { Group } from '../frame/Group.tsx'
import type { AdminConfig } from '../frame/types.ts'
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
  const { operatorWallet, walletLocked, walletPinned, firstPaymentAt, walletProvenAt, isOver } = event
  // The next event may be paid to another wallet.
  const isLocked = walletPinned || (walletLocked && !isOver)
  const shown = isLocked ? operatorWallet : checksummed(value)
  return (
    <Group
      title="운영자 지갑"
      reason="구매자가 USDT를 보내는 주소입니다. 한 글자라도 다르면 돈을 되찾을 수 없습니다."
    >
      {isLocked ? (
        <Field
          label="지갑 주소"
          locked={
            walletPinned
              ? '서버 설정(OPERATOR_WALLET)으로 고정되어 있습니다.'
              : `첫 티켓이 판매된 ${firstPaymentAt ? inKorea(firstPaymentAt) : '때'}부터 잠겼습니다.`
          }
        >
          {(ids) => (
            <output id={ids.id} aria-describedby={ids['aria-describedby']}>
              {operatorWallet && <Address value={operatorWallet} label="지갑 주소 복사" />}
            </output>
          )}
        </Field>
      ) : (
        <>
          <TextField
            label="지갑 주소"
            value={value}
            onChange={onChange}
            error={error}
            hint="체크섬이 있는 주소 또는 모두 소문자인 주소만 저장됩니다."
            placeholder="0x…"
            autoComplete="off"
            autoCapitalize="off"
            spellCheck={false}
            isMono
          />
          {shown && <Address value={shown} label="지갑 주소 복사" />}
        </>
      )}
      {operatorWallet && shown?.toLowerCase() === operatorWallet.toLowerCase() && (
        <div className="proof-line">
          {walletProvenAt ? (
            <>
              <Badge tone="ok" icon={checkIcon}>
                서명으로 확인됨
              </Badge>
              <span className="hint">{inKorea(walletProvenAt)}</span>
            </>
          ) : (
            <ProveWallet event={event} />
          )}
        </div>
      )}
    </Group>
  )
}
