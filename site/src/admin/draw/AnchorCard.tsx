import { useStore } from '@nanostores/react'
import walletIcon from 'lucide-static/icons/wallet.svg?raw'
import type { Hex } from 'viem'
import { register } from '../../../../core/chain/register.ts'
import { encodeAnchor } from '../../../../core/draw/anchor.ts'
import type { BeaconState, PublicConfig, PublicState } from '../../../../core/live/public.ts'
import { unitsText } from '../../../../core/money.ts'
import { $now } from '../../live/clock.ts'
import { $config } from '../../live/live.ts'
import { Row } from '../../shell/Layout.tsx'
import { bscId } from '../../wallet/eip1193.ts'
import { isSwapped } from '../../wallet/pinned.ts'
import { t } from '../language/t.ts'
import { readRegister } from '../refund/wallet.ts'
import type { AdminConfig, AnchorState } from '../session/session.ts'
import { type Action, ActionButton } from '../ui/action.tsx'
import { Address, Copied, HashText } from '../ui/address.tsx'
import { Badge, Folded, Note, type Tone } from '../ui/card.tsx'
import { Trouble } from '../ui/error-text.ts'
import { count, inWords } from '../ui/format.ts'
import { connectAs, sendTransaction, switchToBsc } from '../ui/WalletSignature.tsx'
import { anchorToSend, beaconText } from './draw-conditions.ts'

type Sending = { config: PublicConfig; operatorWallet: string | null; data: Hex }

const anchor: Action<Sending> = {
  name: t('지갑으로 해시 고정'),
  failure: t('기록 거래를 보내지 못했습니다'),
  async run({ config, operatorWallet, data }) {
    if (isSwapped(config)) throw new Trouble(t('서버가 이 페이지와 다른 토큰이나 지갑을 알려주었습니다.'))
    const { provider, account } = await connectAs(operatorWallet ?? '')
    await switchToBsc(provider)
    if ((await readRegister(provider)) !== 'ready')
      throw new Trouble(
        t('기록 컨트랙트가 이 체인에 없거나 다른 코드입니다. 환불 화면에서 먼저 만들 수 있습니다.'),
      )
    const chainId = `0x${bscId.toString(16)}` as const
    await sendTransaction(provider, { from: account, to: register.address, data, value: '0x0', chainId })
  },
  told: () => [t('기록 거래를 보냈습니다'), t('블록이 확정되면 여기에 나타납니다.')],
  tone: 'gold',
  icon: walletIcon,
}

export function AnchorCard({ event, state }: { event: AdminConfig; state: AnchorState | undefined }) {
  const config = useStore($config)
  const now = useStore($now)
  const { operatorWallet, eventNumber } = event
  const commitment = anchorToSend(event, state, now)
  const told = state?.list ?? state?.terms
  const data = config?.book && commitment ? encodeAnchor(config.book, eventNumber, commitment) : undefined
  return (
    <Folded
      title={t('명단 해시 고정')}
      state={
        told && (
          <Badge tone={told.transactionHash ? 'ok' : data ? 'wait' : 'held'}>
            {told.transactionHash ? t('고정됨') : data ? t('고정할 것 있음') : t('고정되지 않음')}
          </Badge>
        )
      }
      isOpen={data !== undefined || state?.key?.isLow === true || (state?.others.length ?? 0) > 0}
      reason={t(
        '이벤트의 약속은 판매 중에, 약속과 확정된 명단은 추첨 전에 그 해시를 체인에 남깁니다. 나중에 바뀌지 않았음을 누구나 확인할 수 있습니다.',
      )}
    >
      {state && <Told title={t('약속의 해시 (SHA-256)')} told={state.terms} />}
      {state?.list && <Told title={t('약속과 명단의 해시 (SHA-256)')} told={state.list} />}
      {state?.others.length ? (
        <Note tone="bad" role="alert">
          {t('이벤트의 지갑이 다른 해시도 기록했습니다. 검증하는 사람에게 보입니다.')}{' '}
          {state.others.map(({ transactionHash, at }) => (
            <span key={transactionHash}>
              <HashText hash={transactionHash} head={14} /> {t('{at} (한국)', { at: inWords(at) })}{' '}
            </span>
          ))}
        </Note>
      ) : null}
      {config && data && (
        <>
          <Row>
            <ActionButton<Sending> action={anchor} row={{ config, operatorWallet, data }} size="normal" />
            <span className="hint">{t('운영자 지갑으로 서명합니다. 돈은 움직이지 않습니다.')}</span>
          </Row>
          <details>
            <summary>{t('다른 곳에서 보내기')}</summary>
            <p className="hint">
              {t('운영자 지갑이나 Safe에서 {address}(으)로 아래 데이터를 보내세요.', {
                address: register.address,
              })}
            </p>
            <Copied text={data} label={t('데이터 복사')} />
          </details>
        </>
      )}
      <Key state={state} />
    </Folded>
  )
}

const Told = ({ title, told }: { title: string; told: AnchorState['terms'] }) => (
  <div>
    <p className="field-label">{title}</p>
    <Address value={told.commitment} label={t('해시 복사')} />
    {told.transactionHash && (
      <Row as="p">
        <span className="badge ok">{t('고정됨')}</span>
        <HashText hash={told.transactionHash} head={18} />
      </Row>
    )}
  </div>
)

function Key({ state }: { state: AnchorState | undefined }) {
  if (!state) return null
  const { key } = state
  if (!key) return <p className="muted">{t('ANCHOR_KEY를 설정하면 서버가 스스로 고정합니다.')}</p>
  return (
    <div>
      <p className="field-label">{t('서버의 고정 지갑 (ANCHOR_KEY)')}</p>
      <Address value={key.walletAddress} label={t('주소 복사')} />
      <p className="muted">
        {t('잔액 {balance} BNB · 약 {anchorsLeft}번 고정할 수 있습니다.', {
          balance: unitsText(BigInt(key.balanceWei), 6),
          anchorsLeft: count(key.anchorsLeft),
        })}
      </p>
      {key.register === 'other' && (
        <Note tone="bad">{t('기록 컨트랙트의 주소에 다른 코드가 있어 고정할 수 없습니다.')}</Note>
      )}
      {key.isLow && (
        <Note tone="bad">{t('수수료로 쓸 BNB가 부족합니다. 위 주소로 BNB를 조금 보내세요.')}</Note>
      )}
    </div>
  )
}

const words: Record<BeaconState, [Tone, string]> = {
  sealed: ['held', t('공개 전')],
  awaited: ['wait', t('서명 대기')],
  found: ['ok', t('확인됨')],
}

export function BeaconCard({ config, drawStatus }: Pick<PublicState, 'config' | 'drawStatus'>) {
  const { beacon, blockSeed } = drawStatus
  return (
    <Folded
      title={t('추첨 난수')}
      state={beacon && <Badge tone={words[beacon][0]}>{words[beacon][1]}</Badge>}
      reason={t(
        '블록 다섯 개의 해시와, 그 뒤에 공개되는 drand 회차를 섞습니다. 블록 시드가 먼저 공개됩니다.',
      )}
    >
      <div>
        <p className="field-label">{t('블록 시드 (SHA-256)')}</p>
        {blockSeed ? (
          <Address value={blockSeed} label={t('블록 시드 복사')} />
        ) : (
          <p className="muted">{t('추첨 블록이 확정되면 여기에 나타납니다.')}</p>
        )}
      </div>
      <div>
        <p className="field-label">
          {t('drand 회차')}{' '}
          {config.beaconRound !== null && <span className="figure">{count(config.beaconRound)}</span>}
        </p>
        <p>{beaconText(drawStatus)}</p>
      </div>
    </Folded>
  )
}
