import styles from './Shares.module.css'

type Props = {
  label: string
  /** The last one is the share's. */
  columns: readonly string[]
  /** `share` in per cent; null where it is none of the whole. */
  rows: readonly { name: string; values: readonly string[]; share: number | null }[]
}

/** A table whose last column is drawn as well. */
export const Shares = ({ label, columns, rows }: Props) => (
  <div className={styles.part}>
    <table aria-label={label}>
      <caption>{label}</caption>
      <thead>
        <tr>
          {columns.map((name) => (
            <th key={name} scope="col">
              {name}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {rows.map(({ name, values, share }) => (
          <tr key={name}>
            <th scope="row">{name}</th>
            {values.map((value, index) => (
              // biome-ignore lint/suspicious/noArrayIndexKey: columns keep their order
              <td key={index} className="figure">
                {value}
              </td>
            ))}
            <td className={styles.share}>
              {share === null ? (
                '–'
              ) : (
                <>
                  <svg viewBox="0 0 100 10" preserveAspectRatio="none" aria-hidden="true">
                    <path className={styles.all} d="M0 5H100" />
                    {share > 0 && <path className={styles.bar} d={`M0 0H${share}V10H0Z`} />}
                  </svg>
                  <span className="figure">{share}%</span>
                </>
              )}
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  </div>
)
