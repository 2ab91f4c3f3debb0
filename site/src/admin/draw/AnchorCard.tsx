import { useStore } from '@nanostores/react'
import walletIcon from 'lucide-static/icons/wallet.svg?raw'
import { useState } from 'react'
import { register } from '../../../../core/chain/register.ts'
import { encodeAnchor } from '../../../../core/draw/anchor.ts'
import { $now } from '../../live/clock.ts'
import { $config } from '../../live/live.ts'
import { showToast } from '../../shell/toast.ts'
import { bscId } from '../../wallet/eip1193.ts'
import { isSwapped } from '../../wallet/pinned.ts'
import { Address } from '../frame/Address.tsx'
import { api } from '../frame/api.ts'
import { Button } from '../frame/Button.tsx'
import handStyles from '../frame/ByHand.module.css'
import { CopyButton } from '../frame/Copy.tsx'
import { errorText, Trouble } from '../frame/error-text.ts'
import { TextField } from '../frame/Field.tsx'
import { Group } from '../frame/Group.tsx'
import { HashText } from '../frame/HashText.tsx'
import { Note } from '../frame/Note.tsx'
import rowStyles from '../frame/Rows.module.css'
import { call } from '../frame/session.ts'
import type { AdminConfig, AnchorState } from '../frame/types.ts'
import { useAction } from '../frame/use-action.ts'
import { connectAs, sendTransaction, switchToBsc } from '../frame/wallet.ts'
import { t } from '../language/t.ts'
import { readRegister } from '../refund/wallet.ts'
import { AnchorKey } from './AnchorKey.tsx'
import { isAnchoredOtherwise } from './draw-conditions.ts'
import { whenFinal } from './when-final.ts'

type Props = { event: AdminConfig; state: AnchorState | undefined; onAnchored: () => Promise<void> }

/** Terms and frozen list are anchored on the chain before the draw: by the server's key, or by the operator wallet here. */
export function AnchorCard({ event, state, onAnchored }: Props) {
  const config = useStore($config)
  const now = useStore($now)
  const [hash, setHash] = useState('')
  const [error, setError] = useState<string>()
  const { operatorWallet, drawDate, eventNumber } = event
  const { commitment, transactionHash: anchorHash } = state ?? {}
  const data = config?.book && commitment ? encodeAnchor(config.book, eventNumber, commitment) : undefined
  const isLate = drawDate !== null && Date.parse(drawDate) <= now

  const report = async (transactionHash: string) => {
    setError(undefined)
    try {
      // The transaction is some seconds old, and the server cannot judge it until its block is final.
      const body = { transactionHash }
      await whenFinal(() => call(() => api.raffle.anchor.post(body)), 'TRANSACTION_NOT_FOUND')
      showToast(
        t('명단 지문을 고정했습니다'),
        t('추첨 증명에 마지막으로 고정한 거래가 함께 공개됩니다.'),
        'good',
      )
      await onAnchored()
    } catch (caught) {
      setError(errorText(caught, t('앵커 거래를 확인하지 못했습니다.')))
      throw caught
    }
  }
  const [send, isSending] = useAction(t('앵커 거래를 보내지 못했습니다'), async () => {
    if (!config || !operatorWallet || !data) return
    if (isSwapped(config)) throw new Trouble(t('서버가 이 페이지와 다른 토큰이나 지갑을 알려주었습니다.'))
    const { provider, account } = await connectAs(operatorWallet)
    await switchToBsc(provider)
    if ((await readRegister(provider)) !== 'ready')
      throw new Trouble(
        t('기록 컨트랙트가 이 체인에 없거나 다른 코드입니다. 환불 화면에서 먼저 만들 수 있습니다.'),
      )
    const sent = await sendTransaction(provider, {
      from: account,
      to: register.address,
      data,
      value: '0x0',
      chainId: `0x${bscId.toString(16)}`,
    })
    setHash(sent)
    await report(sent)
  })
  const [check, isChecking] = useAction(t('앵커 거래를 확인하지 못했습니다'), () => report(hash.trim()))

  return (
    <Group
      title={t('명단 지문 고정')}
      reason={t(
        '이벤트의 약속과 확정된 티켓 명단을 합친 지문을 추첨 전에 체인에 남깁니다. 나중에 바뀌지 않았음을 누구나 확인할 수 있습니다.',
      )}
    >
      {!commitment || !data ? (
        <p className="quiet">{t('판매가 끝나고 명단이 확정되면 지문이 여기에 나타납니다.')}</p>
      ) : (
        <>
          <div>
            <p className="field-label">{t('약속과 명단의 지문 (SHA-256)')}</p>
            <Address value={commitment} label={t('지문 복사')} />
          </div>
          {anchorHash ? (
            <p className={rowStyles.row}>
              <span className="badge ok">{t('고정됨')}</span>
              <HashText hash={anchorHash} head={18} />
            </p>
          ) : null}
          {isAnchoredOtherwise(state) && (
            <Note tone="bad">
              {t(
                '체인에는 다른 명단의 지문이 고정되어 있습니다. 추첨 시각 전에 지금 명단을 다시 고정하지 않으면 추첨 없이 전액 환불됩니다.',
              )}
            </Note>
          )}
          {isLate ? (
            !anchorHash && <p className="quiet">{t('추첨 시각이 지나 더 이상 고정할 수 없습니다.')}</p>
          ) : (
            <>
              <div className={rowStyles.row}>
                <Button
                  need="ledger.anchor"
                  tone={anchorHash ? 'edged' : 'gold'}
                  icon={walletIcon}
                  isBusy={isSending}
                  onClick={() => void send()}
                >
                  {t('지갑으로 지문 고정')}
                </Button>
                <span className="hint">
                  {t('운영자 지갑이 고정하면 그 지갑의 기록만 인정됩니다. 돈은 움직이지 않습니다.')}
                </span>
              </div>
              <details>
                <summary>{t('다른 곳에서 보낸 거래')}</summary>
                <div className={handStyles.steps}>
                  <p className="hint">
                    {t(
                      '운영자 지갑이나 Safe에서 {address}(으)로 아래 데이터를 보낸 뒤 거래 해시를 입력하세요.',
                      { address: register.address },
                    )}
                  </p>
                  <div className="address address-row">
                    <span>{data}</span>
                    <CopyButton text={data} label={t('데이터 복사')} />
                  </div>
                  <TextField
                    label={t('앵커 거래 해시')}
                    value={hash}
                    onChange={(value) => {
                      setHash(value)
                      setError(undefined)
                    }}
                    error={error}
                    placeholder="0x…"
                    spellCheck={false}
                    autoComplete="off"
                    isMono
                  />
                  <Button
                    need="ledger.anchor"
                    size="small"
                    isBusy={isChecking}
                    disabled={hash.trim() === ''}
                    onClick={() => void check()}
                  >
                    {t('거래 확인')}
                  </Button>
                </div>
              </details>
            </>
          )}
        </>
      )}
      <AnchorKey state={state} />
    </Group>
  )
}
