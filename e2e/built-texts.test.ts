import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { beforeAll, expect, test } from 'vitest'
import { builtPages } from './lab/built-pages.ts'
import { inBoth, linesOf } from './lab/islands.ts'

let dir: string
beforeAll(async () => {
  dir = await builtPages({ demoWallet: false })
})
const html = (file: string): string => readFileSync(join(dir, file), 'utf8')

/** The lines of a part of the built page, in English; the Korean page has the same part. */
function linesFrom(part: string): string[] {
  const lines = (file: string) =>
    linesOf(
      html(file)
        .split(/(?=<section id="|<footer|<main)/)
        .find((piece) => piece.startsWith(part)) ?? expect.fail(`no ${part}`),
    )
  return inBoth(lines('index.html'), lines('ko/index.html'))
}
/** That many lines from this one on. */
function following(lines: string[], first: string, count: number): string[] {
  const at = lines.indexOf(first)
  return lines.slice(at, at + count)
}

test('home: prize, stat cards, both dates Not Set, countdown', () => {
  const home = linesFrom('<section id="home"')
  expect(home).toContain('Prize value $2,500')
  expect(following(home, 'Tickets sold Sold', 10)).toEqual([
    ...['Tickets sold Sold', '–', 'USDT per ticket USDT / ticket', '3', 'Chain', 'BSC'],
    ...['Draw Date', 'Not Set', 'Sales End Date', 'Not Set'],
  ])
  expect(following(home, 'Time Until Draw', 12)).toEqual([
    ...[
      'Time Until Draw',
      'Draw Date Not Set',
      'Tickets are on sale. The draw date will be announced.',
      'Add to calendar',
    ],
    ...['00', 'Days', '00', 'Hours', '00', 'Minutes', '00', 'Seconds'],
  ])
})

test('home: what is raffled and how the winner is chosen', () => {
  const home = linesFrom('<section id="home"')
  expect(following(home, 'Retail price', 10)).toEqual([
    ...['Retail price', '4,100,000 won', 'Prize value', '$2,500', 'Mined per day', 'about 385 coins'],
    ...['Shipping', 'October 2025', 'Delivery', '3-5 days after details'],
  ])
  const steps = home.filter((line) => /^\d \w/.test(line))
  expect(steps).toEqual([
    ...['1 Collect five block hashes', '2 Combine them with SHA256'],
    ...['3 Select the winner', '4 Publish the result'],
  ])
})

test('home: how to participate, in five rules, with the example, the payment by hand and the refund', () => {
  const home = linesFrom('<section id="home"')
  const rules = following(home, 'How to Participate', 9)
  expect([rules[0], rules.length, rules[8]]).toEqual([
    ...['How to Participate', 9, 'Example 99 USDT in one transaction = 33 tickets'],
  ])
  expect(rules[4]).toBe('One ticket is 3 USDT. Pay for all the tickets you want in one transaction.')
  expect(following(home, 'Operator wallet', 3)).toEqual(['Operator wallet', 'Not Set', 'Copy'])
  expect(home.find((line) => line.startsWith('Sending by hand?'))).toMatch(
    /operator wallet and email the transaction hash to support@blockdraw\.example\. Your tickets appear in Recent Purchases within 24 hours, based on the amount sent\.$/,
  )
  expect(home.find((line) => line.startsWith('Refund policy.'))).toMatch(
    /Every payment goes back in full to the address it came from, within 3-5 business days\. The minimum is 10 tickets\.$/,
  )
})

test('home: four steps and six reasons, then the footer', () => {
  const home = linesFrom('<section id="home"')
  expect(following(home, 'In four steps', 13).filter((line) => /^[A-Z1-4][^.]*$/.test(line))).toEqual([
    ...['In four steps', '1', 'Get USDT on BSC', '2', 'Connect your wallet', '3', 'Buy tickets'],
    ...['4', 'Watch the draw'],
  ])
  const reasons = following(home, 'Why choose us', 13).filter((line) => !line.endsWith('.'))
  expect(reasons).toEqual([
    ...['Why choose us', 'A list anyone can rebuild', 'A draw anyone can repeat', 'No second draw'],
    ...['No purchase limit', 'Refund below the minimum', 'No account'],
  ])
  expect(linesFrom('<footer')).toEqual([
    ...[
      'Blockdraw',
      'support@blockdraw.example',
      'X',
      'Partner shop',
      'Terms',
      'Privacy',
      '© 2025 Blockdraw',
    ],
  ])
})

test('home: each stage has its own buttons, and gold is the one thing to do', () => {
  const buttons = [...html('index.html').matchAll(/<button([^>]*data-when="([^"]+)"[^>]*)>(.*?)<\/button>/gs)]
  const named = (stage: string) =>
    buttons
      .filter(([, , when = '']) => when.split(' ').includes(stage))
      .map(
        ([, attributes = '', , inner = '']) =>
          `${linesOf(inner)}${/\bgold\b/.test(attributes) ? ' (gold)' : ''}`,
      )
  expect(['selling', 'waiting', 'drawn', 'refund'].map(named)).toEqual([
    ['Buy Tickets (gold)', 'Start Draw', 'To the ticket counter'],
    ['See when it is drawn (gold)', 'Start Draw'],
    ['See the result (gold)', 'Check this draw'],
    ['See the refund (gold)', 'Next Event'],
  ])
})

test('buy tickets: total sales, no limit, how to buy in four steps, the wallet, the refund', () => {
  const buy = linesFrom('<section id="buy"')
  expect(buy.slice(0, 3)).toEqual([
    ...['Buy Tickets', 'Total Sales: – tickets sold.', 'No Purchase Limit Per Wallet.'],
  ])
  const how = following(buy, 'How to buy', 13).filter((line) => !line.endsWith('.'))
  expect(how).toEqual([
    ...['How to buy', '1', 'Connect your wallet', '2', 'Select a quantity', '3', 'Pay in one transaction'],
    ...['4', 'Receive your tickets'],
  ])
  expect(buy).toContain('Quantity times ticket price, sent straight to the operator wallet.')
  expect(buy).toContain('Issued after the transaction is final on the chain.')
  expect(following(buy, 'Operator wallet', 3)).toEqual(['Operator wallet', 'Not Set', 'Copy'])
  expect(buy).toContain('If too few tickets are sold')
  expect(buy.filter((line) => /within 24 hours|3-5 business days/.test(line))).toHaveLength(2)
})

test('recent purchases, winner and next event have their titles', () => {
  expect(linesFrom('<section id="recent"')).toEqual(
    expect.arrayContaining(['Recently Purchased Tickets', 'Open BscScan']),
  )
  expect(linesFrom('<section id="winner"')).toEqual(
    expect.arrayContaining(['Winner Announcement', 'Check this draw', 'Past Winner History']),
  )
  expect(linesFrom('<section id="next"').slice(0, 3)).toEqual([
    ...['Next Event', 'The picture of the next prize appears here.'],
    'Next event details will be announced soon...',
  ])
})

test('any other path is 404 Page Not Found, with a hint about the router', () => {
  expect(linesOf(html('404.html')).slice(0, 4)).toEqual(
    expect.arrayContaining(['404 Page Not Found', 'Did you forget to add the page to the router?']),
  )
})

test('pages built for production contain neither the Demo Wallet nor a beacon of their own', async () => {
  const files = async (demoWallet: boolean) => {
    const dir = await builtPages({ demoWallet })
    return readdirSync(dir, { recursive: true, encoding: 'utf8' })
      .filter((name) => /\.(js|html|css)$/.test(name))
      .map((name) => readFileSync(join(dir, name), 'utf8'))
  }
  const hints = (texts: string[]) =>
    texts.filter((text) => /Demo Wallet|local\.blockdraw\.demo/.test(text)).length
  const [local, production] = [await files(true), await files(false)]
  expect([hints(local) > 0, hints(production)]).toEqual([true, 0])
  // The beacon of a local chain begins at this second; only its key and that make another network than drand's.
  expect(production.filter((text) => /\b(1600000000|16e8|1\.6e9)\b/.test(text))).toEqual([])
})
