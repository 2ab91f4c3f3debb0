import moonIcon from 'lucide-static/icons/moon.svg?raw'
import sunIcon from 'lucide-static/icons/sun.svg?raw'
import { useEffect } from 'react'
import type { Language } from '../../../../core/admin/language.ts'
import { site } from '../../content/site.ts'
import { Icon } from '../../shell/Icon.tsx'
import { MarkDrawing } from '../../shell/MarkDrawing.tsx'
import shellStyles from '../../shell/shell.module.css'
import { startTheme } from '../../shell/theme.ts'
import { language, t, writeLanguage } from '../language/t.ts'
import { useAct } from '../ui/action.tsx'
import { Trouble } from '../ui/error-text.ts'

export function ThemeButton() {
  useEffect(startTheme, [])
  return (
    <button type="button" className={shellStyles.switch} data-theme-switch aria-label={t('어두운 테마')}>
      <Icon svg={moonIcon} className={shellStyles.ifLight} />
      <Icon svg={sunIcon} className={shellStyles.ifDark} />
    </button>
  )
}

const other: Language = language === 'en' ? 'ko' : 'en'
const names = { en: { name: 'English', short: 'EN' }, ko: { name: '한국어', short: '한' } }

/** Every text of a page is in one language, so it loads again; edits that are not saved are warned about first. */
export function LanguageButton({ save }: { save?: (chosen: Language) => Promise<unknown> }) {
  const [change, isBusy] = useAct({
    failure: t('언어를 바꾸지 못했습니다'),
    ask: () =>
      isUnsaved()
        ? {
            title: t('저장하지 않은 변경이 있습니다.'),
            action: t('언어 바꾸기'),
            body: t('언어를 바꾸면 페이지를 새로 불러옵니다. 저장하지 않은 값은 사라집니다.'),
          }
        : undefined,
    async run() {
      await save?.(other)
      if (!writeLanguage(other)) throw new Trouble(t('이 브라우저는 언어를 저장할 수 없습니다.'))
      // Agreed to: the browser does not ask again.
      window.addEventListener('beforeunload', (event) => event.stopImmediatePropagation(), { capture: true })
      location.reload()
    },
  })
  return (
    <button
      type="button"
      className="button plain small"
      lang={other}
      disabled={isBusy}
      data-language={other}
      onClick={() => void change()}
    >
      <span className="unseen-if-narrow">{names[other].name}</span>
      <span className="only-narrow" aria-hidden="true">
        {names[other].short}
      </span>
    </button>
  )
}

/** As the browser would ask it on leaving. */
const isUnsaved = () => !window.dispatchEvent(new Event('beforeunload', { cancelable: true }))

export const HomeLink = ({ name = site.name }: { name?: string }) => (
  <a className="mark-link" href="/" aria-label={t('{name} 공개 페이지', { name })}>
    <span className="mark">
      <MarkDrawing />
      <span className="mark-word">{name}</span>
    </span>
  </a>
)

/** After a login: the administrator's own choice holds over the browser's. True if the page loads again. */
export function followChoice(chosen: Language | null): boolean {
  if (chosen === null || chosen === language || !writeLanguage(chosen)) return false
  location.reload()
  return true
}
