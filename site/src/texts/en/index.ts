import { buy } from './buy.ts'
import { common } from './common.ts'
import { draw } from './draw.ts'
import { money } from './money.ts'

/**
 * English. Texts from docs/spec.md are here word for word. Only data: a page contains it as JSON, so it never
 * loads a script of the other language.
 */
export const en = { ...common, ...buy, ...draw, ...money }
