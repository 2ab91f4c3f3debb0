import plot from './chart.module.css'
import type { Curve } from './curve.ts'

type Props = {
  /** Undefined while it is not known: only its lines stand there. */
  curve: Curve | undefined
  /** Said beside the line of the minimum. */
  minimum: string
  /** Undefined where words beside it tell the same. */
  label?: string
}

/** How many tickets were sold until when, beside the minimum. */
export const StepChart = ({ curve, minimum, label }: Props) => (
  <div className={`${plot.plot} ${plot.room}`} {...(label && { role: 'img', 'aria-label': label })}>
    <svg viewBox="0 0 1000 1000" preserveAspectRatio="none" aria-hidden="true">
      <path className={plot.hair} d="M0 70H1000M0 535H1000M0 1000H1000" />
      {curve && (
        <>
          <path className={plot.limit} d={`M0 ${curve.minimum}H1000`} />
          <path className={plot.line} d={curve.line} />
          <path className={plot.newest} d={curve.newest} />
        </>
      )}
    </svg>
    {curve && (
      <span className={plot.below} style={{ top: `${curve.minimum / 10}%` }}>
        {minimum}
      </span>
    )}
  </div>
)
