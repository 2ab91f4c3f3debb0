import checkIcon from 'lucide-static/icons/check.svg?raw'
import alertIcon from 'lucide-static/icons/circle-alert.svg?raw'
import externalIcon from 'lucide-static/icons/external-link.svg?raw'
import crossIcon from 'lucide-static/icons/x.svg?raw'
import { type ComponentProps, Fragment, type ReactNode, useState } from 'react'
import { shorten } from '../../../core/money.ts'
import { site } from '../content/site.ts'
import { t } from '../texts/index.ts'
import { formatDate, localTime } from './dates.ts'
import { Icon } from './Icon.tsx'
import { Figure, Row } from './Layout.tsx'
import styles from './shell.module.css'

export const TxLink = ({ hash, ...rest }: ComponentProps<'a'> & { hash: string }) => (
  <a
    className="hash"
    href={`${site.explorerUrl}/tx/${hash}`}
    target="_blank"
    rel="noreferrer"
    translate="no"
    {...rest}
  />
)

export const HashLink = ({ hash }: { hash: string }) => (
  <TxLink hash={hash} title={hash}>
    <span className={styles.short}>{shorten(hash, 12, 0)}</span>
    <span className={styles.long}>{shorten(hash, 16, 0)}</span>
    <Icon svg={externalIcon} className="small" />
  </TxLink>
)

export const Short = ({ address, ...rest }: ComponentProps<typeof Figure> & { address: string }) => (
  <Figure as="span" title={address} {...rest}>
    {shorten(address, 6, 4)}
  </Figure>
)

export function When({ value }: { value: string }) {
  const local = localTime(value)
  return (
    <time dateTime={value}>
      {formatDate(value)}
      {local && <small className={styles.local}>{local}</small>}
    </time>
  )
}

export const Trans = ({ text, ...parts }: { text: string } & Record<string, ReactNode>) =>
  text.split(/\{(\w+)\}/).map((part, at) => (
    // biome-ignore lint/suspicious/noArrayIndexKey: the pieces of a text never change order
    <Fragment key={at}>{at % 2 ? parts[part] : part}</Fragment>
  ))

/** A row of a `summary`. */
export const Fact = ({ name, ...rest }: ComponentProps<'dd'> & { name: string }) => (
  <div>
    <dt>{name}</dt>
    <dd {...rest} />
  </div>
)

type StepProps = {
  state: 'done' | 'now' | 'ahead' | 'failed'
  number?: number
  title: string
  /** Of its disc. */
  className?: string
  children: ReactNode
}

export const Step = ({ state, number, title, className = '', children }: StepProps) => (
  <li data-state={state} aria-current={state === 'now' ? 'step' : undefined}>
    <span className={`disc ${className}`} aria-hidden="true">
      {state === 'done' ? <Icon svg={checkIcon} /> : state === 'failed' ? <Icon svg={crossIcon} /> : number}
    </span>
    <div>
      <h3>{title}</h3>
      <p>{children}</p>
    </div>
  </li>
)

/** Below a field: what is wrong with it, else its hint. */
const Told = ({ id, trouble, hint }: { id: string; trouble: string | undefined; hint: string }) => (
  <div id={id} role="status">
    {trouble ? (
      <p className="field-error">
        <Icon svg={alertIcon} className="small" />
        <span>{trouble}</span>
      </p>
    ) : (
      hint && <p className="hint">{hint}</p>
    )}
  </div>
)

type LineProps = ComponentProps<'input'> & {
  id: string
  label: string
  trouble: string | undefined
  hint: string
}

/** A field for one line of data, and its button beside it. */
export const LineField = ({ id, label, trouble, hint, children, ...input }: LineProps) => (
  <>
    <label className="size-14 strong" htmlFor={id}>
      {label}
    </label>
    <Row gap={8} whole>
      <input
        {...{ id, className: 'input figure grow', translate: 'no', spellCheck: false, autoComplete: 'off' }}
        {...{ 'aria-invalid': trouble ? true : undefined, 'aria-describedby': `${id}-hint` }}
        {...input}
      />
      {children}
    </Row>
    <Told id={`${id}-hint`} trouble={trouble} hint={hint} />
  </>
)

type HeadProps = { id: string; title: string; close: string; onClose: () => void }

export const DialogHead = ({ id, title, close, onClose }: HeadProps) => (
  <div className="row whole spread gap-12 dialog-head">
    <h2 id={id}>{title}</h2>
    <button type="button" className="tool" aria-label={close} onClick={onClose}>
      <Icon svg={crossIcon} />
    </button>
  </div>
)

/** Where a list is empty: the notched ticket, dashed. */
export const TicketOutline = () => (
  <svg viewBox="0 0 100 48" width="104" height="50" aria-hidden="true">
    <path
      d="M2 2h96v13a8 8 0 0 0 0 18v13H2V33a8 8 0 0 0 0-18zM68 2v44"
      fill="none"
      stroke="currentColor"
      strokeWidth="1.5"
      strokeDasharray="5 4"
    />
  </svg>
)

/** Skeleton like a ticket's barcode: decoration from `seed`, not meant to be scanned. */
export function Skeleton({ seed, isLying = false }: { seed: string; isLying?: boolean }) {
  let state = 2166136261
  for (const letter of seed) state = Math.imul(state ^ letter.charCodeAt(0), 16777619)
  const bars: { at: number; wide: number }[] = []
  for (let at = 0; at < 118; ) {
    state = Math.imul(state ^ (state >>> 13), 1540483477) + 12345
    const wide = 1 + ((state >>> 8) % 4)
    bars.push({ at, wide: Math.min(wide, 120 - at) })
    at += wide + 1 + ((state >>> 16) % 3)
  }
  return (
    <svg
      width="100%"
      fill="var(--print)"
      viewBox={isLying ? '0 0 74 120' : '0 0 120 74'}
      preserveAspectRatio="none"
      aria-hidden="true"
    >
      {bars.map(({ at, wide }) =>
        isLying ? (
          <rect key={at} y={at} height={wide} width="74" />
        ) : (
          <rect key={at} x={at} width={wide} height="74" />
        ),
      )}
    </svg>
  )
}

type Props<T> = {
  items: readonly T[]
  size: number
  label: string
  children: (shown: readonly T[]) => ReactNode
}

export function Paged<T>({ items, size, label, children }: Props<T>) {
  const [chosen, setPage] = useState(1)
  const count = Math.ceil(items.length / size)
  const page = Math.min(chosen, count)
  const step = (name: string | number, to: number, isDisabled = false) => (
    <button
      key={name}
      type="button"
      className={to === page ? 'button small' : 'button edged small'}
      aria-current={to === page ? 'page' : undefined}
      disabled={isDisabled}
      onClick={() => setPage(to)}
    >
      {name}
    </button>
  )
  return (
    <>
      {children(items.slice((page - 1) * size, page * size))}
      {count > 1 && (
        <nav className={`row gap-8 ${styles.pages}`} aria-label={label}>
          {step(t.pages.previous, page - 1, page === 1)}
          {Array.from({ length: count }, (_, index) => step(index + 1, index + 1))}
          {step(t.pages.next, page + 1, page === count)}
        </nav>
      )}
    </>
  )
}
