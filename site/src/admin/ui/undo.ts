import { showToast } from '../../shell/toast.ts'
import { t } from '../language/t.ts'
import { failed } from '../session/session.ts'

/** Shows a toast that something was saved; its button undoes the change while the toast is open. */
export function savedWithUndo(title: string, text: string, undo: () => Promise<void>): void {
  const act = async () => {
    try {
      await undo()
      showToast(t('변경을 취소했습니다'), t('이전 값으로 되돌렸습니다.'), 'good')
    } catch (error) {
      failed(t('변경을 취소하지 못했습니다'), error)
    }
  }
  showToast(title, text, 'good', { label: t('변경 취소'), act: () => void act() })
}
