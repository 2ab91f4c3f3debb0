import styles from './Address.module.css'
import { CopyButton } from './Copy.tsx'
import { groupsOfFour } from './numbers.ts'

type Props = { value: string; label: string; withCopy?: boolean }

/** Large, in groups of four with the first and last emphasised, for comparing character by character. */
export function Address({ value, label, withCopy = true }: Props) {
  const groups = groupsOfFour(value)
  return (
    <div className={`address ${styles.address}`}>
      <span className={styles.groups} title={value}>
        {groups.map((group, index) => {
          const isEnd = index === 0 || index === groups.length - 1
          // biome-ignore lint/suspicious/noArrayIndexKey: groups of one address, in a fixed order
          return isEnd ? <b key={index}>{group}</b> : <span key={index}>{group}</span>
        })}
      </span>
      {withCopy && <CopyButton text={value} label={label} />}
    </div>
  )
}
