import { existsSync, readFileSync } from 'node:fs'

export const lastLines = (file: string, count = 12): string =>
  existsSync(file) ? readFileSync(file, 'utf8').trimEnd().split('\n').slice(-count).join('\n') : ''
