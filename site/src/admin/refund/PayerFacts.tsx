import { type ReactNode, useState } from 'react'
import { releasable } from '../../../../core/refund/rules.ts'
import { Figure, Row, Stack } from '../../shell/Layout.tsx'
import { isSameAddress } from '../../wallet/eip1193.ts'
import { t, words } from '../language/t.ts'
import { reasonTexts } from '../payments/BlockchainTab.tsx'
import { api, call, isReadOnly } from '../session/session.ts'
import { type Action, ActionButton, useAct } from '../ui/action.tsx'
import { Address, HashText, Wallet } from '../ui/address.tsx'
import { Fact } from '../ui/card.tsx'
import { Entry } from '../ui/entry.tsx'
import { TextField } from '../ui/Field.tsx'
import { count, toStamp } from '../ui/format.ts'
import { Loaded, useResource } from '../ui/resource.tsx'
import { Select } from '../ui/select.tsx'
import { type PayerFacts as Facts, money, type RefundRow } from './desk.ts'

export function PayerFacts({ payer, onChange }: { payer: string; onChange: () => void }) {
  const facts = useResource(() => call(() => api.refunds({ payer }).get()))
  const changed = async () => {
    onChange()
    await facts.reload()
  }
  return (
    <Stack className="size-14">
      <Address value={payer} label={t('주소 복사')} />
      <Loaded from={facts} rows={2}>
        {(data) => <Known facts={data} onChange={changed} />}
      </Loaded>
    </Stack>
  )
}

type Props = { facts: Facts; onChange: () => Promise<void> }

/** @internal */
export const Known = ({ facts: { row, payments, transfers, decisions }, onChange }: Props) => (
  <>
    <dl className="summary">
      <Fact name={t('환불액 (USDT)')}>{money(row.owed)}</Fact>
      <Fact name={t('컨트랙트로 보냄')}>{money(row.byRegister)}</Fact>
      <Fact name={t('직접 보냄')}>{money(row.byHand)}</Fact>
      <Fact name={t('남음 (USDT)')}>{money(row.due)}</Fact>
    </dl>
    {row.holds.map((hold) => (
      <p key={hold}>
        <b>{words.refundHolds[hold].word}</b> {words.refundHolds[hold].text}
      </p>
    ))}
    {row.state === 'surplus' && (
      <p>{t('돌려줄 금액보다 많이 받았습니다. 다음 이벤트의 환불에서 그만큼 적게 보냅니다.')}</p>
    )}
    <Entries title={t('받은 결제')}>
      {payments.map(
        ({ transactionHash, wallet, eventNumber, units, ticketCount, reason, at, received, isOwn }) => (
          <li className="row" key={`${transactionHash} ${wallet}`}>
            <HashText hash={transactionHash} />
            <span className="muted">
              {toStamp(at)} UTC, {t('이벤트 {eventNumber}', { eventNumber })},{' '}
              {ticketCount > 0
                ? t('티켓 {ticketCount}장', { ticketCount: count(ticketCount) })
                : (reasonTexts[reason ?? ''] ?? t('티켓 없음'))}
              {received !== '0' && t(', 돌려줌 {received}', { received: money(received) })}
              {isOwn && `, ${t('운영자 자신의 돈')}`}
            </span>
            <Figure>{money(units)}</Figure>
          </li>
        ),
      )}
    </Entries>
    <Entries title={t('나간 전송')}>
      {transfers.map((transfer) => (
        <li className="row" key={`${transfer.transactionHash} ${transfer.wallet} ${transfer.kind}`}>
          <HashText hash={transfer.transactionHash} />
          <span className="muted">
            {toStamp(transfer.at)} UTC, <Wallet address={transfer.wallet} />
          </span>
          <Figure>{money(transfer.units)}</Figure>
          {transfer.kind === 'register' ? (
            <span className="muted">{t('환불, 컨트랙트')}</span>
          ) : (
            <Mark payer={row.payer} transfer={transfer} onChange={onChange} />
          )}
        </li>
      ))}
    </Entries>
    <OtherTransfer payer={row.payer} onChange={onChange} />
    <Entries title={t('관리자의 결정')}>
      {decisions.map(({ decision, note, at }) => (
        <li className="row" key={at}>
          <span>{decision === 'hold' ? t('보류') : t('보류 해제')}</span>
          <span className="muted">
            {toStamp(at)} UTC{note && `, ${note}`}
          </span>
        </li>
      ))}
    </Entries>
    <Decide row={row} onChange={onChange} />
  </>
)

const markFailed = t('구분을 바꾸지 못했습니다')
const toldMark = () => [t('구분을 바꿨습니다'), t('환불액에 바로 반영되었습니다.')] as const

type MarkProps = { payer: string; transfer: Facts['transfers'][number]; onChange: () => Promise<void> }

function Mark({ payer, transfer: { transactionHash, wallet, markedAs }, onChange }: MarkProps) {
  const prizes = useResource(() => call(() => api.prizes.get()))
  const own = (prizes.data ?? []).filter(
    ({ kind, state, holder }) =>
      kind === 'token' && state === 'due' && isSameAddress(payer, holder?.walletAddress),
  )
  const [mark, isBusy] = useAct<string>(
    {
      failure: markFailed,
      run(value) {
        const [kind = '', eventNumber, place] = value.split(' ')
        const markedAs = kind === '' ? null : (kind as 'refund' | 'prize' | 'none')
        const prize = markedAs === 'prize' && { eventNumber: Number(eventNumber), place: Number(place) }
        return call(() => api.refunds.mark.post({ transactionHash, payer, wallet, markedAs, ...prize }))
      },
      told: toldMark,
    },
    onChange,
  )
  return (
    <Select
      label={t('전송의 구분')}
      value={`${markedAs ?? ''}`}
      disabled={isBusy || isReadOnly()}
      options={[
        ['', t('아직 정하지 않음')],
        ['refund', t('환불이었음')],
        ['none', t('환불이 아니었음')],
        ...(markedAs === 'prize' ? [['prize', t('경품이었음')] as const] : []),
        ...own.map(
          ({ eventNumber, place }) =>
            [
              `prize ${eventNumber} ${place}`,
              t('이벤트 {eventNumber} 경품 {place}번', { eventNumber, place }),
            ] as const,
        ),
      ]}
      onChange={mark}
    />
  )
}

/** A refund that some other wallet has sent: two nodes read it before it counts. */
const OtherTransfer = ({ payer, onChange }: { payer: string; onChange: () => Promise<void> }) => (
  <details>
    <summary>{t('다른 지갑에서 직접 환불했다면')}</summary>
    <Entry
      label={t('거래 해시')}
      placeholder="0x…"
      isMono
      action={{
        name: t('환불로 세기'),
        failure: markFailed,
        run: (transactionHash) =>
          call(() => api.refunds.mark.post({ transactionHash, payer, markedAs: 'refund' })),
        told: toldMark,
        writes: true,
        tone: 'edged',
      }}
      onDone={onChange}
    />
  </details>
)

function Decide({ row, onChange }: { row: RefundRow; onChange: () => Promise<void> }) {
  const [note, setNote] = useState('')
  if (BigInt(row.due) <= 0n && !row.holds.includes('manual')) return null
  return (
    <Row align="top">
      <TextField label={t('메모')} value={note} onChange={setNote} hint={t('감사 기록에 남습니다.')} />
      {[hold, release].map((action) => (
        <ActionButton<Decision> key={action.name} action={action} row={{ ...row, note }} onDone={onChange} />
      ))}
    </Row>
  )
}

type Decision = RefundRow & { note: string }
const bodyOf = (note: string) => (note.trim() ? { note: note.trim() } : {})

const hold: Action<Decision> = {
  name: t('보류하기'),
  failure: t('보류하지 못했습니다'),
  run: ({ payer, note }) => call(() => api.refunds({ payer }).hold.post(bodyOf(note))),
  told: () => [t('보류했습니다'), t('해제할 때까지 보내지 않습니다.')],
  writes: true,
  fits: ({ holds }) => !holds.includes('manual'),
}
const release: Action<Decision> = {
  name: t('보류 해제'),
  failure: t('보류를 해제하지 못했습니다'),
  run: ({ payer, note }) => call(() => api.refunds({ payer }).release.post(bodyOf(note))),
  ask: ({ due, holds }) => ({
    body: (
      <>
        <p>
          {t('{due} USDT를 결제한 주소로 보냅니다. 보낸 뒤에는 되돌릴 수 없습니다.', { due: money(due) })}
        </p>
        {holds.map((hold) => (
          <p key={hold}>{words.refundHolds[hold].text}</p>
        ))}
      </>
    ),
  }),
  told: () => [t('보류를 해제했습니다'), t('다음 서명에서 함께 보냅니다.')],
  writes: true,
  tone: 'danger-edged',
  fits: ({ holds }) => holds.some((hold) => releasable.includes(hold)),
}

const Entries = ({ title, children }: { title: string; children: ReactNode[] }) =>
  children.length > 0 && (
    <Stack as="section" gap={8} aria-label={title}>
      <h3 className="size-14">{title}</h3>
      <ul className="rows">{children}</ul>
    </Stack>
  )
