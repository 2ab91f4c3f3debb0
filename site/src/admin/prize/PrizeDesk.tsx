import { useStore } from '@nanostores/react'
import checkIcon from 'lucide-static/icons/circle-check.svg?raw'
import { useState } from 'react'
import { mostLetters } from '../../../../core/event/ranges.ts'
import { usdtOf } from '../../../../core/money.ts'
import { normalizeClaimCode } from '../../../../core/prize/claim.ts'
import { $prizes } from '../../live/live.ts'
import type { Answer } from '../../shell/answers.ts'
import { Figure, Row, Stack, Text } from '../../shell/Layout.tsx'
import { type PrizeStanding, standingOf } from '../../winner/prizes.ts'
import { t, words } from '../language/t.ts'
import { api, call } from '../session/session.ts'
import { type Action, ActionButton } from '../ui/action.tsx'
import { Address, Copied, HashText } from '../ui/address.tsx'
import { Badge, Fact, ListCard, TextFact, type Tone } from '../ui/card.tsx'
import { Entry } from '../ui/entry.tsx'
import { inWords } from '../ui/format.ts'
import { type Column, List } from '../ui/list.tsx'
import { useResource } from '../ui/resource.tsx'

export type DeskPrize = Answer<'get', '/api/admin/prizes'>[number]

export function PrizeDesk() {
  const told = useStore($prizes)
  const key = JSON.stringify(told?.map(({ state, holder }) => [state, holder]))
  const found = useResource(() => call(() => api.prizes.get()), { everyMs: 20_000, key })
  return (
    <ListCard
      title={t('경품 관리')}
      reason={t(
        '받을 사람과 차례는 규칙이 정합니다. 여기에서는 발송을 기록하고, USDT 경품의 금액과 주소를 확인합니다.',
      )}
    >
      <List<DeskPrize>
        label={t('경품 관리')}
        from={found}
        idOf={({ eventNumber, place }) => `${eventNumber} ${place}`}
        columns={columns}
        marks={({ eventNumber, place }) => ({ 'data-desk-prize': `${eventNumber} ${place}` })}
        startsOpen={({ state }) => state === 'due' || state === 'claimed' || state === 'sent'}
        detail={(prize, reload) => <PrizeFacts prize={prize} onSaid={reload} />}
        empty={t('아직 발표된 경품이 없습니다.')}
      />
    </ListCard>
  )
}

const columns: Column<DeskPrize>[] = [
  {
    name: t('경품'),
    place: 'lead',
    cell: ({ eventNumber, place }) => t('이벤트 {eventNumber} · 경품 {place}번', { eventNumber, place }),
  },
  { name: t('종류'), cell: ({ units }) => (units === null ? t('배송하는 물건') : `${usdtOf(units)} USDT`) },
  {
    name: t('상태'),
    place: 'end',
    cell: (prize) => {
      const { tone, word } = standings[standingOf(prize)]
      return <Badge tone={tone}>{word}</Badge>
    },
  },
]

type Props = { prize: DeskPrize; onSaid: () => Promise<void> }

function PrizeFacts({ prize, onSaid }: Props) {
  const { kind, holder, claimBy, steps, state, tracking } = prize
  const isSent = state === 'sent'
  return (
    <Stack>
      <p className="muted">{words.prizeTasks[standingOf(prize)]}</p>
      {holder && (
        <div>
          <p className="field-label">
            {t('받을 사람:')} {holder.kind === 'winner' ? t('당첨자') : t('예비')}{' '}
            {t('{place}번', { place: holder.place })}
          </p>
          <Address value={holder.walletAddress} label={t('받을 지갑 복사')} />
        </div>
      )}
      {state === 'due' && prize.unpaid && (
        <div>
          <p className="field-label">{t('보낼 금액')}</p>
          <Copied text={usdtOf(prize.unpaid).replaceAll(',', '')} label={t('보낼 금액 복사')}>
            <b>{usdtOf(prize.unpaid)} USDT</b>
          </Copied>
        </div>
      )}
      <dl className="summary">
        {claimBy && <TextFact name={t('신청 기한 (한국)')}>{inWords(claimBy)}</TextFact>}
        {steps.map(({ step, at, transactionHash, reason }) => (
          <TextFact key={`${step} ${at}`} name={words.prizeSteps[step]}>
            {inWords(at)}
            {reason && `: ${reason}`} {transactionHash && <HashText hash={transactionHash} />}
          </TextFact>
        ))}
        {tracking && <Fact name={t('운송장 (비공개)')}>{tracking}</Fact>}
      </dl>
      {state === 'due' && <Paid prize={prize} onSaid={onSaid} />}
      {kind === 'goods' && state === 'claimed' && <ClaimCheck eventNumber={prize.eventNumber} />}
      {kind === 'goods' && (state === 'claimed' || isSent) && (
        <Ship key={state} prize={prize} onSaid={onSaid} />
      )}
      {kind === 'goods' && isSent && (
        <div>
          <ActionButton<DeskPrize> action={delivered} row={prize} onDone={onSaid} />
        </div>
      )}
      {kind === 'goods' && (isSent || state === 'delivered') && <Correct prize={prize} onSaid={onSaid} />}
    </Stack>
  )
}

const Ship = ({ prize: { eventNumber, place, state, tracking }, onSaid }: Props) => (
  <Entry
    label={t('운송장')}
    hint={t('택배사와 번호. 공개되지 않으며 비워 둘 수 있습니다.')}
    maxLength={mostLetters.tracking}
    isOptional
    {...(state === 'sent' && { stored: tracking ?? '' })}
    action={{
      name: state === 'sent' ? t('운송장 저장') : t('발송으로 표시'),
      failure: t('발송을 기록하지 못했습니다'),
      run: (text) => call(() => api.prizes.post({ eventNumber, place, act: 'sent', tracking: text || null })),
      told: () =>
        state === 'sent'
          ? [t('운송장을 바꿨습니다'), t('공개 페이지에는 나타나지 않습니다.')]
          : [t('발송을 기록했습니다'), t('공개 페이지에 발송으로 나타납니다.')],
      writes: true,
      tone: state === 'sent' ? 'edged' : 'ink',
    }}
    onDone={onSaid}
  />
)

const delivered: Action<DeskPrize> = {
  name: t('받은 것으로 표시'),
  failure: t('수령을 기록하지 못했습니다'),
  run: ({ eventNumber, place }) => call(() => api.prizes.post({ eventNumber, place, act: 'delivered' })),
  told: () => [t('수령을 기록했습니다'), t('공개 페이지에 수령 완료로 나타납니다.')],
  writes: true,
}

const Paid = ({ prize: { eventNumber, place, holder }, onSaid }: Props) => (
  <Entry
    label={t('지급 거래 해시')}
    hint={t('보낸 뒤 거래 해시를 넣으면 체인에서 받은 지갑과 금액을 확인합니다.')}
    action={{
      name: t('지급으로 기록'),
      failure: t('지급을 기록하지 못했습니다'),
      run(hash) {
        const paid = { transactionHash: hash as `0x${string}`, payer: holder?.walletAddress as `0x${string}` }
        return call(() => api.refunds.mark.post({ ...paid, markedAs: 'prize', eventNumber, place }))
      },
      told: () => [t('지급을 기록했습니다'), t('체인에서 금액이 확인되면 지급 완료가 됩니다.')],
      writes: true,
    }}
    onDone={onSaid}
  />
)

type Checked = Answer<'post', '/api/admin/raffle/claim-code'> & { code: string }

function ClaimCheck({ eventNumber }: { eventNumber: number }) {
  const [result, setResult] = useState<Checked>()
  return (
    <Stack>
      <Entry<Checked>
        label={t('수령 코드')}
        placeholder="XXXX-XXXX-XXXX-XXXX"
        missing={t('수령 코드를 입력해주세요')}
        isMono
        action={{
          name: t('코드 확인'),
          failure: t('수령 코드를 확인하지 못했습니다'),
          async run(typed) {
            setResult(undefined)
            const code = normalizeClaimCode(typed)
            return { ...(await call(() => api.raffle['claim-code'].post({ eventNumber, code }))), code }
          },
          tone: 'edged',
        }}
        onDone={setResult}
      />
      {result && <Finding result={result} />}
    </Stack>
  )
}

const Finding = ({ result: { code, isValid, winners, place, walletAddress } }: { result: Checked }) => (
  <Row role="status">
    <Figure>{code}</Figure>
    {isValid ? (
      <>
        <Badge tone="ok" icon={checkIcon}>
          {(winners ?? 1) > 1
            ? t('{winners}명 중 당첨자 {place}의 코드입니다', { winners: winners ?? 1, place: place ?? 1 })
            : t('당첨자의 코드입니다')}
        </Badge>
        <span className="figure break" translate="no">
          {walletAddress}
        </span>
      </>
    ) : (
      <Badge tone="bad">{t('당첨자의 코드가 아닙니다')}</Badge>
    )}
  </Row>
)

/** What was said in public is not deleted: it is said that it was wrong, and why. */
const Correct = ({ prize: { eventNumber, place }, onSaid }: Props) => (
  <details>
    <Text as="summary" size={14}>
      {t('잘못 표시했다면')}
    </Text>
    <Entry
      label={t('발송 취소 이유')}
      hint={t('공개됩니다. 받는 사람의 이름이나 주소를 쓰지 마세요.')}
      maxLength={mostLetters.correction}
      action={{
        name: t('발송 취소'),
        failure: t('발송을 취소하지 못했습니다'),
        run: (reason) => call(() => api.prizes.post({ eventNumber, place, act: 'corrected', reason })),
        told: () => [t('발송을 취소했습니다'), t('공개 페이지에 날짜와 이유가 나타납니다.')],
        writes: true,
        tone: 'edged',
      }}
      onDone={onSaid}
    />
  </details>
)

const standings: Record<PrizeStanding, { tone: Tone; word: string }> = {
  due: { tone: 'wait', word: t('지급 예정') },
  paid: { tone: 'ok', word: t('지급 완료') },
  unclaimed: { tone: 'plain', word: t('신청 전') },
  claimed: { tone: 'wait', word: t('신청됨, 발송 대기') },
  sent: { tone: 'wait', word: t('발송됨') },
  delivered: { tone: 'ok', word: t('수령 완료') },
  lapsed: { tone: 'plain', word: t('신청 없이 종료') },
}
