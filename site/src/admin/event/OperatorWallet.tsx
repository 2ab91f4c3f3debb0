import checkIcon from 'lucide-static/icons/circle-check.svg?raw'
import type { Hex } from 'viem'
import { Row, Stack } from '../../shell/Layout.tsx'
import { showToast } from '../../shell/toast.ts'
import { t } from '../language/t.ts'
import { type AdminConfig, api } from '../session/api.ts'
import { loadEvent } from '../session/config.ts'
import { call, isReadOnly, readOnlyText } from '../session/session.ts'
import { Address } from '../ui/address.tsx'
import { Field } from '../ui/Field.tsx'
import { address, checksummed } from '../ui/fields.tsx'
import { inWords } from '../ui/format.ts'
import { Badge } from '../ui/Note.tsx'
import { WalletSignature } from '../ui/WalletSignature.tsx'

/** The wallet that receives every payment; shut, it is shown in large. The next event may be paid to another one. */
export function walletField(event: AdminConfig) {
  const { operatorWallet } = event
  const open = address({
    label: t('지갑 주소'),
    name: t('운영자 지갑'),
    locked: lockOf(event),
    hint: t('체크섬이 있는 주소 또는 모두 소문자인 주소만 저장됩니다.'),
  })
  return {
    ...open,
    draw: (input: Parameters<typeof open.draw>[0]) =>
      input.locked ? (
        <Field label={t('지갑 주소')} locked={input.locked}>
          {({ id, 'aria-describedby': describedBy }) => (
            <output id={id} aria-describedby={describedBy}>
              {operatorWallet && <Address value={operatorWallet} label={t('지갑 주소 복사')} />}
            </output>
          )}
        </Field>
      ) : (
        open.draw(input)
      ),
  }
}

function lockOf({ locks, walletPinned, lockedAt, isOver }: AdminConfig): string | undefined {
  if (walletPinned) return t('서버 설정(OPERATOR_WALLET)으로 고정되어 있습니다.')
  if (!locks.operatorWallet || isOver) return isReadOnly() ? readOnlyText : undefined
  return lockedAt
    ? t('첫 티켓이 판매된 {at}부터 잠겼습니다.', { at: inWords(lockedAt) })
    : t('판매가 끝나 잠겼습니다.')
}

/** What is typed, in large, and whether the wallet's own signature proved it. */
export function WalletProof({ event, typed }: { event: AdminConfig; typed: string }) {
  const { operatorWallet, walletProvenAt } = event
  const shown = checksummed(typed)
  const isSaved = operatorWallet !== null && shown?.toLowerCase() === operatorWallet.toLowerCase()
  return (
    <>
      {shown && !lockOf(event) && <Address value={shown} label={t('지갑 주소 복사')} />}
      {isSaved &&
        (walletProvenAt ? (
          <Row>
            <Badge tone="ok" icon={checkIcon}>
              {t('서명으로 확인됨')}
            </Badge>
            <span className="hint">{inWords(walletProvenAt)}</span>
          </Row>
        ) : (
          <ProveWallet event={event} />
        ))}
    </>
  )
}

/** Proof that somebody holds the key: a signature by a wallet in this browser, or one made elsewhere. */
function ProveWallet({ event }: { event: AdminConfig }) {
  const prove = async (signature: Hex) => {
    await call(() => api.raffle['prove-wallet'].post({ signature }))
    showToast(t('지갑을 확인했습니다'), t('이 지갑의 키를 가진 사람이 서명했습니다.'), 'good')
    await loadEvent()
  }
  return (
    <Stack>
      <Row align="base" whole className="muted size-14">
        <span className="dot wait" />
        {t('아직 서명으로 확인되지 않은 지갑입니다. 잘못 적은 주소가 아닌지 판매 전에 확인하세요.')}
      </Row>
      {!isReadOnly() && (
        <WalletSignature
          wallet={event.operatorWallet ?? ''}
          message={event.walletProofMessage}
          onSigned={prove}
        />
      )}
    </Stack>
  )
}
