import searchIcon from 'lucide-static/icons/search.svg?raw'
import { useMemo, useState } from 'react'
import { Icon } from '../../shell/Icon.tsx'
import { Empty } from '../frame/AsyncView.tsx'
import { count, usdtColumn } from '../frame/numbers.ts'
import choiceStyles from './choice.module.css'
import { Pager } from './Pager.tsx'
import { RefundItem } from './RefundItem.tsx'
import styles from './RowList.module.css'
import { type Group, groupOf, groupTexts } from './texts.ts'
import type { DeskRow } from './types.ts'

const pageSize = 25

type Props = { rows: readonly DeskRow[]; asked: ReadonlySet<number> }

/** All rows in the order of the ledger, filtered by state and address, in pages. */
export function RowList({ rows, asked }: Props) {
  const [group, setGroup] = useState<Group | 'all'>('all')
  const [text, setText] = useState('')
  const [page, setPage] = useState(1)
  const [openId, setOpenId] = useState<number>()
  const counts = useMemo(() => {
    const found: Record<Group, number> = { left: 0, underWay: 0, held: 0, done: 0 }
    for (const row of rows) found[groupOf(row)]++
    return { all: rows.length, ...found }
  }, [rows])
  const wanted = text.trim().toLowerCase()
  const shown = rows.filter(
    (row) =>
      (group === 'all' || groupOf(row) === group) &&
      (wanted === '' ||
        [row.to, row.payer, row.transactionHash].some((value) => value?.toLowerCase().includes(wanted))),
  )
  const pages = Math.max(1, Math.ceil(shown.length / pageSize))
  const current = Math.min(page, pages)
  return (
    <>
      <div className={styles.tools}>
        <fieldset className={`${choiceStyles.choice} ${choiceStyles.small}`} aria-label="상태로 보기">
          {(Object.keys(groupTexts) as (keyof typeof groupTexts)[]).map((id) => (
            <button
              key={id}
              type="button"
              aria-pressed={group === id}
              onClick={() => {
                setGroup(id)
                setPage(1)
              }}
            >
              {groupTexts[id]} <b className="figure">{count(counts[id])}</b>
            </button>
          ))}
        </fieldset>
        <label className={styles.search}>
          <Icon svg={searchIcon} className="small" />
          <input
            className="input figure"
            type="search"
            aria-label="주소나 거래로 찾기"
            placeholder="0x…"
            value={text}
            autoComplete="off"
            spellCheck={false}
            onChange={(event) => {
              setText(event.target.value)
              setPage(1)
            }}
          />
        </label>
      </div>
      {shown.length === 0 ? (
        <Empty title="해당하는 환불이 없습니다." />
      ) : (
        <>
          <div className={styles.head} aria-hidden="true">
            <span>받는 주소</span>
            <span>금액 (USDT)</span>
            <span>상태</span>
            <span>거래</span>
          </div>
          <ul className={styles.rows} aria-label="환불 대상">
            {shown.slice((current - 1) * pageSize, current * pageSize).map((row) => (
              <RefundItem
                key={row.id}
                row={row}
                isAsked={asked.has(row.id)}
                isOpen={openId === row.id}
                onToggle={() => setOpenId(openId === row.id ? undefined : row.id)}
              />
            ))}
          </ul>
        </>
      )}
      <footer className="list-foot">
        <span>
          {count(shown.length)}건, {usdtColumn(shown.reduce((sum, { amount }) => sum + amount, 0))} USDT
        </span>
        <Pager page={current} count={pages} onChange={setPage} label="환불 대상 쪽" />
      </footer>
    </>
  )
}
