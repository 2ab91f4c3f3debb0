import searchIcon from 'lucide-static/icons/search.svg?raw'
import { useEffect, useState } from 'react'
import { Icon } from '../../shell/Icon.tsx'
import { Empty, Loaded } from '../frame/AsyncView.tsx'
import { api } from '../frame/api.ts'
import listStyles from '../frame/List.module.css'
import { count, usdtColumn } from '../frame/numbers.ts'
import { call } from '../frame/session.ts'
import { useResource } from '../frame/use-resource.ts'
import { t } from '../language/t.ts'
import choiceStyles from './choice.module.css'
import { $desk } from './desk-store.ts'
import { Pager } from './Pager.tsx'
import { PayerItem } from './PayerItem.tsx'
import styles from './PayerList.module.css'
import { type Group, groupTexts } from './texts.ts'

type Props = { eventNumber: number; asked: ReadonlySet<number> }

/** The payers of an event over all its batches, in the order of the ledger: by group and address, in pages. */
export function PayerList({ eventNumber, asked }: Props) {
  const [group, setGroup] = useState<Group | 'all'>('all')
  const [text, setText] = useState('')
  const [page, setPage] = useState(1)
  const [openPayer, setOpenPayer] = useState<string>()
  const query = {
    ...{ event: `${eventNumber}`, page: `${page}`, find: text.trim() },
    ...(group !== 'all' && { group }),
  }
  const list = useResource(() => call(() => api.refunds.payers.get({ query })), {
    key: JSON.stringify(query),
  })
  const { reload } = list
  // What was just signed, decided or settled shows here at once.
  useEffect(() => $desk.listen(() => void reload()), [reload])
  const show = (change: () => void) => () => {
    change()
    setPage(1)
  }
  return (
    <Loaded from={list} rows={6}>
      {({ groups, found, payers, page: shown, pages }) => (
        <>
          <div className={styles.tools}>
            <fieldset
              className={`${choiceStyles.choice} ${choiceStyles.small}`}
              aria-label={t('상태로 보기')}
            >
              {(Object.keys(groupTexts) as (Group | 'all')[]).map((id) => (
                <button key={id} type="button" aria-pressed={group === id} onClick={show(() => setGroup(id))}>
                  {groupTexts[id]}{' '}
                  <b className="figure">
                    {count(id === 'all' ? Object.values(groups).reduce((a, b) => a + b, 0) : groups[id])}
                  </b>
                </button>
              ))}
            </fieldset>
            <label className={styles.search}>
              <Icon svg={searchIcon} className="small" />
              <input
                className="input figure"
                type="search"
                aria-label={t('주소나 거래로 찾기')}
                placeholder="0x…"
                value={text}
                autoComplete="off"
                spellCheck={false}
                maxLength={128}
                onChange={({ target }) => show(() => setText(target.value))()}
              />
            </label>
          </div>
          {payers.length === 0 ? (
            <Empty title={t('해당하는 환불이 없습니다.')} />
          ) : (
            <div className={styles.table}>
              <div className={styles.head} aria-hidden="true">
                {[t('결제한 주소'), t('환불액'), t('완료'), t('진행 중'), t('남음'), t('상태')].map(
                  (name) => (
                    <span key={name}>{name}</span>
                  ),
                )}
              </div>
              <ul className={styles.rows} aria-label={t('환불 대상')}>
                {payers.map((payer) => (
                  <PayerItem
                    key={payer.payer}
                    {...{ payer, eventNumber, asked }}
                    isOpen={openPayer === payer.payer}
                    onToggle={() => setOpenPayer(openPayer === payer.payer ? undefined : payer.payer)}
                  />
                ))}
              </ul>
            </div>
          )}
          <footer className={listStyles.foot}>
            <span>
              {t('{payers}명, {amount} USDT', {
                payers: count(found.payers),
                amount: usdtColumn(found.amount),
              })}
            </span>
            <Pager page={Math.min(shown, pages)} count={pages} onChange={setPage} label={t('환불 대상 쪽')} />
          </footer>
        </>
      )}
    </Loaded>
  )
}
