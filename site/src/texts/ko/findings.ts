/** Sentences of the verifier (core/verify), with their values in {braces}, and their Korean translations. */
export const findings: Record<string, string> = {
  'Event {event}, {tickets} tickets, drawn at {date}.': '이벤트 {event}, 티켓 {tickets}장, 추첨 시각 {date}.',
  'Nothing to compare with: keep the terms line while tickets are sold.':
    '비교할 값이 없습니다. 판매 중에 조건 문장을 보관하세요.',
  '{name} is not what was shown.': '{name} 값이 판매 중에 보인 것과 다릅니다.',
  'The terms line has another {field} than the proof.': '조건 문장의 {field} 값이 증명과 다릅니다.',
  '{field} is not what was promised at the purchase.': '{field} 값이 구매할 때 약속된 것과 다릅니다.',
  'The terms that were kept are no terms line.': '보관된 조건이 조건 문장의 형식이 아닙니다.',
  'As shown: {names}. Changed as the rules allow: {changed}. Nothing to compare with: {missing}.':
    '보인 것과 같습니다: {names}. 규칙에 따라 바뀐 값: {changed}. 비교할 값이 없는 항목: {missing}.',
  'As shown: {names}. Changed as the rules allow: {changed}.':
    '보인 것과 같습니다: {names}. 규칙에 따라 바뀐 값: {changed}.',
  'As shown: {names}. Nothing to compare with: {missing}.':
    '보인 것과 같습니다: {names}. 비교할 값이 없는 항목: {missing}.',
  'As shown: {names}.': '보인 것과 같습니다: {names}.',
  'The content is not JSON.': '이벤트 내용이 JSON 형식이 아닙니다.',
  'The content has a field twice, or a value that is not in its one form.':
    '이벤트 내용에 두 번 나오는 항목이나 정해진 형식이 아닌 값이 있습니다.',
  'The content has a value that programs read in different ways.':
    '이벤트 내용에 프로그램마다 다르게 읽을 수 있는 값이 있습니다.',
  'The content is of another event.': '다른 이벤트의 내용입니다.',
  'The terms promise no content, and there is one.':
    '조건은 이벤트 내용을 약속하지 않았는데 내용이 있습니다.',
  'The content has another number of prizes than the terms have winners.':
    '이벤트 내용의 경품 수가 조건의 당첨자 수와 다릅니다.',
  'The content is not what an event raffles.': '이벤트 내용의 형식이 아닙니다.',
  'The content is not the one that the terms promise.': '조건에서 약속한 이벤트 내용과 다릅니다.',
  'What is told of the content is not what follows from it.':
    '이벤트 내용에 대해 알린 값이 그 내용에서 나오는 값과 다릅니다.',
  'This is not USDT on BNB Smart Chain, and no other token was named.':
    'BNB Smart Chain의 USDT가 아니며, 다른 토큰을 지정하지도 않았습니다.',
  'SHA-256 of the {bytes} bytes of the file: {sha256}.': '파일 {bytes}바이트의 SHA-256: {sha256}.',
  'The file is not the one that was fingerprinted.': '지문을 만든 파일과 다릅니다.',
  'The file is not UTF-8.': '파일이 UTF-8 형식이 아닙니다.',
  'The last line has no end.': '마지막 줄이 끝나지 않았습니다.',
  'The file could not be read. It is larger than 512 MiB.': '파일을 읽지 못했습니다. 512 MiB보다 큽니다.',
  'The list was not read.': '목록을 읽지 못했습니다.',
  'A line is longer than any line of a list.': '목록에 있을 수 없는 긴 줄이 있습니다.',
  'The file could not be read. {why}': '파일을 읽지 못했습니다. {why}',
  'Payments: {count}; tickets 1 to {last}: each in chain order, each with as many tickets as its money buys.':
    '결제 {count}건, 티켓 1~{last}: 모두 체인 순서대로이며 결제 금액만큼의 티켓이 있습니다.',
  'The first line is not the header.': '첫 줄이 머리글이 아닙니다.',
  'Line {line} is not in its one form: {text}': '{line}번째 줄이 정해진 형식이 아닙니다: {text}',
  'Line {line} begins with ticket {ticket}, not {next}.':
    '{line}번째 줄은 티켓 {next}번이어야 하는데 {ticket}번으로 시작합니다.',
  'Line {line} has {count} tickets for {units} units.':
    '{line}번째 줄의 티켓 {count}장이 금액 {units}와 맞지 않습니다.',
  'Line {line} goes beyond {most} tickets.': '{line}번째 줄에서 티켓이 {most}장을 넘습니다.',
  'Line {line} gives its payer more than {most} tickets.':
    '{line}번째 줄에서 한 지갑의 티켓이 {most}장을 넘습니다.',
  'Line {line} is not in chain order.': '{line}번째 줄이 체인 순서가 아닙니다.',
  'Payments in the file: {count}; in the proof: {lines}.':
    '파일의 결제는 {count}건인데 증명에는 {lines}건입니다.',
  'The file has {count} tickets, the proof says {tickets}.':
    '파일의 티켓은 {count}장인데 증명에는 {tickets}장입니다.',
  'The list itself is broken.': '목록 자체에 문제가 있습니다.',
  'The five hashes give another block seed.': '다섯 해시에서 다른 블록 시드가 나옵니다.',
  'The block seed gives another seed.': '블록 시드에서 다른 시드가 나옵니다.',
  'Another number of seeds was refused.': '거절된 시드의 수가 다릅니다.',
  'SHA-256 of the 160 bytes: {seed}.': '160바이트의 SHA-256: {seed}.',
  'The seed is another number.': '시드에서 다른 숫자가 나옵니다.',
  'The number names another ticket.': '숫자가 다른 티켓을 가리킵니다.',
  'No line of the list holds ticket {ticket}.': '목록에 {ticket}번 티켓이 없습니다.',
  '{name} of the winner is not that of the list.': '당첨자의 {name} 값이 목록과 다릅니다.',
  'Ticket {ticket} is one of {first} to {last} of {payer}.':
    '{ticket}번 티켓은 {payer} 지갑의 {first}~{last} 가운데 하나입니다.',
  'With fewer tickets than the minimum nothing is drawn, and the money goes back.':
    '최소 수량보다 적게 팔리면 추첨 없이 모두 환불됩니다.',
  'The terms promise a number of winners that no event has.': '조건의 당첨자 수가 있을 수 없는 값입니다.',
  'The first of the winners is not the winner.': '당첨자 목록의 첫 번째가 당첨자가 아닙니다.',
  'Another number of {list} follows from the list.': '목록에서 나오는 {list}의 수가 다릅니다.',
  '{name} of {list}[{place}] is not what the seed gives.':
    '{list}[{place}]의 {name} 값이 시드에서 나오는 것과 다릅니다.',
  'Winners: {winners}; reserves: {reserves}; each another payer.':
    '당첨자 {winners}명, 예비 당첨자 {reserves}명: 모두 서로 다른 지갑입니다.',
  'The beacon is not known, nor when its rounds are due.':
    '알 수 없는 비콘이라 회차의 예정 시각도 알 수 없습니다.',
  'Another block is {depth} behind the draw block.': '추첨 블록에서 {depth}블록 뒤의 블록이 다릅니다.',
  'The rule names another round.': '규칙이 정한 회차와 다릅니다.',
  'The round is due at another time.': '회차의 예정 시각이 다릅니다.',
  'Round {round}, due {seconds} s after the draw date: named by the draw date.':
    '{round}회차, 추첨 시각 {seconds}초 뒤 예정: 추첨 시각으로 정해졌습니다.',
  'Round {round}, due {seconds} s after the draw date: named by the time of block {block}.':
    '{round}회차, 추첨 시각 {seconds}초 뒤 예정: 블록 {block}의 시각으로 정해졌습니다.',
  "This is another beacon than drand's quicknet.": 'drand quicknet이 아닌 다른 비콘입니다.',
  'The beacon has another name.': '비콘의 이름이 다릅니다.',
  'The randomness is not the SHA-256 of the signature.': '난수가 서명의 SHA-256이 아닙니다.',
  "It is not the signature of round {round} by the beacon's key.":
    '비콘의 키로 만든 {round}회차 서명이 아닙니다.',
  'Signature of round {round} by the key of {network}.': '{network}의 키로 만든 {round}회차 서명입니다.',
  'No endpoint was given.': '노드를 지정하지 않았습니다.',
  'The endpoint serves another chain.': '노드가 다른 체인을 제공합니다.',
  'The draw block is not final.': '추첨 블록이 아직 확정되지 않았습니다.',
  'Chain {chain}, final up to block {block}.': '체인 {chain}, 블록 {block}까지 확정.',
  'Another block is the first at or after {date}.': '{date} 이후의 첫 블록이 다릅니다.',
  'Block {before} is {seconds} s before the draw date, block {block} is not.':
    '{before}번 블록은 추첨 시각보다 {seconds}초 빠르고, {block}번 블록은 그렇지 않습니다.',
  'Block {block} was made by another miner.': '블록 {block}을 만든 검증자가 다릅니다.',
  'Blocks {first} to {last} have these hashes, times and miners; different miners: {count}.':
    '블록 {first}~{last}의 해시, 시각, 검증자가 모두 같습니다. 서로 다른 검증자: {count}.',
  'Block {block} has another hash.': '블록 {block}의 해시가 다릅니다.',
  'Block {block} has another time.': '블록 {block}의 시각이 다릅니다.',
  '{name} was not paid during the sale.': '{name}: 판매 기간에 결제되지 않았습니다.',
  '{name}: there is no transaction {index} in block {block}.':
    '{name}: 블록 {block}에 {index}번 거래가 없습니다.',
  '{name}: another transaction stands there.': '{name}: 그 자리에 다른 거래가 있습니다.',
  '{name}: the transaction failed.': '{name}: 실패한 거래입니다.',
  '{name} was paid by a wallet of the operator.': '{name}: 운영자 소유 지갑이 보낸 결제입니다.',
  '{name}: {payer} paid another amount.': '{name}: {payer} 지갑이 다른 금액을 보냈습니다.',
  "{count} of {total} payments, chosen at random, with the first, the last and the winner's: transaction, place, payer, amount and time are those of the chain.":
    '결제 {total}건 가운데 첫 결제, 마지막 결제, 당첨 결제를 포함해 무작위로 고른 {count}건: 거래, 위치, 보낸 지갑, 금액, 시각이 체인과 같습니다.',
  'Every payment ({count}): transaction, place, payer, amount and time are those of the chain.':
    '결제 {count}건 전부: 거래, 위치, 보낸 지갑, 금액, 시각이 체인과 같습니다.',
  'The endpoint serves no logs: try another one, or run the verifier where logs are served.':
    '이 노드는 로그를 제공하지 않습니다. 다른 노드를 쓰거나, 로그를 제공하는 곳에서 검증을 실행하세요.',
  'The endpoint serves no logs this old: try one with an archive.':
    '이 노드는 이만큼 오래된 로그를 제공하지 않습니다. 아카이브 노드를 쓰세요.',
  'The list has a payment outside the sale.': '판매 기간이 아닌 때의 결제가 목록에 있습니다.',
  'The chain and the list differ here.': '체인과 목록이 여기에서 다릅니다.',
  'The list has a payment that the chain does not.': '체인에 없는 결제가 목록에 있습니다.',
  "Transfers of all {count} blocks of the sale: exactly the payments of the list. Left out as the operator's own: {own}.":
    '판매 기간 블록 {count}개 전부의 전송이 목록의 결제와 정확히 같습니다. 운영자 소유 지갑이라 제외한 결제(건수 of 지갑): {own}.',
  "Transfers of {count} of {total} blocks, chosen at random of the sale: exactly the payments of the list. Left out as the operator's own: {own}.":
    '판매 기간 블록 {total}개 가운데 무작위로 고른 {count}개의 전송이 목록의 결제와 정확히 같습니다. 운영자 소유 지갑이라 제외한 결제(건수 of 지갑): {own}.',
  'Transfers of all {count} blocks of the sale: exactly the payments of the list.':
    '판매 기간 블록 {count}개 전부의 전송이 목록의 결제와 정확히 같습니다.',
  'Transfers of {count} of {total} blocks, chosen at random of the sale: exactly the payments of the list.':
    '판매 기간 블록 {total}개 가운데 무작위로 고른 {count}개의 전송이 목록의 결제와 정확히 같습니다.',
  'Terms and fingerprint give another commitment.': '조건과 지문에서 다른 값이 나옵니다.',
  'No such anchor is on the chain.': '그런 기록이 체인에 없습니다.',
  'Nobody put terms and fingerprint on the chain for this event.':
    '이 이벤트의 조건과 지문을 체인에 기록한 사람이 없습니다.',
  'Another commitment was put on the chain.': '체인에 다른 값이 기록되었습니다.',
  'The proof names another anchor.': '증명이 다른 기록을 가리킵니다.',
  'It is on the chain, but another came later: {later}.':
    '체인에 있지만 나중에 다른 값이 기록되었습니다: {later}.',
  'A commitment was put on the chain behind a sale end that was promised, and before this one: {early}. The date may have been moved after it.':
    '약속된 판매 종료 시각과 이 판매 종료 시각 사이에 체인에 기록된 값이 있습니다: {early}. 그 뒤에 일시가 바뀌었을 수 있습니다.',
  'Transaction {hash} carried it {seconds} s before the draw date.':
    '{hash} 거래가 추첨 시각보다 {seconds}초 먼저 지문을 담았습니다.',
  'The endpoint could not be used for this. {why}': '이 검증에 노드를 쓸 수 없었습니다. {why}',
}
