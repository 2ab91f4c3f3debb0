import { Empty, Retry, SkeletonRows } from './AsyncView.tsx'
import { Button } from './Button.tsx'
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
        <div className="list-body">
          <Retry text={trouble} onRetry={rows ? more : reload} />
        </div>
      )}
      {!rows ? (
        !trouble && (
          <div className="list-body">
            <SkeletonRows />
          </div>
        )
      ) : rows.length === 0 ? (
        <Empty title={empty} />
      ) : (
        <>
          <Table label={label} columns={columns} rows={rows} idOf={({ id }) => id} />
          <footer className="list-foot">
            <span>{hasMore ? `최근 ${count(rows.length)}건` : `모두 ${count(rows.length)}건`}</span>
            {hasMore && (
              <Button tone="edged" size="small" isBusy={isBusy} onClick={more}>
                더 보기
              </Button>
            )}
          </footer>
        </>
      )}
    </>
  )
}
