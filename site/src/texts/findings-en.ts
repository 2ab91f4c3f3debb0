import type { Verdict } from '../../../core/verify/steps.ts'
import { findingTexts } from './findings.ts'

/** What the verifier finds. A step that could not be done says what it needs. */
export const findings = findingTexts(
  {
    otherValue: 'What is shown gives another value of {field} than the proof says.',
    otherBlock: 'Block {block} has another {field} on the chain.',
    proofWhole: 'Event {event}, {tickets} tickets, drawn at {drawDate}.',
    proofBroken: 'The proof file is not in its one form: {problem}',
    termsKept: 'The terms are to the letter those that were kept when tickets were bought.',
    noLineKept:
      'No terms line was kept here. Check in the browser that bought the tickets, or paste the line that you noted at your purchase.',
    keptBeforeDate:
      'The kept line is from before the draw date was set, and all else in it is the same. The date was set after your purchase: paste a line that was kept later, by you or by another buyer, before the sale ended.',
    noTermsLine: 'This is no terms line of a dated event. Copy the whole line, from “blockdraw-terms-2” on.',
    keptDiffers: 'This is not what was promised at the purchase: {field}.',
    notUsdt: 'Tickets were sold on another chain, or for another token, than USDT on BNB Smart Chain.',
    minimumMissed:
      'There was a draw with {tickets} tickets, and the terms promise that below {minimum} all money goes back.',
    minimumReached:
      'All money went back although {tickets} tickets were sold, and the terms promise a draw from {minimum} on.',
    listHashed: 'SHA-256 of the {bytes} bytes of the ticket list: {sha256}.',
    otherList: 'The ticket list has another SHA-256 than the proof says: it was changed, or is another file.',
    listUnread: 'The ticket list could not be loaded: {problem} Check again in a moment.',
    linesRight:
      '{payments} payments, {tickets} tickets: in order of the chain, each with what its money buys.',
    listBroken: 'Not done, as the ticket list itself could not be used.',
    notUtf8:
      'The ticket list has bytes that are no text. Load it again from the site, and save it without an editor.',
    noHeader:
      'The ticket list does not begin with its header. Load it again from the site, and save it without an editor.',
    noLastNewline: 'The last line of the ticket list has no end: the file is cut off. Load it again.',
    lineTooLong: 'Line {line} of the ticket list is longer than any line can be.',
    lineForm:
      'Line {line} of the ticket list is not in its one form: “{text}”. Load the list again from the site, and save it without an editor.',
    lineTicket: 'Line {line} of the ticket list does not begin with the next ticket.',
    lineCount: 'Line {line} of the ticket list has {tickets} tickets, and {units} buys another number.',
    lineOrder: 'Line {line} of the ticket list is not in order of the chain.',
    lineBeyond: 'Line {line} of the ticket list goes beyond {most} tickets, the most an event can have.',
    seedRight: 'SHA-256 of the five hashes, 160 bytes: {blockSeed}.',
    numberRight: '{number} mod {tickets} + 1 = {ticket}',
    winnerRight: 'Ticket {ticket} is one of {first} to {last} of {payer}.',
    noHolder: 'No line of the ticket list holds ticket {ticket}.',
    winnersRight: 'Winners: {winners}; reserves: {reserves}; each another payer.',
    roundByDate: 'Round {round}, due {seconds} s after the draw date: named by the draw date.',
    roundByBlock: 'Round {round}, due {seconds} s after the draw date: named by the time of block {block}.',
    beaconUnknown: 'Not done, as the beacon is not one that is known here.',
    beaconRight: 'The network signed round {round}: nobody else can, and it cannot sign it in two ways.',
    otherBeacon: 'This is another beacon than drand’s quicknet.',
    badSignature: 'The network did not sign this for round {round}.',
    chainRight: 'Chain {chain}, final up to block {block}.',
    otherChain: 'This node serves another chain. Take a node of the chain that tickets were sold on.',
    drawNotFinal:
      'This node has blocks up to {final} as final, and the draw block is {block}. Check again in a minute.',
    drawBlockRight: 'Block {block} is the first: the one before it is {before} s earlier than the draw date.',
    drawBlockEarlier: 'A block before {block} was the first one at or after the draw date.',
    drawBlockLater: 'Block {block} is from before the draw date, so a later one was the first.',
    blocksRight:
      'Blocks {first} to {last} have these hashes, times and producers; different producers: {miners}.',
    salePaymentsRight:
      'All {blocks} blocks of the sale were read. The list that follows from them is the ticket list, byte by byte: {payments} payments.',
    paymentMissing: 'The chain has a payment that the ticket list lacks, or has in another form.',
    paymentInvented: 'The ticket list has a payment that is not on the chain: {actual}',
    outsideSale: 'The ticket list has a payment from outside the sale (blocks {first} to {last}): {actual}',
    termsAnchored:
      'Transaction {transaction} put the terms on the chain in block {block}, {seconds} s before the end of the sale.',
    termsNotAnchored:
      'Nobody put the terms on the chain before the sale ended. Only the line that you kept says what was promised.',
    termsAnchoredLate:
      'The terms came to the chain only after the end of the sale (block {block}, {transaction}). Only the line that you kept says what was promised.',
    listAnchored:
      'Transaction {transaction} put terms and list on the chain in block {block}, {seconds} s before the draw date.',
    listNotAnchored:
      'Nobody put terms and list on the chain between the end of the sale and the draw. Whoever saved the ticket list before the draw can compare its SHA-256.',
    listAnchoredEarly:
      'Terms and list came to the chain before the end of the sale (block {block}, {transaction}), which says nothing of what was paid later. Whoever saved the ticket list before the draw can compare its SHA-256.',
    anchorNotThere:
      'The proof names transaction {transaction} in block {block}, which recorded no such thing.',
    operatorAnchoredOther:
      'The operator put something else than these terms and this list on the chain: {commitment}, in transaction {transaction}.',
    anchorWalletAnchoredOther:
      'The wallet that records put something else on the chain as well: {commitment}, in transaction {transaction}. Ask the operator what it was.',
    noEndpoint: 'No node was named. Name one of the chain that you trust.',
    noLogs:
      'This node gives out no history of payments, so nobody can find by it what is missing from the list. Take another one: most paid nodes and archive nodes do.',
    noOldLogs: 'This node gives out the newest history of payments alone. Take one with an archive.',
    noHistory: 'This node no longer has blocks as old as this sale ({problem}). Take one with an archive.',
    endpointFailed: 'This node could not be used for this: {problem} Check again, or take another one.',
    logsLeaveOut:
      'The history that this node gives out may lack something in block {block}. Take another node.',
  },
  {
    difference: 'Expected {expected}, found {actual}.',
    next: {
      files:
        'Save proof file and ticket list, load both anew and check again. If it fails again, this is not the draw that the rules give: show both files to the operator and to others.',
      terms:
        'Keep your terms line: it says what you were promised. Show it to the operator and to other buyers.',
      node: 'Check again with a node of another provider. If it says the same, save proof file and ticket list, and show them to the operator and to others.',
    },
  },
)

/** The last line of the command. */
export const verdicts: Record<Verdict, string> = {
  verified: 'Verified: all {steps} steps were done, and passed.',
  incomplete: 'Incomplete: nothing contradicts it, but {open} of {steps} steps could not be done:',
  contradicted: 'Contradicted: {open} of {steps} steps failed:',
}
