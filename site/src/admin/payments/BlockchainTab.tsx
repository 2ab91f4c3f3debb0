import { useStore } from '@nanostores/react'
import pauseIcon from 'lucide-static/icons/circle-pause.svg?raw'
import crossIcon from 'lucide-static/icons/x.svg?raw'
import { useState } from 'react'
import { usdtOf } from '../../../../core/money.ts'
import type { PaymentReason } from '../../../../core/payment/payment.ts'
import { $solvency } from '../../live/live.ts'
import { t, words } from '../language/t.ts'
import { $event, loadEvent } from '../session/config.ts'
import { api, call, type PaymentItem } from '../session/session.ts'
import { type Action, ActionButton } from '../ui/action.tsx'
import { HashText, Wallet } from '../ui/address.tsx'
import { Badge, Group, ListCard, Note } from '../ui/card.tsx'
import { Entry } from '../ui/entry.tsx'
import { count, toStamp, usdtColumn } from '../ui/format.ts'
import { List } from '../ui/list.tsx'
import { usePages } from '../ui/resource.tsx'
import { Select } from '../ui/select.tsx'
import { $pipeline, PipelineCard } from './PipelineCard.tsx'

export const BlockchainTab = () => (
  <>
    <SalesHalt />
    <ManualTransaction />
    <PipelineCard />
    <SolvencyCard />
    <PaymentsWithoutTicket />
  </>
)

const resume: Action = {
  name: t('판매 재개'),
  failure: t('판매를 재개하지 못했습니다'),
  ask: () => ({
    body: t(
      '티켓 명단을 체인에서 다시 만들고 있습니다. 다 읽으면 판매는 저절로 다시 열립니다. 그 전에 열려면 변경 기록을 먼저 확인하세요.',
    ),
  }),
  run: () => call(() => api.raffle.resume.post()),
  told: () => [t('판매를 재개했습니다'), t('구매가 다시 열렸습니다.')],
  writes: true,
  tone: 'ink',
}

function SalesHalt() {
  if (!useStore($event)?.isHalted) return null
  return (
    <Note tone="bad" role="alert" action={<ActionButton action={resume} onDone={loadEvent} />}>
      <b>{t('판매가 멈춰 있습니다.')}</b> {t('이미 읽은 블록이 바뀌어 티켓 명단을 다시 만들었습니다.')}{' '}
      {t('공개 변경 기록에 남았습니다.')}
    </Note>
  )
}

function ManualTransaction() {
  const [isWaiting, setWaiting] = useState(false)
  return (
    <Group
      title={t('수동 거래 처리')}
      reason={t(
        '구매자가 이메일로 보낸 거래 해시를 확인합니다. 금액과 티켓 수는 체인에서 읽으며, 이미 처리된 거래는 다시 처리되지 않습니다.',
      )}
    >
      <Entry<number>
        label={t('거래 해시')}
        hint={
          isWaiting
            ? t('체인에서 확정을 기다리고 있습니다. 최대 10초가 걸립니다.')
            : t('0x로 시작하는 64자리 16진수입니다. 앞뒤 공백은 무시됩니다.')
        }
        placeholder="0x…"
        missing={t('거래 해시를 입력해주세요')}
        isMono
        action={{
          name: t('거래 처리'),
          failure: t('거래 처리에 실패했습니다'),
          async run(transactionHash) {
            setWaiting(true)
            const asked = call(() => api.blockchain['process-transaction'].post({ transactionHash }))
            return (await asked.finally(() => setWaiting(false))).ticketsCreated
          },
          told: (_, tickets) => [
            t('거래를 처리했습니다'),
            t('티켓 {tickets}장이 발급되었습니다.', { tickets: count(tickets) }),
          ],
          writes: true,
        }}
      />
    </Group>
  )
}

export const reasonTexts: Record<string, string> = words.paymentReasons

function PaymentsWithoutTicket() {
  const [reason, setReason] = useState<PaymentReason | ''>('')
  const pipeline = useStore($pipeline)
  const known = pipeline?.withoutTicket ?? {}
  const total = Object.values(known).reduce((sum, n) => sum + n, 0)
  const payments = usePages<PaymentItem>(
    (last) => {
      const query = { status: 'rejected', reason, cursor: `${last?.id ?? ''}` } as const
      return call(() => api.payments.get({ query }))
    },
    { query: reason, turn: total },
  )
  return (
    <ListCard
      title={t('티켓 없는 결제')}
      reason={t(
        '돈은 들어왔지만 티켓이 발급되지 않은 결제입니다. 운영자 자신의 돈이라고 정한 것이 아니면 환불 대상입니다.',
      )}
      actions={
        <Select
          isLabelled
          label={t('사유')}
          value={reason}
          options={[
            ['', t('전체')],
            ...Object.entries(reasonTexts).map(
              ([code, text]) =>
                [code as PaymentReason, known[code] ? `${text} (${count(known[code])})` : text] as const,
            ),
          ]}
          onChange={setReason}
        />
      }
    >
      <List<PaymentItem>
        label={t('티켓 없는 결제')}
        from={payments}
        idOf={({ id }) => id}
        actions={[ownMoney, notOwn]}
        empty={t('티켓 없는 결제가 없습니다.')}
        columns={[
          {
            name: t('시각 (UTC)'),
            cell: ({ createdAt }) => <span className="figure">{toStamp(createdAt)}</span>,
          },
          {
            name: t('보낸 지갑'),
            place: 'lead',
            cell: ({ walletAddress }) => <Wallet address={walletAddress} />,
          },
          { name: t('거래'), cell: ({ transactionHash }) => <HashText hash={transactionHash} /> },
          {
            name: t('사유'),
            cell: ({ reason: why }) => (
              <Badge tone={why === 'held' ? 'held' : 'bad'} icon={why === 'held' ? pauseIcon : crossIcon}>
                {(why && reasonTexts[why]) ?? t('알 수 없음')}
              </Badge>
            ),
          },
          { name: t('금액 (USDT)'), place: 'end', isFigure: true, cell: ({ amount }) => usdtColumn(amount) },
        ]}
      />
    </ListCard>
  )
}

const marking = (markedAs: 'own' | null): Omit<Action<PaymentItem>, 'name'> => ({
  failure: t('구분을 바꾸지 못했습니다'),
  run: ({ transactionHash, walletAddress: payer, operatorWallet: wallet }) =>
    call(() => api.refunds.mark.post({ transactionHash, payer, wallet, markedAs })),
  told: () => [t('구분을 바꿨습니다'), t('환불액에 바로 반영되었습니다.')],
  writes: true,
})

const ownMoney: Action<PaymentItem> = {
  ...marking('own'),
  name: t('운영자 돈으로'),
  ask: ({ amount }) => ({
    title: t('운영자 자신의 돈'),
    tone: 'danger',
    body: t(
      '이 {amount} USDT는 운영자가 스스로 보낸 돈이라 누구에게도 돌려주지 않습니다. 감사 기록에 남고, 되돌릴 수 있습니다.',
      { amount: usdtColumn(amount) },
    ),
  }),
  fits: ({ isOwn, reason }) => !isOwn && reason !== 'held' && reason !== 'early',
}
const notOwn: Action<PaymentItem> = {
  ...marking(null),
  name: t('환불 대상으로'),
  fits: ({ isOwn }) => isOwn,
}

const solvencyWords = {
  covered: ['ok', t('충분')],
  short: ['bad', t('부족')],
  unknown: ['wait', t('확인 불가')],
} as const

function SolvencyCard() {
  const solvency = useStore($solvency)
  const [tone, word] = solvencyWords[solvency?.state ?? 'unknown']
  const { held, required, block } = solvency ?? {}
  return (
    <Group title={t('보유 금액과 지급할 금액')} reason={t('최소 수량 옆에 같은 값이 공개됩니다.')}>
      <p>
        <Badge tone={tone}>{word}</Badge>{' '}
        {held && required && block
          ? t('블록 {block}에서 {held} USDT를 보유했고, 지급할 금액은 {required} USDT입니다.', {
              block: count(block.number),
              held: usdtOf(held),
              required: usdtOf(required),
            })
          : t('아직 두 노드의 같은 답을 받지 못했습니다.')}
      </p>
    </Group>
  )
}

export function CoverNote() {
  const solvency = useStore($solvency)
  if (solvency?.state !== 'short' || !solvency.held || !solvency.required) return null
  const missing = BigInt(solvency.required) - BigInt(solvency.held)
  return (
    <Note tone="bad" role="alert">
      <b>{t('지급할 금액보다 {missing} USDT 부족합니다.', { missing: usdtOf(missing) })}</b>{' '}
      {t('공개 페이지에도 부족으로 나타납니다. 운영자 지갑에 USDT를 채우세요.')}
    </Note>
  )
}
