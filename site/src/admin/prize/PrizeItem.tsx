import { type ReactNode, useState } from 'react'
import { usdtOf } from '../../../../core/money.ts'
import type { Answer } from '../../shell/answers.ts'
import { showToast } from '../../shell/toast.ts'
import { standingOf } from '../../winner/prizes.ts'
import { t } from '../language/t.ts'
import { api } from '../session/api.ts'
import { call } from '../session/session.ts'
import { Address } from '../ui/Address.tsx'
import { Badge } from '../ui/Badge.tsx'
import { Button } from '../ui/Button.tsx'
import { CopyButton } from '../ui/Copy.tsx'
import { inWords } from '../ui/dates.ts'
import { TextField } from '../ui/Field.tsx'
import { HashText } from '../ui/HashText.tsx'
import { useAction } from '../ui/use-action.ts'
import styles from './PrizeDesk.module.css'
import { nextTask, standings, stepWords } from './texts.ts'

export type DeskPrize = Answer<'get', '/api/admin/prizes'>[number]
type Props = { prize: DeskPrize; onSaid: () => Promise<void> }

export function PrizeItem({ prize, onSaid }: Props) {
  const { eventNumber, place, units, holder, claimBy, steps, state, tracking } = prize
  const { tone, word } = standings[standingOf(prize)]
  return (
    <li data-desk-prize={`${eventNumber} ${place}`}>
      <header className={styles.head}>
        <h3>{t('이벤트 {eventNumber} · 경품 {place}번', { eventNumber, place })}</h3>
        <span>{units === null ? t('배송하는 물건') : `${usdtOf(units)} USDT`}</span>
        <Badge tone={tone}>{word}</Badge>
      </header>
      <p className={styles.task}>{nextTask(prize)}</p>
      {holder && (
        <>
          <p className="field-label">
            {t('받을 사람:')} {holder.kind === 'winner' ? t('당첨자') : t('예비')}{' '}
            {t('{place}번', { place: holder.place })}
          </p>
          <Address value={holder.walletAddress} label={t('받을 지갑 복사')} />
        </>
      )}
      {state === 'due' && prize.unpaid && <Due units={prize.unpaid} />}
      <dl className="summary">
        {claimBy && (
          <Fact name={t('신청 기한 (한국)')} isText>
            {inWords(claimBy)}
          </Fact>
        )}
        {steps.map(({ step, at, transactionHash, reason }) => (
          <Fact key={`${step} ${at}`} name={stepWords[step]} isText>
            {inWords(at)}
            {reason && `: ${reason}`}
            {transactionHash && (
              <>
                {' '}
                <HashText hash={transactionHash} />
              </>
            )}
          </Fact>
        ))}
        {tracking && <Fact name={t('운송장 (비공개)')}>{tracking}</Fact>}
      </dl>
      {state === 'due' && <Paid prize={prize} onSaid={onSaid} />}
      {prize.kind === 'goods' && (state === 'claimed' || state === 'sent') && (
        <Ship key={state} prize={prize} onSaid={onSaid} />
      )}
      {prize.kind === 'goods' && state === 'sent' && <Delivered prize={prize} onSaid={onSaid} />}
      {prize.kind === 'goods' && (state === 'sent' || state === 'delivered') && (
        <Correct prize={prize} onSaid={onSaid} />
      )}
    </li>
  )
}

type FactProps = { name: string; isText?: boolean; children: ReactNode }

const Fact = ({ name, isText, children }: FactProps) => (
  <div>
    <dt>{name}</dt>
    <dd className={isText ? 'text' : undefined}>{children}</dd>
  </div>
)

/** Exactly this settles it, whatever program sends it. */
function Due({ units }: { units: string }) {
  const amount = usdtOf(units).replaceAll(',', '')
  return (
    <>
      <p className="field-label">{t('보낼 금액')}</p>
      <div className="address address-row">
        <b>{usdtOf(units)} USDT</b>
        <CopyButton text={amount} label={t('보낼 금액 복사')} />
      </div>
    </>
  )
}

function Ship({ prize: { eventNumber, place, state, tracking }, onSaid }: Props) {
  const [text, setText] = useState(tracking ?? '')
  const isSent = state === 'sent'
  const [ship, isBusy] = useAction(t('발송을 기록하지 못했습니다'), async () => {
    await call(() => api.prizes.post({ eventNumber, place, act: 'sent', tracking: text.trim() || null }))
    showToast(
      isSent ? t('운송장을 바꿨습니다') : t('발송을 기록했습니다'),
      isSent ? t('공개 페이지에는 나타나지 않습니다.') : t('공개 페이지에 발송으로 나타납니다.'),
      'good',
    )
    await onSaid()
  })
  return (
    <form
      className={styles.ship}
      onSubmit={(event) => {
        event.preventDefault()
        void ship()
      }}
    >
      <TextField
        label={t('운송장')}
        hint={t('택배사와 번호. 공개되지 않으며 비워 둘 수 있습니다.')}
        value={text}
        onChange={setText}
        maxLength={200}
        autoComplete="off"
      />
      <Button
        writes
        type="submit"
        tone={isSent ? 'edged' : 'ink'}
        isBusy={isBusy}
        disabled={isSent && text.trim() === (tracking ?? '')}
      >
        {isSent ? t('운송장 저장') : t('발송으로 표시')}
      </Button>
    </form>
  )
}

function Delivered({ prize: { eventNumber, place }, onSaid }: Props) {
  const [say, isBusy] = useAction(t('수령을 기록하지 못했습니다'), async () => {
    await call(() => api.prizes.post({ eventNumber, place, act: 'delivered' }))
    showToast(t('수령을 기록했습니다'), t('공개 페이지에 수령 완료로 나타납니다.'), 'good')
    await onSaid()
  })
  return (
    <Button writes tone="edged" isBusy={isBusy} onClick={() => void say()}>
      {t('받은 것으로 표시')}
    </Button>
  )
}

/** The transfer that paid it, by its hash: what two nodes say of it decides. */
function Paid({ prize: { eventNumber, place, holder }, onSaid }: Props) {
  const [hash, setHash] = useState('')
  const [pay, isBusy] = useAction(t('지급을 기록하지 못했습니다'), async () => {
    const transactionHash = hash.trim() as `0x${string}`
    const payer = holder?.walletAddress as `0x${string}`
    await call(() => api.refunds.mark.post({ transactionHash, payer, markedAs: 'prize', eventNumber, place }))
    showToast(t('지급을 기록했습니다'), t('체인에서 금액이 확인되면 지급 완료가 됩니다.'), 'good')
    setHash('')
    await onSaid()
  })
  return (
    <form
      className={styles.ship}
      onSubmit={(event) => {
        event.preventDefault()
        void pay()
      }}
    >
      <TextField
        label={t('지급 거래 해시')}
        hint={t('보낸 뒤 거래 해시를 넣으면 체인에서 받은 지갑과 금액을 확인합니다.')}
        value={hash}
        onChange={setHash}
        maxLength={66}
        autoComplete="off"
      />
      <Button writes type="submit" tone="ink" isBusy={isBusy} disabled={hash.trim() === ''}>
        {t('지급으로 기록')}
      </Button>
    </form>
  )
}

/** What was said in public is not deleted: it is said that it was wrong, and why. */
function Correct({ prize: { eventNumber, place }, onSaid }: Props) {
  const [reason, setReason] = useState('')
  const [correct, isBusy] = useAction(t('발송을 취소하지 못했습니다'), async () => {
    await call(() => api.prizes.post({ eventNumber, place, act: 'corrected', reason: reason.trim() }))
    showToast(t('발송을 취소했습니다'), t('공개 페이지에 날짜와 이유가 나타납니다.'), 'good')
    await onSaid()
  })
  return (
    <details className={styles.correct}>
      <summary>{t('잘못 표시했다면')}</summary>
      <form
        className={styles.ship}
        onSubmit={(event) => {
          event.preventDefault()
          void correct()
        }}
      >
        <TextField
          label={t('발송 취소 이유')}
          hint={t('공개됩니다. 받는 사람의 이름이나 주소를 쓰지 마세요.')}
          value={reason}
          onChange={setReason}
          maxLength={200}
          autoComplete="off"
        />
        <Button writes type="submit" tone="edged" isBusy={isBusy} disabled={reason.trim() === ''}>
          {t('발송 취소')}
        </Button>
      </form>
    </details>
  )
}
