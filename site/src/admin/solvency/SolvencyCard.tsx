import { useStore } from '@nanostores/react'
import type { PublicSolvency } from '../../../../core/live/solvency.ts'
import { usdtOf } from '../../../../core/money.ts'
import { $now } from '../../live/clock.ts'
import { coverWord, culprit } from '../../live/cover.ts'
import { $solvency } from '../../live/live.ts'
import { Loaded, SkeletonRows } from '../frame/AsyncView.tsx'
import { api } from '../frame/api.ts'
import { Badge } from '../frame/Badge.tsx'
import { Button } from '../frame/Button.tsx'
import { agoText, inShortWords, toStamp } from '../frame/dates.ts'
import { Fact } from '../frame/Fact.tsx'
import { ListCard } from '../frame/Group.tsx'
import { HashText, Wallet } from '../frame/HashText.tsx'
import listStyles from '../frame/List.module.css'
import { count } from '../frame/numbers.ts'
import { call } from '../frame/session.ts'
import { Table } from '../frame/Table.tsx'
import { openTab } from '../frame/tab.ts'
import { useResource } from '../frame/use-resource.ts'
import { t } from '../language/t.ts'
import facts from '../payments/PipelineCard.module.css'
import { CoverChart } from './CoverChart.tsx'
import { coverBadges, equationWords, owedWords } from './texts.ts'

/** What visitors see beside the minimum, with its history and what it is made of. */
export function SolvencyCard() {
  const solvency = useStore($solvency)
  const now = useStore($now)
  // A new figure is a new point of the chart.
  const key = `${solvency?.held} ${solvency?.required}`
  const past = useResource(() => call(() => api.raffle.solvency.get()), { everyMs: 60_000, key })
  const word = coverWord(solvency, now)
  const [tone, text] = coverBadges[word]
  return (
    <ListCard
      title={t('보유 금액과 지급할 금액')}
      reason={t('서명으로 확인된 지갑만 셉니다. 최소 수량 옆에 같은 값이 공개됩니다.')}
      actions={<Badge tone={tone}>{text}</Badge>}
    >
      {solvency ? (
        <>
          <Facts solvency={solvency} now={now} />
          <Loaded from={past} rows={3}>
            {({ points }) => (
              <CoverChart points={points} until={Math.max(now, Date.parse(points.at(-1)?.at ?? ''))} />
            )}
          </Loaded>
          <Others solvency={solvency} />
        </>
      ) : (
        <div className={listStyles.body}>
          <SkeletonRows rows={3} />
        </div>
      )}
    </ListCard>
  )
}

function Facts({ solvency, now }: { solvency: PublicSolvency; now: number }) {
  const { held, required, cover, wallets, owed, lowest, block, equation, ratioBp } = solvency
  const isMissing = cover.startsWith('-')
  const parts = (['credited', 'prizes', 'refunds', 'leftovers'] as const).filter((part) => owed[part] !== '0')
  return (
    <dl className={facts.facts}>
      <Fact name={t('보유 (USDT)')} value={usdtOf(held)}>
        {t('지갑 {count}개', { count: count(wallets.length) })}
      </Fact>
      <Fact name={t('지급할 금액 (USDT)')} value={usdtOf(required)}>
        {parts.length === 0
          ? t('지급할 돈이 없습니다.')
          : parts.map((part) => `${owedWords[part]} ${usdtOf(owed[part])} USDT`).join(' · ')}
      </Fact>
      <Fact name={isMissing ? t('부족액 (USDT)') : t('남는 금액 (USDT)')} value={usdtOf(cover)}>
        {ratioBp === null ? '' : t('지급할 금액의 {percent}%', { percent: count(Math.floor(ratioBp / 100)) })}
      </Fact>
      <Fact name={t('가장 낮았던 때 (USDT)')} value={lowest ? signed(lowest.cover) : '–'}>
        {lowest ? (
          <>
            {inShortWords(lowest.at)} <HashText hash={lowest.transactionHash} />
          </>
        ) : (
          t('판매 시작 이후 움직인 돈이 없습니다.')
        )}
      </Fact>
      <Fact name={t('잔액 검산')} value={equationWords[equation][0]}>
        {equationWords[equation][1]}
      </Fact>
      <Fact name={t('기준 블록')} value={block ? count(block.number) : '–'}>
        {block
          ? t('{now} 확정', { now: agoText((now - block.timestamp * 1000) / 1000) })
          : t('아직 계산하지 못했습니다.')}
      </Fact>
    </dl>
  )
}

const signed = (units: string): string => `${units.startsWith('-') ? '−' : ''}${usdtOf(units)}`

type Other = PublicSolvency['others'][number]

/** What went elsewhere; a mark of the refund desk says what it was for. */
function Others({ solvency }: { solvency: PublicSolvency }) {
  const { others } = solvency
  const made = culprit(solvency)?.transactionHash
  if (others.length === 0)
    return <p className={listStyles.foot}>{t('판매 시작 이후 다른 곳으로 보낸 돈이 없습니다.')}</p>
  return (
    <>
      <Table<Other>
        label={t('다른 곳으로 보낸 돈')}
        rows={others}
        idOf={({ transactionHash, to, units }) => `${transactionHash} ${to} ${units}`}
        columns={[
          {
            name: t('다른 곳으로 보낸 시각 (UTC)'),
            cell: ({ at }) => <span className="figure">{toStamp(at)}</span>,
          },
          { name: t('보낸 지갑'), cell: ({ from }) => <Wallet address={from} /> },
          { name: t('받은 주소'), cell: ({ to }) => <Wallet address={to} /> },
          { name: t('금액 (USDT)'), isFigure: true, cell: ({ units }) => usdtOf(units) },
          {
            name: t('거래'),
            cell: ({ transactionHash }) => (
              <>
                <HashText hash={transactionHash} />
                {transactionHash === made && <Badge tone="bad">{t('부족의 원인')}</Badge>}
              </>
            ),
          },
        ]}
      />
      <footer className={listStyles.foot}>
        <span>
          {t('환불이나 경품이었다면 환불 관리의 “환불인지 모르는 전송”에서 구분을 바꿀 수 있습니다.')}
        </span>
        <Button tone="edged" size="compact" onClick={() => openTab('refund')}>
          {t('환불 관리 열기')}
        </Button>
      </footer>
    </>
  )
}
