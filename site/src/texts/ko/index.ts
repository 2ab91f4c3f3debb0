import type { Texts } from '../index.ts'
import { buy } from './buy.ts'
import { common } from './common.ts'
import { draw } from './draw.ts'
import { money } from './money.ts'

export const ko: Texts = { ...common, ...buy, ...draw, ...money }
