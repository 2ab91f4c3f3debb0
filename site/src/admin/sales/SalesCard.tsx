import { useStore } from '@nanostores/react'
import { usdtOf } from '../../../../core/money.ts'
import type { MoneyState } from '../../../../core/sales/sales.ts'
import { $stats } from '../../live/live.ts'
import { t } from '../language/t.ts'
import { api, type SalesFigures } from '../session/api.ts'
import { call } from '../session/session.ts'
import { ListCard } from '../ui/card.tsx'
import { count } from '../ui/format.ts'
import { Table } from '../ui/list.tsx'
import { Loaded, useResource } from '../ui/resource.tsx'
import { SoldChart } from './SoldChart.tsx'
import styles from './sales.module.css'
import { sharesOf } from './spans.ts'

const moneyWords: Record<MoneyState, string> = {
  confirming: t('확인 중'),
  credited: t('티켓으로 인정'),
  owed: t('돌려줄 금액'),
  refunded: t('환불 완료'),
  own: t('운영자 자금'),
}

/** The sale of the open event: when tickets were sold, who holds how many, and what became of the money. */
export function SalesCard() {
  // A new sale is a new figure.
  const sold = useStore($stats)?.ticketsSold
  const figures = useResource(() => call(() => api.raffle.sales.get()), { everyMs: 60_000, key: `${sold}` })
  return (
    <ListCard
      title={t('판매 현황')}
      reason={t('체인에서 확정된 결제만 셉니다. 같은 판매 추이가 구매 화면에 공개됩니다.')}
    >
      <Loaded from={figures} rows={6}>
        {(found) => (
          <>
            <SoldChart figures={found} />
            <div className={styles.tables}>
              <Wallets sizes={found.sizes} />
              <Money money={found.money} />
            </div>
          </>
        )}
      </Loaded>
    </ListCard>
  )
}

type Share = { name: string; values: string[]; share: number | null }

function Wallets({ sizes }: Pick<SalesFigures, 'sizes'>) {
  const held = sharesOf(sizes.map(({ tickets }) => BigInt(tickets)))
  return (
    <Shares
      label={t('지갑별 보유 티켓')}
      columns={[t('티켓 수'), t('지갑 수'), t('티켓'), t('티켓 비율')]}
      rows={sizes.map(({ least, most, wallets, tickets }, index) => ({
        name:
          most === least
            ? t('{least}장', { least })
            : most === null
              ? t('{least}장 이상', { least })
              : t('{least}-{most}장', { least, most }),
        values: [count(wallets), count(tickets)],
        share: held[index] ?? 0,
      }))}
    />
  )
}

function Money({ money }: Pick<SalesFigures, 'money'>) {
  // What is seen and not final yet has not come in.
  const shares = sharesOf(money.map(({ state, units }) => (state === 'confirming' ? 0n : BigInt(units))))
  return (
    <Shares
      label={t('받은 돈의 상태')}
      columns={[t('상태'), t('금액 (USDT)'), t('비율')]}
      rows={money.map(({ state, units }, index) => ({
        name: moneyWords[state],
        values: [usdtOf(units)],
        share: state === 'confirming' ? null : (shares[index] ?? 0),
      }))}
    />
  )
}

/** A table whose last column, a share in per cent, is drawn as well; null where it is none of the whole. */
function Shares({ label, columns, rows }: { label: string; columns: string[]; rows: Share[] }) {
  const [first = '', ...others] = columns
  return (
    <section className={styles.part}>
      <h3>{label}</h3>
      <Table<Share>
        label={label}
        rows={rows}
        idOf={({ name }) => name}
        columns={[
          { name: first, cell: ({ name }) => name },
          ...others.map((name, at) => ({
            name,
            isFigure: true,
            cell: ({ values, share }: Share) => values[at] ?? (share === null ? '–' : <Bar share={share} />),
          })),
        ]}
      />
    </section>
  )
}

const Bar = ({ share }: { share: number }) => (
  <span className={styles.share}>
    <svg viewBox="0 0 100 10" preserveAspectRatio="none" aria-hidden="true">
      <path className={styles.all} d="M0 5H100" />
      {share > 0 && <path d={`M0 0H${share}V10H0Z`} />}
    </svg>
    {share}%
  </span>
)
