import buy from '../messages/en/buy.json'
import common from '../messages/en/common.json'
import draw from '../messages/en/draw.json'
import money from '../messages/en/money.json'

/** English. Texts of docs/spec.md are word for word in `messages/`; a page contains its own as JSON and loads no others. */
export const en = { ...common, ...buy, ...draw, ...money }
