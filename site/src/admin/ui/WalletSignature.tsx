import penIcon from 'lucide-static/icons/pen-line.svg?raw'
import { useState } from 'react'
import type { Hex } from 'viem'
import { Row, Stack } from '../../shell/Layout.tsx'
import { t } from '../language/t.ts'
import { ActionButton } from './action.tsx'
import { CopyButton } from './address.tsx'
import { Button } from './Button.tsx'
import { TextArea } from './Field.tsx'
import { connectAs, signText } from './wallet.ts'

type Props = {
  wallet: string
  message: string
  /** Called with each signature; its error is shown. */
  onSigned: (signature: Hex) => Promise<void>
}

/** A text signed by this wallet: in this browser, or elsewhere and pasted, as the owners of a Safe do. */
export function WalletSignature({ wallet, message, onSigned }: Props) {
  const [isByHand, setByHand] = useState(false)
  const [signature, setSignature] = useState('')
  const failure = t('지갑 서명을 확인하지 못했습니다')
  return (
    <>
      <Row>
        <ActionButton
          action={{
            name: t('지갑으로 서명'),
            failure,
            async run() {
              const { provider, account } = await connectAs(wallet)
              await onSigned((await signText(provider, account, message)) as Hex)
            },
            icon: penIcon,
          }}
        />
        <Button tone="plain" size="small" aria-expanded={isByHand} onClick={() => setByHand(!isByHand)}>
          {t('다른 곳에서 서명')}
        </Button>
      </Row>
      {isByHand && (
        <Stack>
          <p className="hint">
            {t(
              '이 문장을 그 지갑으로 서명(personal_sign)한 뒤 결과를 붙여 넣으세요. Safe는 소유자들이 메시지로 서명한 결과입니다.',
            )}
          </p>
          <div className="address address-row">
            <span>{message}</span>
            <CopyButton text={message} label={t('서명할 문장 복사')} />
          </div>
          <TextArea
            label={t('서명')}
            rows={3}
            value={signature}
            onChange={setSignature}
            placeholder="0x…"
            spellCheck={false}
          />
          <ActionButton
            action={{
              name: t('서명 확인'),
              failure,
              run: () => onSigned(signature.trim() as Hex),
              tone: 'ink',
            }}
            disabled={!signature.trim()}
          />
        </Stack>
      )}
    </>
  )
}
