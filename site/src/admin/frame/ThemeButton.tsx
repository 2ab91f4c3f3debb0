import moonIcon from 'lucide-static/icons/moon.svg?raw'
import sunIcon from 'lucide-static/icons/sun.svg?raw'
import { useEffect } from 'react'
import { Icon } from '../../shell/Icon.tsx'
import { startTheme } from '../../shell/theme.ts'

/** The switch of the public page; its script finds it by `data-theme-switch`. */
export function ThemeButton() {
  useEffect(startTheme, [])
  return (
    <button type="button" className="theme-switch" data-theme-switch aria-label="어두운 테마">
      <Icon svg={moonIcon} className="if-light" />
      <Icon svg={sunIcon} className="if-dark" />
    </button>
  )
}
