import checkIcon from 'lucide-static/icons/check.svg?raw'
import crossIcon from 'lucide-static/icons/x.svg?raw'
import { shorten } from '../../../core/money.ts'
import type { PublicPrize } from '../../../core/prize/promise.ts'
import { formatDate } from '../shell/dates.ts'
import { Icon } from '../shell/Icon.tsx'
import { Muted, Row, Stack, Text } from '../shell/Layout.tsx'
import { HashLink, Short, When } from '../shell/Parts.tsx'
import { fill, plural, t } from '../texts/index.ts'
import {
  daysSinceDraw,
  kindOf,
  type PrizeStanding,
  standingOf,
  stateOf,
  stepsAhead,
  type TakenStep,
  takenSteps,
  toneOf,
} from './prizes.ts'

export function Prizes({ prizes }: { prizes: readonly PublicPrize[] }) {
  if (prizes.length === 0) return null
  return (
    <Stack as="section" gap={8} aria-labelledby="prizes-title">
      <h2 id="prizes-title" className="label">
        {plural(t.prize.record, prizes.length)}
      </h2>
      <PrizeRecords prizes={prizes} />
    </Stack>
  )
}

export const PrizeRecords = ({ prizes }: { prizes: readonly PublicPrize[] }) => (
  <ol className="rows" data-prizes>
    {prizes.map((prize) => (
      <li key={prize.place} data-prize={prize.place} data-standing={standingOf(prize)}>
        <Head prize={prize} isOnly={prizes.length === 1} />
        <details className="fold">
          <summary>{t.prize.open}</summary>
          {prize.claimBy && (
            <Text size={15}>
              {t.prize.claimBy} <When value={prize.claimBy} />
            </Text>
          )}
          <Steps prize={prize} />
        </details>
      </li>
    ))}
  </ol>
)

function Head({ prize, isOnly }: { prize: PublicPrize; isOnly: boolean }) {
  const standing = standingOf(prize)
  const { holder } = prize
  const after = afterDraw(prize)
  return (
    <>
      <Row as="header" gap={12}>
        <h3 className={isOnly ? 'display grow' : 'display'}>
          {isOnly ? kindOf(prize) : fill(t.prize.place, { place: prize.place })}
        </h3>
        {!isOnly && (
          <Muted as="span" className="grow">
            {kindOf(prize)}
          </Muted>
        )}
        <PrizeBadge standing={standing} />
      </Row>
      <Row as="p" gap={4} spread className="muted" data-holder={holder?.kind ?? 'nobody'}>
        {holder ? (
          <span title={holder.walletAddress}>
            {fill(t.prize.holder[holder.kind], {
              place: holder.place,
              wallet: shorten(holder.walletAddress, 6, 4),
            })}
          </span>
        ) : (
          t.prize.nobody
        )}
        {after && (
          <Muted as="span" size={14}>
            {after}
          </Muted>
        )}
      </Row>
    </>
  )
}

export const PrizeBadge = ({ standing, text }: { standing: PrizeStanding; text?: string | undefined }) => (
  <span className={`badge ${toneOf(standing)}`}>
    {toneOf(standing) === 'ok' && <Icon svg={checkIcon} className="small" />}
    <span>{text ?? t.prize.states[standing]}</span>
  </span>
)

export function afterDraw(prize: PublicPrize): string {
  const days = daysSinceDraw(prize)
  if (toneOf(standingOf(prize)) !== 'ok' || days === undefined) return ''
  return days === 0 ? t.prize.afterSame : plural(t.prize.after, days)
}

function Steps({ prize }: { prize: PublicPrize }) {
  const ahead = stepsAhead(prize)
  const taken = takenSteps(prize)
  return (
    <ol className="steps">
      {taken.map((step) => (
        <Taken key={`${step.step} ${step.at}`} step={step} />
      ))}
      {ahead.map((step, index) => (
        <li key={step} data-state={index === 0 ? 'now' : 'ahead'}>
          <span className="disc" aria-hidden="true">
            {taken.length + index + 1}
          </span>
          <div>
            <h4>{t.prize.ahead[step]}</h4>
            <p>
              {t.prize.aheadText[step]}
              {step === 'claimed' && ` ${t.prize.claimThen}`}
            </p>
          </div>
        </li>
      ))}
    </ol>
  )
}

const Taken = ({ step: { step, at, walletAddress, transactionHash, reason, days } }: { step: TakenStep }) => (
  <li data-state={stateOf(step)} data-taken={step}>
    <span className="disc" aria-hidden="true">
      <Icon svg={stateOf(step) === 'done' ? checkIcon : crossIcon} />
    </span>
    <div>
      <Row as="h4" gap={4} spread>
        {t.prize.steps[step]}
        {days !== null && (
          <Muted as="span" size={14}>
            {days === 0 ? t.prize.sameDay : plural(t.prize.later, days)}
          </Muted>
        )}
      </Row>
      <Row as="p">
        <time dateTime={at}>{formatDate(at)}</time>
        <Short address={walletAddress} />
        {transactionHash && <HashLink hash={transactionHash} />}
      </Row>
      {reason && <p className="anywhere">{fill(t.prize.reason, { reason })}</p>}
    </div>
  </li>
)
