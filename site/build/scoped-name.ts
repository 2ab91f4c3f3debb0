import { basename } from 'node:path'

/** `BuySlip_total`: the class `total` of `BuySlip.module.css`. Said by file and part, it is the same in every build. */
export const scopedName = (part: string, file: string): string => `${basename(file, '.module.css')}_${part}`
