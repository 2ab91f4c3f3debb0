import { showToast } from '../../shell/toast.ts'
import { failed } from './session.ts'

/** Shows a toast that something was saved; its button undoes the change while the toast is open. */
export function savedWithUndo(title: string, text: string, undo: () => Promise<void>): void {
  const act = async () => {
    try {
      await undo()
      showToast('변경을 취소했습니다', '이전 값으로 되돌렸습니다.', 'good')
    } catch (error) {
      failed('변경을 취소하지 못했습니다', error)
    }
  }
  showToast(title, text, 'good', { label: '변경 취소', act: () => void act() })
}
