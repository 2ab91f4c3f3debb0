import type { NextContent } from '../../../../core/content/event-content.ts'
import { termsOfContent } from '../../../../core/content/promised.ts'
import { language } from '../language/language.ts'
import { rich } from '../language/rich.tsx'

/** The line of a question that names what the next event raffles; nothing where no content is kept. */
export const PromisedContent = ({ next: content }: NextContent) =>
  content && (
    <li>
      {rich('경품: {title}, 당첨자 {winners}명', {
        title: <b>{content.title[language].replaceAll('\n', ' ')}</b>,
        winners: termsOfContent(content).winners,
      })}
    </li>
  )
