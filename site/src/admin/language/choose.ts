import type { Language } from '../../../../core/admin/language.ts'
import { failed } from '../session/session.ts'
import { confirm } from '../ui/Dialog.tsx'
import { language, writeLanguage } from './language.ts'
import { t } from './t.ts'

/**
 * Changes the language of the administrator area: `save` keeps it for the administrator, the browser for itself; then
 * the page loads again, since every text of it is in one language. Edits that are not saved are warned about first.
 */
export async function chooseLanguage(
  chosen: Language,
  save: ((chosen: Language) => Promise<unknown>) | undefined,
): Promise<void> {
  if (!(await mayLeave())) return
  try {
    await save?.(chosen)
  } catch (error) {
    return failed(t('언어를 바꾸지 못했습니다'), error)
  }
  if (!writeLanguage(chosen))
    return failed(t('언어를 바꾸지 못했습니다'), undefined, t('이 브라우저는 언어를 저장할 수 없습니다.'))
  reload()
}

/** After a login: the administrator's own choice holds over the browser's. True if the page loads again. */
export function followChoice(chosen: Language | null): boolean {
  if (chosen === null || chosen === language || !writeLanguage(chosen)) return false
  reload()
  return true
}

/** Asks what the browser would ask on leaving; here, as a page that has been told to stay must not have changed anything. */
async function mayLeave(): Promise<boolean> {
  const isUnsaved = !window.dispatchEvent(new Event('beforeunload', { cancelable: true }))
  return (
    !isUnsaved ||
    confirm({
      title: t('저장하지 않은 변경이 있습니다.'),
      action: t('언어 바꾸기'),
      body: t('언어를 바꾸면 페이지를 새로 불러옵니다. 저장하지 않은 값은 사라집니다.'),
    })
  )
}

/** Keeps the tab, which is in the address. The browser does not ask again. */
function reload(): void {
  window.addEventListener('beforeunload', (event) => event.stopImmediatePropagation(), { capture: true })
  location.reload()
}
