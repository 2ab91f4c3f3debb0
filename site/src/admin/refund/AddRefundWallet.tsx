import { useState } from 'react'
import type { Hex } from 'viem'
import { refundWalletMessage } from '../../../../core/event/wallet-proof.ts'
import { showToast } from '../../shell/toast.ts'
import { checksummed } from '../event/settings-form.ts'
import { Address } from '../frame/Address.tsx'
import { api } from '../frame/api.ts'
import { TextField } from '../frame/Field.tsx'
import { Group } from '../frame/Group.tsx'
import { may } from '../frame/role.ts'
import { call } from '../frame/session.ts'
import { WalletSignature } from '../frame/WalletSignature.tsx'
import { t } from '../language/t.ts'
import { refreshDesk } from './desk-store.ts'

/** A wallet that only refunds signs that it is ours, before it pays: after that the books know all that it sends. */
export function AddRefundWallet({ eventNumber }: { eventNumber: number }) {
  const [text, setText] = useState('')
  if (!may('refund.wallet')) return null
  const wallet = checksummed(text)
  const add = async (signature: Hex) => {
    if (!wallet) return
    const message = refundWalletMessage(eventNumber, wallet)
    const { registerOnly, isRead } = await call(() =>
      api.refunds.wallets.post({ wallet, message, signature }),
    )
    showToast(t('환불 지갑을 추가했습니다'), whatNext({ registerOnly, isRead }), 'good')
    setText('')
    await refreshDesk()
  }
  return (
    <Group
      title={t('환불 지갑 추가')}
      reason={t(
        '티켓 대금을 받은 지갑 대신 환불을 보낼 지갑입니다. 보내기 전에 등록해야 이중 지급이 없습니다. 이 지갑으로 들어오는 돈은 결제로 치지 않습니다.',
      )}
    >
      <TextField
        label={t('환불 지갑 주소')}
        value={text}
        onChange={setText}
        hint={t('등록은 공개 변경 기록에 남고, 나중에 운영자 지갑으로 쓸 수 없습니다.')}
        placeholder="0x…"
        autoComplete="off"
        autoCapitalize="off"
        spellCheck={false}
        isMono
      />
      {wallet && (
        <>
          <Address value={wallet} label={t('환불 지갑 주소 복사')} />
          <WalletSignature
            key={wallet}
            wallet={wallet}
            message={refundWalletMessage(eventNumber, wallet)}
            onSigned={add}
          />
        </>
      )}
    </Group>
  )
}

function whatNext({ registerOnly, isRead }: { registerOnly: boolean; isRead: boolean }): string {
  if (registerOnly) return t('지난 전송을 확인할 수 없어 환불 컨트랙트로만 보낼 수 있습니다.')
  return isRead
    ? t('이제 이 지갑에서 환불을 보낼 수 있습니다.')
    : t('지난 전송을 읽고 있습니다. 끝날 때까지 환불을 보내지 않습니다.')
}
