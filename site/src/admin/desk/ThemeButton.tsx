import moonIcon from 'lucide-static/icons/moon.svg?raw'
import sunIcon from 'lucide-static/icons/sun.svg?raw'
import { useEffect } from 'react'
import { Icon } from '../../shell/Icon.tsx'
import styles from '../../shell/shell.module.css'
import { startTheme } from '../../shell/theme.ts'
import { t } from '../language/t.ts'

/** The switch of the public page; its script finds it by `data-theme-switch`. */
export function ThemeButton() {
  useEffect(startTheme, [])
  return (
    <button type="button" className={styles.switch} data-theme-switch aria-label={t('어두운 테마')}>
      <Icon svg={moonIcon} className={styles.ifLight} />
      <Icon svg={sunIcon} className={styles.ifDark} />
    </button>
  )
}
