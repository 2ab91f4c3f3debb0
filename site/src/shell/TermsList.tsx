import { t } from '../texts/index.ts'
import { CopyButton } from './Copy.tsx'
import { Stack } from './Layout.tsx'
import { termsMarkup } from './term-text.ts'
import { trustedMarkup } from './trusted.ts'

export const TermsList = ({ line }: { line: string }) => (
  <Stack gap={16}>
    {/* biome-ignore lint/security/noDangerouslySetInnerHtml: escaped by our own template */}
    <div dangerouslySetInnerHTML={{ __html: trustedMarkup(termsMarkup(line).markup) }} />
    <details className="fold">
      <summary>{t.terms.line}</summary>
      <p className="hint">{t.terms.lineText}</p>
      <p className="address" data-terms-line>
        {line.trimEnd()}
      </p>
      <CopyButton text={line} className="button edged compact" />
    </details>
  </Stack>
)
