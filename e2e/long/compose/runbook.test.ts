import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'

const root = join(import.meta.dirname, '../../..')
const runbook = readFileSync(join(root, 'infra/README.md'), 'utf8')

/** Where a command is typed for real; what only looks is typed by the step "emergencies", too. */
const typed: [RegExp, string][] = [
  [
    /^docker compose exec api bun admin\.js (stop-sale|refund-wallet add 0x…( --signature 0x…)?)$/,
    'e2e/long/refunds/runbook.test.ts',
  ],
  [
    /^docker compose exec api bun admin\.js (create|reset-password|reset-otp|allow-ip)\b/,
    'e2e/long/compose/steps/emergencies.ts',
  ],
  [/^docker compose exec api bun admin\.js rotate-key$/, 'api/auth/rotate-key.test.ts'],
  [/^docker compose --profile monitoring up -d$/, 'infra/docker/watch-compose.test.ts'],
  [/^docker compose (ps|logs|up migrate$)/, 'e2e/long/compose/steps/emergencies.ts'],
  [/^docker compose up -d( (worker|redis|api worker|api))?$/, 'e2e/long/compose/steps/emergencies.ts'],
  [/^docker restart NAME$/, 'e2e/long/compose/steps/emergencies.ts'],
  [
    /^docker compose run --rm --no-deps migrate bun -e .*randomBytes/,
    'e2e/long/compose/steps/emergencies.ts',
  ],
]

test('every command that the runbook gives for an alert or an emergency is typed by a test', () => {
  const text = runbook.slice(runbook.indexOf('\n## Alerts\n'), runbook.indexOf('\n## The site on a CDN\n'))
  const commands = [...text.matchAll(/^ {4}(docker .*)$|`(docker [^`\n]+)`/gm)].map(
    ([, line, inside]) => line ?? inside ?? '',
  )
  expect(commands.length).toBeGreaterThan(15)
  expect(commands.filter((command) => !typed.some(([like]) => like.test(command)))).toEqual([])
  for (const [, file] of typed) expect(readFileSync(join(root, file), 'utf8')).toContain('runbook')
})
