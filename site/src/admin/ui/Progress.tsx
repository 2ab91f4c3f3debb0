import type { AriaAttributes } from 'react'
import styles from './Progress.module.css'

type Props = Pick<AriaAttributes, 'aria-label' | 'aria-labelledby'> & {
  /** From 0 to 1. */
  part: number
}

/** How much of a file has been sent. */
export const Progress = ({ part, ...name }: Props) => (
  <progress {...name} className={styles.bar} max={1} value={part} />
)
