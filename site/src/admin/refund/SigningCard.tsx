import { useStore } from '@nanostores/react'
import downloadIcon from 'lucide-static/icons/download.svg?raw'
import pauseIcon from 'lucide-static/icons/pause.svg?raw'
import walletIcon from 'lucide-static/icons/wallet.svg?raw'
import { useEffect, useState } from 'react'
import type { Address } from 'viem'
import { unitsText } from '../../../../core/money.ts'
import { payersPerCall } from '../../../../core/refund/safe-file.ts'
import { Stack } from '../../shell/Layout.tsx'
import { Step } from '../../shell/Parts.tsx'
import { discover, type Eip1193, type WalletOffer, withOffer } from '../../wallet/eip1193.ts'
import { t } from '../language/t.ts'
import { type Action, ActionButton, Button } from '../ui/action.tsx'
import { Wallet } from '../ui/address.tsx'
import { Fact, Note } from '../ui/card.tsx'
import { saveFile } from '../ui/download.tsx'
import { Entry } from '../ui/entry.tsx'
import { count } from '../ui/format.ts'
import { useResource } from '../ui/resource.tsx'
import { connectTo, sendTransaction, switchToBsc } from '../ui/WalletSignature.tsx'
import {
  $run,
  $scope,
  $signer,
  filesForSafe,
  isRunning,
  money,
  type RefundSummary,
  startPaying,
  stopPaying,
  wordOf,
} from './desk.ts'
import { obstacleOf, type PayState } from './pay.ts'
import styles from './refund.module.css'
import { deployment, readWallet } from './wallet.ts'

export function SigningCard({ summary }: { summary: RefundSummary }) {
  const event = useStore($scope)
  const signer = useStore($signer)
  const run = useStore($run)
  const [perCall, setPerCall] = useState(payersPerCall)
  const { payers, due, isPaused, isWatching } = summary
  const ofEvent = summary.events.find(({ eventNumber }) => eventNumber === event)
  const left = ofEvent
    ? { count: ofEvent.payers - ofEvent.settled, units: BigInt(ofEvent.due) }
    : { count: payers.due + payers.sent, units: BigInt(due) }
  const isBusy = isRunning(run)
  return (
    <section className={`card stack ${styles.signing}`} aria-label={t('서명')}>
      <h2>{t('서명')}</h2>
      <dl className="summary">
        <Fact name={event ? t('이벤트 {event}', { event }) : t('모든 이벤트')}>
          {t('{count}건', { count: count(left.count) })}
        </Fact>
        <Fact name={ofEvent ? t('남음, 보류 포함 (USDT)') : t('보낼 금액 (USDT)')}>{money(left.units)}</Fact>
      </dl>
      {signer ? <Signer {...signer} summary={summary} isBusy={isBusy} /> : <Connect />}
      {run && <Steps run={run} />}
      {signer && !isBusy && left.count > 0 && (
        <>
          <label className="row whole size-14">
            {t('거래 한 번에 보낼 건수')}
            <input
              className="input figure"
              type="number"
              min={1}
              max={payersPerCall}
              value={perCall}
              onChange={({ target }) =>
                setPerCall(Math.min(payersPerCall, Math.max(1, target.valueAsNumber || 1)))
              }
            />
          </label>
          <ActionButton
            action={{
              name: run?.paid.length
                ? t('이어서 {count}건 지갑에서 승인', { count: count(left.count) })
                : t('{count}건 지갑에서 승인', { count: count(left.count) }),
              failure: t('서명을 시작하지 못했습니다'),
              run: async () => startPaying(summary, perCall),
              writes: true,
              tone: 'gold',
              icon: walletIcon,
            }}
            size="normal"
            disabled={isPaused || !isWatching}
          />
          <p className="hint">{t('새로 고치거나 다시 승인해도 두 번 지급되지 않습니다.')}</p>
        </>
      )}
      {isBusy && (
        <Button tone="edged" icon={pauseIcon} onClick={stopPaying}>
          {t('멈추기')}
        </Button>
      )}
      {left.count > 0 && !isBusy && <SafeFile summary={summary} />}
    </section>
  )
}

function Connect() {
  const [offers, setOffers] = useState<readonly WalletOffer[]>([])
  useEffect(() => discover((offer) => setOffers((known) => withOffer(known, offer))), [])
  const named = offers.map(({ info, provider }) => ({
    ...{ id: info.uuid, name: t('{name} 연결', { name: info.name }), provider },
  }))
  return (
    <Stack>
      <p className="muted">{t('USDT를 가진 지갑이면 어느 것이나 됩니다. 돈은 늘 결제한 주소로 갑니다.')}</p>
      {(named.length > 0 ? named : [{ id: '', name: t('지갑 연결'), provider: undefined }]).map(
        ({ id, name, provider }) => (
          <ActionButton key={id} action={{ ...connect(provider), name }} size="normal" />
        ),
      )}
    </Stack>
  )
}

const connect = (named?: Eip1193): Omit<Action, 'name'> => ({
  failure: t('지갑을 연결하지 못했습니다'),
  async run() {
    const { account, provider } = await connectTo(named)
    await switchToBsc(provider)
    $run.set(undefined)
    $signer.set({ provider, wallet: account })
  },
  tone: 'ink',
  icon: walletIcon,
})

type SignerProps = { provider: Eip1193; wallet: Address; summary: RefundSummary; isBusy: boolean }

function Signer({ provider, wallet, summary, isBusy }: SignerProps) {
  const { reload, data, trouble } = useResource(() => readWallet(provider, wallet, summary), {
    ...{ everyMs: 5_000, key: `${wallet} ${isBusy}` },
  })
  const obstacle = data && obstacleOf(data, wallet, summary)
  return (
    <>
      <dl className="summary">
        <Fact name={t('서명 지갑')}>
          <Wallet address={wallet} />
        </Fact>
        <Fact name={t('잔액 (USDT)')}>{data ? money(data.usdt) : '–'}</Fact>
        <Fact name={t('잔액 (BNB)')}>{data ? unitsText(data.bnb, 4) : '–'}</Fact>
      </dl>
      {trouble && <Note tone="bad">{t('지갑의 노드가 답하지 않습니다.')}</Note>}
      {obstacle === 'account' && (
        <Note tone="bad">
          {t('지갑에서 고른 계정이 바뀌었습니다. 원래 계정으로 돌리거나 다시 연결하세요.')}
        </Note>
      )}
      {obstacle === 'chain' && (
        <Obstacle
          action={{
            name: t('네트워크 바꾸기'),
            failure: t('네트워크를 바꾸지 못했습니다'),
            run: () => switchToBsc(provider),
          }}
          onDone={reload}
        >
          {t('지갑이 BNB Smart Chain에 있지 않습니다.')}
        </Obstacle>
      )}
      {obstacle === 'register' &&
        (data?.register === 'missing' ? (
          <Obstacle
            action={{
              name: t('컨트랙트 올리기'),
              failure: t('환불 컨트랙트를 올리지 못했습니다'),
              run: async () =>
                sendTransaction(provider, { from: wallet, value: '0x0', ...(await deployment()) }),
            }}
            onDone={reload}
          >
            {t(
              '두 번 지급되지 않게 기억하는 환불 컨트랙트가 아직 체인에 없습니다. 누구나 서명 한 번으로 같은 주소에 올릴 수 있습니다.',
            )}
          </Obstacle>
        ) : (
          <Note tone="bad">
            {t(
              '환불 컨트랙트의 주소에 우리 코드가 없습니다. 지갑이 올바른 노드에 연결되어 있는지 확인하세요.',
            )}
          </Note>
        ))}
      {!isBusy && (
        <Button tone="plain" size="small" onClick={() => $signer.set(undefined)}>
          {t('다른 지갑으로')}
        </Button>
      )}
    </>
  )
}

type ObstacleProps = { action: Action; onDone: () => unknown; children: string }

const Obstacle = ({ action, onDone, children }: ObstacleProps) => (
  <Note tone="bad" action={<ActionButton action={action} onDone={onDone} />}>
    {children}
  </Note>
)

/** What was allowed, calls done, the one in the wallet, and those that follow. @internal */
export function Steps({ run }: { run: PayState }) {
  const { phase, paid, ahead, refused, approving, isCompared } = run
  const calls = [...paid, ...(phase === 'done' ? [] : ahead)]
  const most = paid.length + 4
  const stateOf = (at: number) =>
    at < paid.length
      ? 'done'
      : at === paid.length && (phase === 'call' || phase === 'chain')
        ? 'now'
        : 'ahead'
  return (
    <Stack role="status">
      <ol className="steps">
        {approving !== undefined && (
          <Step state={phase === 'approve' ? 'now' : 'done'} className="figure" title={t('금액 허용')}>
            {t('{units} USDT', { units: money(approving) })}
          </Step>
        )}
        {calls.slice(0, most).map(({ count: n, units }, at) => (
          <Step
            // biome-ignore lint/suspicious/noArrayIndexKey: a call is known by its place
            key={at}
            state={stateOf(at)}
            number={at + 1}
            className="figure"
            title={t('거래 {at}', { at: at + 1 })}
          >
            {t('{count}건, {units} USDT', { count: count(n), units: money(units) })}
          </Step>
        ))}
      </ol>
      {calls.length > most && (
        <p className="hint">{t('그 뒤 {count}번 더', { count: count(calls.length - most) })}</p>
      )}
      {refused.map(({ to, units, sent, reason }) => (
        <Note key={to} tone="bad">
          <Wallet address={to} /> {money(units)} USDT:{' '}
          {sent === undefined
            ? t('체인이 받지 않아 뺐습니다 ({reason}).', { reason: reason ?? '' })
            : t('지갑의 노드에는 이 주소가 {sent} USDT만 보낸 것으로 나와 뺐습니다.', { sent: money(sent) })}
        </Note>
      ))}
      {!isCompared && (
        <p className="hint">
          {t('지갑의 노드가 지난 입금을 알려 주지 않아, 보낸 금액과 대조하지 못했습니다.')}
        </p>
      )}
      <p className="muted">{wordOf(run)}</p>
    </Stack>
  )
}

/** Refunds from a Safe, whose owners sign a file; nothing of it is kept, as the chain shows what came of it. */
const SafeFile = ({ summary }: { summary: RefundSummary }) => (
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
