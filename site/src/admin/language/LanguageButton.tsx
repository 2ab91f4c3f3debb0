import { useState } from 'react'
import type { Language } from '../../../../core/admin/language.ts'
import { chooseLanguage } from './choose.ts'
import styles from '../desk/desk.module.css'
import { language } from './language.ts'

const other: Language = language === 'en' ? 'ko' : 'en'
const names = {
  en: { name: 'English', short: 'EN' },
  ko: { name: '한국어', short: '한' },
}

/** Each language by its own name, as on the public page. `save` keeps the choice for the administrator. */
export function LanguageButton({ save }: { save?: (chosen: Language) => Promise<unknown> }) {
  const [isBusy, setBusy] = useState(false)
  const change = async () => {
    setBusy(true)
    await chooseLanguage(other, save)
    setBusy(false)
  }
  return (
    <button
      type="button"
      className={styles.switch}
      lang={other}
      disabled={isBusy}
      data-language={other}
      onClick={() => void change()}
    >
      <span className={styles.name}>{names[other].name}</span>
      <span className={styles.short} aria-hidden="true">
        {names[other].short}
      </span>
    </button>
  )
}
