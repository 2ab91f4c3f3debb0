import { t } from '../language/t.ts'
import { Empty, Retry, SkeletonRows } from './AsyncView.tsx'
import { Button } from './Button.tsx'
import listStyles from './List.module.css'
import { count } from './numbers.ts'
import { type Column, Table } from './Table.tsx'
import type { usePages } from './use-pages.ts'

type Props<T extends { id: number }> = {
  label: string
  pages: ReturnType<typeof usePages<T>>
  columns: Column<T>[]
  empty: string
}

export function PagedTable<T extends { id: number }>({ label, pages, columns, empty }: Props<T>) {
  const { rows, hasMore, isBusy, trouble, more, reload } = pages
  return (
    <>
      {trouble && (
        <div className={listStyles.body}>
          <Retry text={trouble} onRetry={rows ? more : reload} />
        </div>
      )}
      {!rows ? (
        !trouble && (
          <div className={listStyles.body}>
            <SkeletonRows />
          </div>
        )
      ) : rows.length === 0 ? (
        <Empty title={empty} />
      ) : (
        <>
          <Table label={label} columns={columns} rows={rows} idOf={({ id }) => id} />
          <footer className={listStyles.foot}>
            <span>
              {hasMore
                ? t('최근 {count}건', { count: count(rows.length) })
                : t('모두 {count}건', { count: count(rows.length) })}
            </span>
            {hasMore && (
              <Button tone="edged" size="small" isBusy={isBusy} onClick={more}>
                {t('더 보기')}
              </Button>
            )}
          </footer>
        </>
      )}
    </>
  )
}
