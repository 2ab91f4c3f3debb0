import buy from '../messages/ko/buy.json'
import common from '../messages/ko/common.json'
import draw from '../messages/ko/draw.json'
import money from '../messages/ko/money.json'
import type { Texts } from './index.ts'

export const ko: Texts = { ...common, ...buy, ...draw, ...money }
