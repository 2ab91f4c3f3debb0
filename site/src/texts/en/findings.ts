import type { Finding, Verdict } from '../../../../core/verify/steps.ts'

/** Sentences of what was found; each that is not good says what to do next. */
export const findings: Record<Finding, string> = {
  proofWhole: 'Event {event}, {tickets} tickets.',
  proofBroken: 'The proof cannot be read: {problem} Load it again; if it stays so, do not rely on this draw.',
  termsKept: 'Equal, letter by letter, to the line that you kept.',
  noLineKept:
    'No terms line was kept here. Check in the browser that bought the tickets, or paste the line that you or another buyer kept before the sale ended.',
  keptBeforeDate:
    'The date was set after your purchase, and nothing else is different. Paste a line that was kept after it, by you or by another buyer before the sale ended.',
  noTermsLine: 'This is no terms line. Copy the whole line, from “blockdraw-terms-2” on.',
  keptDiffers: 'The terms were changed after your purchase: {field} was {expected} and is {actual}.',
  otherTermsHash: 'The terms line has the fingerprint {expected}, the proof says {actual}.',
  otherFormerWallets:
    'The terms name other wallets of earlier events: fingerprint {expected}, found {actual}.',
  otherEntropy: 'The terms promise {expected}, the proof uses {actual}.',
  notUsdt: 'Tickets are not paid in USDT on BNB Smart Chain: expected {expected}, found {actual}.',
  minimumMissed:
    'Only {tickets} of at least {minimum} tickets were sold: nothing may be drawn, the money goes back.',
  minimumReached: '{tickets} of at least {minimum} tickets were sold: this event had to be drawn.',
  listHashed: 'SHA-256 of the {bytes} bytes of the file: {sha256}.',
  otherList: 'The file has the fingerprint {actual}, the published one is {expected}.',
  otherCommitment: 'Terms and list give the commitment {expected}, the proof says {actual}.',
  listUnread: 'The list could not be loaded: {problem} Try again.',
  linesRight: '{payments} payments, tickets 1 to {tickets}: each with as many tickets as its money buys.',
  listBroken: 'Nothing can be compared with the list, as the list itself could not be read to its end.',
  notUtf8: 'The list has bytes that are no text. Load it again from the site, not from an editor.',
  noHeader: 'The first line is not the header. Load the list again from the site, not from an editor.',
  noLastNewline: 'The last line has no end: the file is cut off. Load it again.',
  lineTooLong: 'Line {line} is longer than any line of a list.',
  lineForm:
    'Line {line} is not in its one form: “{text}”. Load the list again from the site, not from an editor.',
  lineTicket: 'Line {line} begins with ticket {actual}, not {expected}.',
  lineCount: 'Line {line} has {tickets} tickets for {units} units, which buy another number.',
  lineOrder: 'Line {line} is not in chain order.',
  lineBeyond: 'Line {line} goes beyond {most} tickets.',
  otherPayments: 'The file has {actual} payments, the proof says {expected}.',
  otherTickets: 'The file has {actual} tickets, the proof says {expected}.',
  seedRight: 'SHA-256 of the five hashes: {blockSeed}.',
  otherBlockSeed: 'The five hashes give the seed {expected}, the proof says {actual}.',
  otherSeed: 'The block seed gives the seed {expected}, the proof says {actual}.',
  otherCounter: '{expected} seeds had to be refused, the proof says {actual}.',
  numberRight: '{number} mod {tickets} + 1 = {ticket}.',
  otherNumber: 'The seed is the number {expected}, the proof says {actual}.',
  otherTicket: 'The number names ticket {expected}, the proof says {actual}.',
  winnerRight: 'Ticket {ticket} is one of {first} to {last} of {payer}.',
  noHolder: 'No line of the list holds ticket {ticket}.',
  otherWinner: '{field} of {place} is {expected} by the list, the proof says {actual}.',
  winnersRight: 'Winners: {winners}; reserves: {reserves}; each another payer.',
  otherWinners: '{expected} {of} follow from the list, the proof has {actual}.',
  roundByDate: 'Round {round}, due {seconds} s after the draw date: named by the draw date.',
  roundByBlock: 'Round {round}, due {seconds} s after the draw date: named by the time of block {block}.',
  beaconUnknown: 'The beacon is not known here, nor when its rounds are due.',
  otherDepth: 'Block {expected} is the one behind the draw block that counts, the proof names {actual}.',
  otherRound: 'The rule names round {expected}, the proof uses {actual}.',
  otherDue: 'The round is due at {expected}, the proof says {actual}.',
  beaconRight: 'The network signed round {round}: nobody else can, and it cannot sign it twice.',
  otherBeacon: "This is another beacon than drand's quicknet: expected {expected}, found {actual}.",
  otherRandomness: 'SHA-256 of the signature is {expected}, the proof says {actual}.',
  badSignature: 'The network did not sign this for round {round}.',
  chainRight: 'Chain {chain}, final up to block {block}.',
  otherChain: 'The node serves chain {actual}, not {expected}. Take a node of BNB Smart Chain.',
  drawNotFinal: 'The draw block {block} is not final: the node is at {final}. Try again in a minute.',
  drawBlockRight: 'The block before is {before} s older than the draw date, block {block} is not.',
  drawBlockEarlier: 'A block before {block} is already at or after the draw date.',
  drawBlockLater: 'Block {block} is older than the draw date.',
  blocksRight: 'Blocks {first} to {last} have these hashes, times and miners; different miners: {miners}.',
  otherBlockHash: 'Block {block} has the hash {expected}, the proof says {actual}.',
  otherBlockTime: 'Block {block} has the time {expected}, the proof says {actual}.',
  otherMiner: 'Block {block} was made by {expected}, the proof says {actual}.',
  salePaymentsRight: 'All {blocks} blocks of the sale hold exactly the {payments} payments of the list.',
  paymentMissing: 'A payment on the chain is not in the list: {expected}; the list has {actual}.',
  paymentInvented: 'The list has a payment that is not on the chain: {actual}.',
  outsideSale: 'The list has a payment outside the sale (blocks {first} to {last}): {actual}.',
  termsAnchored: 'Transaction {transaction} in block {block}, {seconds} s before the sale end.',
  termsNotAnchored:
    'Nobody put the terms on the chain before the sale ended. That they were these, only your kept line shows.',
  termsAnchoredLate:
    'The terms came on the chain only after the sale had ended, by {transaction} in block {block}.',
  listAnchored: 'Transaction {transaction} in block {block}, {seconds} s before the draw date.',
  listNotAnchored: 'Nobody put the list on the chain before the draw block existed.',
  listAnchoredEarly:
    'The list came on the chain before the sale had ended, by {transaction} in block {block}: this says nothing of what was paid later.',
  anchorNotThere: 'The proof names {transaction} in block {block}, which did no such thing.',
  operatorAnchoredOther:
    'The operator wallet put something else on the chain for this event: {commitment} by {transaction}. It committed to two things.',
  anchorWalletAnchoredOther:
    'The anchor wallet put something else on the chain for this event: {commitment} by {transaction}. Ask the operator why.',
  noEndpoint: 'Not asked: no node was named.',
  noLogs:
    'This node gives out no history of payments. Take another one: most paid nodes and archive nodes do.',
  noOldLogs: 'This node gives out the newest history alone. Take one with an archive.',
  noHistory: 'This node no longer has blocks this old ({problem}). Take one with an archive.',
  endpointFailed: 'The node could not be used for this: {problem} Try again, or take another node.',
  logsLeaveOut:
    'The history that this node gives out may lack something in block {block}. Take another node.',
}

export const verdicts: Record<Verdict, string> = {
  verified: 'Verified: all {steps} steps were done, and passed.',
  incomplete: 'Incomplete: nothing contradicts it, but {open} of {steps} steps could not be done:',
  contradicted: 'Contradicted: {open} of {steps} steps failed:',
}
