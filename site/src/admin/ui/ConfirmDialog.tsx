import { useStore } from '@nanostores/react'
import { useState } from 'react'
import { t } from '../language/t.ts'
import { Button } from './Button.tsx'
import { $question } from './confirm.ts'
import { Dialog, DialogActions, DialogText } from './Dialog.tsx'
import { TextField } from './Field.tsx'

export function ConfirmDialog() {
  const question = useStore($question)
  return question ? <Open key={question.title} {...question} /> : null
}

function Open(question: NonNullable<ReturnType<typeof $question.get>>) {
  const { title, body, action, tone = 'plain', typed, answer } = question
  const [text, setText] = useState('')
  const isTyped = !typed || text.trim() === typed.value
  return (
    <Dialog title={title} onClose={() => answer(false)}>
      <form
        onSubmit={(event) => {
          event.preventDefault()
          if (isTyped) answer(true)
        }}
      >
        <DialogText>{body}</DialogText>
        {typed && (
          <TextField
            label={typed.label}
            value={text}
            onChange={setText}
            isMono
            autoComplete="off"
            autoCapitalize="off"
            spellCheck={false}
          />
        )}
        <DialogActions>
          <Button tone="plain" onClick={() => answer(false)}>
            {t('취소')}
          </Button>
          <Button type="submit" tone={tone === 'danger' ? 'danger' : 'ink'} disabled={!isTyped}>
            {action}
          </Button>
        </DialogActions>
      </form>
    </Dialog>
  )
}
