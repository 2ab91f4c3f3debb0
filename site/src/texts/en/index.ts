import { buy } from './buy.ts'
import { common } from './common.ts'
import { draw } from './draw.ts'

/**
 * English. The texts that were given (docs/spec.md) stand here word for word. Data alone: a page carries it as
 * JSON, so no script of the other language is ever loaded.
 */
export const en = { ...common, ...buy, ...draw }
