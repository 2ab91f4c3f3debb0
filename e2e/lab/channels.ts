import { channelRow, secretBox } from '../../core/server/secrets.ts'
import type { Db } from '../../db/index.ts'
import { addChannel } from '../../db/notify/tell.ts'

export const signingKey = `whsec_${Buffer.alloc(32, 9).toString('base64')}`
export const channelKey = '3f9a1c57e2b84d06a1c95f73d8e2b640'
export const channelBox = secretBox({ secretKey: channelKey })

/** A webhook, which is told everything. */
export const addWebhook = (db: Db, url: string): Promise<number> =>
  addChannel(
    db,
    { kind: 'webhook', name: 'of this test', language: 'en', settings: { host: new URL(url).host } },
    (id) => channelBox.seal(Buffer.from(JSON.stringify({ url, signingKey })), channelRow(id)),
  )
