import { type Call, calls } from './calls.ts'

/** A page to read the calls on, in development: one file, no script, nothing from anywhere else. */
export const readingPage = (): string => `<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width">
<title>Calls of Blockdraw</title>
<style>
body { font: 16px/1.5 system-ui, sans-serif; max-width: 60rem; margin: 2rem auto; padding: 0 1rem; color-scheme: light dark }
summary { cursor: pointer; padding: .4rem 0 }
code, pre { font-family: ui-monospace, monospace; font-size: .9em }
pre { overflow-x: auto; padding: 1rem; border: 1px solid #8884; border-radius: .5rem }
summary code { font-weight: 600 }
</style>
<h1>Public calls</h1>
<p>The same for programs: <a href="/api/openapi.json"><code>/api/openapi.json</code></a></p>
${Object.entries(calls).map(section).join('\n')}
</html>
`

const section = ([name, { about, more, params = {}, body, answers, refusals = [] }]: [
  string,
  Call,
]): string => `
<details>
<summary><code>${escapeHtml(name)}</code> ${escapeHtml(about)}</summary>
${more ? `<p>${escapeHtml(more)}</p>` : ''}
${Object.entries(params)
  .map(([param, text]) => `<p><code>${param}</code>: ${escapeHtml(text)}</p>`)
  .join('')}
${body ? `<p>Body</p>${schemaBlock(body)}` : ''}
${Object.entries(answers)
  .map(
    ([status, answer]) =>
      `<p><code>${status}</code> ${escapeHtml(answer.about)} ${answer.type ?? ''}</p>${schemaBlock(answer.schema)}`,
  )
  .join('')}
<p>Refusals: ${[...refusals, 405, 429, 503].join(', ')}</p>
</details>`

const schemaBlock = (schema: unknown): string =>
  schema ? `<pre>${escapeHtml(JSON.stringify(schema, null, 2))}</pre>` : ''

const escapeHtml = (text: string): string => text.replace(/[&<>"']/g, (sign) => `&#${sign.charCodeAt(0)};`)
