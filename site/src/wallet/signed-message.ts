import type { Address } from 'viem'

/** What an EIP-4361 message has to bind before a wallet is asked to sign it. */
export type Bound = {
  /** Of this page: a message for another site is none of ours. */
  host: string
  wallet: Address
  chainId: number
}

const form = new RegExp(
  [
    '^(?:https?://)?(?<domain>\\S+) wants you to sign in with your Ethereum account:',
    '(?<wallet>0x[0-9a-fA-F]{40})',
    '',
    '(?<statement>[^\\n]+)',
    '',
    'URI: (?<uri>\\S+)',
    'Version: 1',
    'Chain ID: (?<chain>\\d+)',
    'Nonce: [a-zA-Z0-9]{8,}',
    'Issued At: \\S+',
    'Expiration Time: \\S+$',
  ].join('\\n'),
)

/** What a message says, if it binds this site, this wallet and this chain, and ends; undefined for any other. */
export function statementOf(message: string, { host, wallet, chainId }: Bound): string | undefined {
  const { domain, wallet: named, statement, uri = '', chain } = form.exec(message)?.groups ?? {}
  const isBound =
    domain === host &&
    named?.toLowerCase() === wallet.toLowerCase() &&
    // Behind a proxy the server may not know that visitors use https.
    (uri === `https://${host}/` || uri === `http://${host}/`) &&
    chain === `${chainId}`
  return isBound ? statement : undefined
}
