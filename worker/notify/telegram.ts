import type { ChannelSettings } from '../../core/notify/kinds.ts'
import { type Message, plainText } from './message.ts'
import { post, type Reach } from './reach.ts'

const telegram = 'https://api.telegram.org'

/** One message of a bot. Its token is in the address, so the address is in no log. */
export async function sendTelegram(
  { chatId }: ChannelSettings['telegram'],
  token: string,
  message: Message,
  { base = telegram, ...reach }: Reach & { base?: string },
): Promise<void> {
  await post(
    {
      url: `${base}/bot${encodeURIComponent(token).replace('%3A', ':')}/sendMessage`,
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({
        chat_id: chatId,
        text: plainText(message),
        link_preview_options: { is_disabled: true },
      }),
    },
    reach,
  )
}
