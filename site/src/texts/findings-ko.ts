import type { Verdict } from '../../../core/verify/steps.ts'
import { findingTexts } from './findings.ts'

export const findings = findingTexts(
  {
    otherValue: '{field} 값이 제시된 것에서 나오는 값과 다릅니다.',
    otherBlock: '체인에 있는 블록 {block}의 {field} 값이 다릅니다.',
    proofWhole: '이벤트 {event}, 티켓 {tickets}장, 추첨 시각 {drawDate}.',
    proofBroken: '증명 파일이 정해진 형식이 아닙니다: {problem}',
    termsKept: '티켓을 살 때 보관된 조건과 한 글자도 다르지 않습니다.',
    noLineKept:
      '여기에는 보관된 조건 문장이 없습니다. 티켓을 산 브라우저에서 검증하거나, 구매할 때 적어 둔 문장을 붙여 넣으세요.',
    keptBeforeDate:
      '보관된 문장은 추첨일이 정해지기 전의 것이며 나머지는 모두 같습니다. 추첨일은 구매 뒤에 정해졌습니다. 그 뒤 판매가 끝나기 전에 나 또는 다른 구매자가 보관한 문장을 붙여 넣으세요.',
    noTermsLine:
      '추첨일이 있는 이벤트의 조건 문장이 아닙니다. “blockdraw-terms-2”부터 한 줄 전체를 복사하세요.',
    keptDiffers: '구매할 때 약속된 것과 다릅니다: {field}.',
    notUsdt: 'BNB Smart Chain의 USDT가 아닌 다른 체인이나 토큰으로 티켓을 팔았습니다.',
    minimumMissed:
      '티켓 {tickets}장으로 추첨했지만, 조건은 {minimum}장보다 적으면 모두 환불한다고 약속합니다.',
    minimumReached:
      '티켓이 {tickets}장 팔렸는데 모두 환불했습니다. 조건은 {minimum}장부터 추첨을 약속합니다.',
    listHashed: '티켓 목록 {bytes}바이트의 SHA-256: {sha256}.',
    otherList: '티켓 목록의 SHA-256이 증명과 다릅니다. 목록이 바뀌었거나 다른 파일입니다.',
    listUnread: '티켓 목록을 불러오지 못했습니다: {problem} 잠시 후 다시 검증하세요.',
    linesRight: '결제 {payments}건, 티켓 {tickets}장: 모두 체인 순서대로이며 금액만큼의 티켓이 있습니다.',
    listBroken: '티켓 목록 자체를 쓸 수 없어 하지 못했습니다.',
    notUtf8:
      '티켓 목록에 글자가 아닌 바이트가 있습니다. 사이트에서 다시 받아 편집기를 거치지 말고 저장하세요.',
    noHeader: '티켓 목록의 첫 줄이 머리글이 아닙니다. 사이트에서 다시 받아 편집기를 거치지 말고 저장하세요.',
    noLastNewline: '티켓 목록의 마지막 줄이 끝나지 않았습니다. 파일이 잘렸으니 다시 받으세요.',
    lineTooLong: '티켓 목록의 {line}번째 줄이 있을 수 없을 만큼 깁니다.',
    lineForm:
      '티켓 목록의 {line}번째 줄이 정해진 형식이 아닙니다: “{text}”. 사이트에서 다시 받아 편집기를 거치지 말고 저장하세요.',
    lineTicket: '티켓 목록의 {line}번째 줄이 다음 티켓 번호로 시작하지 않습니다.',
    lineCount: '티켓 목록의 {line}번째 줄에 티켓이 {tickets}장 있지만, {units}로 살 수 있는 수와 다릅니다.',
    lineOrder: '티켓 목록의 {line}번째 줄이 체인 순서가 아닙니다.',
    lineBeyond: '티켓 목록의 {line}번째 줄에서 한 이벤트의 최대치인 {most}장을 넘습니다.',
    seedRight: '다섯 해시 160바이트의 SHA-256: {blockSeed}.',
    numberRight: '{number} mod {tickets} + 1 = {ticket}',
    winnerRight: '{ticket}번 티켓은 {payer} 지갑의 {first}~{last} 가운데 하나입니다.',
    noHolder: '티켓 목록에 {ticket}번 티켓이 없습니다.',
    winnersRight: '당첨자 {winners}명, 예비 당첨자 {reserves}명: 모두 서로 다른 지갑입니다.',
    roundByDate: '{round}회차, 추첨 시각 {seconds}초 뒤 예정: 추첨 시각으로 정해졌습니다.',
    roundByBlock: '{round}회차, 추첨 시각 {seconds}초 뒤 예정: 블록 {block}의 시각으로 정해졌습니다.',
    beaconUnknown: '여기에서 알 수 없는 비콘이라 하지 못했습니다.',
    beaconRight:
      '네트워크가 {round}회차에 서명했습니다. 다른 누구도 만들 수 없고 두 가지로 서명할 수도 없습니다.',
    otherBeacon: 'drand quicknet이 아닌 다른 비콘입니다.',
    badSignature: '네트워크가 {round}회차에 한 서명이 아닙니다.',
    chainRight: '체인 {chain}, 블록 {block}까지 확정.',
    otherChain: '이 노드는 다른 체인을 제공합니다. 티켓을 판 체인의 노드를 쓰세요.',
    drawNotFinal:
      '이 노드에는 블록 {final}까지만 확정되어 있는데, 추첨 블록은 {block}입니다. 잠시 뒤 다시 확인하세요.',
    drawBlockRight: '블록 {block}이 첫 블록입니다. 바로 앞 블록은 추첨 시각보다 {before}초 빠릅니다.',
    drawBlockEarlier: '추첨 시각 이후의 첫 블록은 {block}보다 앞에 있습니다.',
    drawBlockLater: '블록 {block}은 추첨 시각보다 빠르므로, 첫 블록은 그 뒤에 있습니다.',
    blocksRight: '블록 {first}~{last}의 해시, 시각, 생성자가 모두 같습니다. 서로 다른 생성자: {miners}.',
    salePaymentsRight:
      '판매 기간의 블록 {blocks}개를 모두 읽었습니다. 거기에서 나온 목록이 티켓 목록과 한 바이트도 다르지 않습니다: 결제 {payments}건.',
    paymentMissing: '체인에 있는 결제가 티켓 목록에 없거나 다르게 적혀 있습니다.',
    paymentInvented: '체인에 없는 결제가 티켓 목록에 있습니다: {actual}',
    outsideSale: '판매 기간(블록 {first}~{last})이 아닌 때의 결제가 티켓 목록에 있습니다: {actual}',
    termsAnchored:
      '{transaction} 거래가 판매 종료 {seconds}초 전, 블록 {block}에서 조건을 체인에 기록했습니다.',
    termsNotAnchored:
      '판매가 끝나기 전에 조건을 체인에 기록한 사람이 없습니다. 보관하신 문장만이 약속을 말해 줍니다.',
    termsAnchoredLate:
      '조건이 판매가 끝난 뒤에야 체인에 기록되었습니다 (블록 {block}, {transaction}). 보관하신 문장만이 약속을 말해 줍니다.',
    listAnchored:
      '{transaction} 거래가 추첨 시각 {seconds}초 전, 블록 {block}에서 조건과 목록을 체인에 기록했습니다.',
    listNotAnchored:
      '판매 종료와 추첨 사이에 조건과 목록을 체인에 기록한 사람이 없습니다. 추첨 전에 티켓 목록을 저장한 사람은 그 SHA-256을 비교할 수 있습니다.',
    listAnchoredEarly:
      '조건과 목록이 판매가 끝나기 전에 체인에 기록되어 (블록 {block}, {transaction}), 그 뒤의 결제에 대해서는 아무것도 말해 주지 않습니다. 추첨 전에 티켓 목록을 저장한 사람은 그 SHA-256을 비교할 수 있습니다.',
    anchorNotThere: '증명에는 블록 {block}의 {transaction} 거래가 있지만, 체인에 그런 기록이 없습니다.',
    operatorAnchoredOther:
      '운영자가 이 조건과 목록이 아닌 다른 값을 체인에 기록했습니다: {commitment}, 거래 {transaction}.',
    anchorWalletAnchoredOther:
      '기록용 지갑이 다른 값도 체인에 기록했습니다: {commitment}, 거래 {transaction}. 무엇인지 운영자에게 물어보세요.',
    noEndpoint: '노드를 지정하지 않았습니다. 신뢰하는 노드를 지정하세요.',
    noLogs:
      '이 노드는 결제 기록을 제공하지 않아, 목록에서 빠진 결제를 찾을 수 없습니다. 유료 노드나 아카이브 노드 등 다른 노드를 쓰세요.',
    noOldLogs: '이 노드는 최근의 결제 기록만 제공합니다. 아카이브 노드를 쓰세요.',
    noHistory: '이 노드에는 이 판매만큼 오래된 블록이 더는 없습니다 ({problem}). 아카이브 노드를 쓰세요.',
    endpointFailed: '이 검증에 노드를 쓸 수 없었습니다: {problem} 다시 검증하거나 다른 노드를 쓰세요.',
    logsLeaveOut:
      '이 노드가 제공하는 기록에 블록 {block}의 내용이 빠져 있을 수 있습니다. 다른 노드를 쓰세요.',
  },
  {
    difference: '기댓값 {expected}, 확인한 값 {actual}.',
    next: {
      files:
        '증명 파일과 티켓 목록을 저장하고, 둘을 새로 불러와 다시 검증하세요. 그래도 실패하면 규칙대로 한 추첨이 아닙니다. 두 파일을 운영자와 다른 사람들에게 보여 주세요.',
      terms:
        '조건 문장을 보관하세요. 무엇을 약속받았는지 말해 줍니다. 운영자와 다른 구매자들에게 보여 주세요.',
      node: '다른 제공자의 노드로 다시 검증하세요. 결과가 같으면 증명 파일과 티켓 목록을 저장해 운영자와 다른 사람들에게 보여 주세요.',
    },
  },
)

export const verdicts: Record<Verdict, string> = {
  verified: '검증 완료: {steps}단계를 모두 확인했고 모두 통과했습니다.',
  incomplete: '검증 미완: 어긋나는 점은 없지만 {steps}단계 중 {open}단계를 확인하지 못했습니다:',
  contradicted: '불일치: {steps}단계 중 {open}단계가 실패했습니다:',
}
