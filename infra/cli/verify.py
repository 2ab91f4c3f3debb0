#!/usr/bin/env python3
"""Checks a finished raffle draw with public data alone. Written to be read before it is trusted: ten minutes are enough.

    python3 verify.py --proof proof.json --ledger ledger.csv --rpc https://NODE --terms "blockdraw-terms-2,..."
    python3 verify.py --site https://RAFFLE --event 1 --rpc https://NODE --terms "blockdraw-terms-2,..."

From elsewhere than the raffle you need a node of BNB Smart Chain that you trust and that gives out logs, and the terms line
that your browser, or another buyer's, kept at a purchase. The idea: the terms line says everything that was promised. The
ticket list follows from public transfers to the operator's wallet, so it is made again here and compared line by line. Before
the draw block existed, terms and list were put on the chain, so nobody could change them later. The draw block is the first
at or after the draw date. SHA-256 over the hashes of five blocks is a number, and its remainder names the winning ticket.

Exit code: 0 verified (every step passed), 1 contradicted (a step failed), 2 incomplete (nothing contradicts, but a step could
not be done), 64 nothing could be checked. `bun run verify` also checks drand's signature and the hashes of block headers.
"""
import argparse, hashlib, json, re, sys, urllib.request

CHAIN, TOKEN = 56, "0x55d398326f99059ff775485246999027b3197955"  # BNB Smart Chain and its USDT
REGISTER = "0x286ae09cf3f6cbddd7c4dded65883189a73dbffd"  # the contract that remembers terms and lists
TRANSFER = "0xddf252ad1be2c89b69c2b068fc378daa952ba7f163c4a11628f55a4df523b3ef"  # Transfer(address,address,uint256)
ANCHORED = "0xc66aa619d2fc4deead694d8329640f3aa1dba4a9bd1c5d5b7ce8c1f746b0e391"  # Anchored(address,bytes32,uint256,bytes32)
HEADER = "ticketNumber,ticketCount,transactionHash,payer,value,blockNumber,transactionIndex"
MOST_TICKETS = 2_000_000_000
FIELDS = ("version terms termsSha256 commitment list formerWallets anchors ticketsSold blocks miners entropy blockSeed beacon seed "
          "counter randomNumber winningTicket winner winners reserves").split()
TERMS = ("book,eventNumber,chainId,token,operatorWallet,anchorWallet,ticketPrice,saleStart,saleEnd,drawDate,minTickets,autoDraw,"
         "entropy,winners,claimDays,formerWalletsSha256,contentSha256").split(",")

class Open(Exception):
    """This could not be checked: nothing contradicts the draw here, and nothing proves it."""

def check(is_so, problem):
    """A step fails where this is not so."""
    if not is_so:
        raise AssertionError(problem)

sha256 = lambda data: hashlib.sha256(data).digest()

def raw(text):  # the bytes of a text such as 0x12ab
    check(isinstance(text, str) and re.fullmatch("0x([0-9a-f]{2})*", text), f"{str(text)[:80]} is not in its one form")
    return bytes.fromhex(text[2:])

def word(value):  # an address or a number as the chain's logs have it: 32 bytes
    return "0x" + (f"{value:064x}" if isinstance(value, int) else value[2:].lower().rjust(64, "0"))

def read_proof(text):
    """JSON in its one form: two programs that read a name twice, or 1.0 and 1, could understand different proofs."""
    def once(pairs):
        check(len({name for name, _ in pairs}) == len(pairs), "the proof has a field twice")
        return dict(pairs)

    def whole(number):
        check(re.fullmatch("0|-?[1-9][0-9]*", number), f"the proof has the number {number}, which is not in its one form")
        return int(number)
    try:
        return json.loads(text, object_pairs_hook=once, parse_float=whole, parse_int=whole)
    except (ValueError, RecursionError) as error:
        raise AssertionError(f"the proof is no JSON: {error}") from None

def read_terms(line):
    kind, *values = line.rstrip("\n").split(",")
    check(line.endswith("\n") and kind == "blockdraw-terms-2" and len(values) == len(TERMS), "this is no terms line")
    terms = dict(zip(TERMS, values))
    for name in ("eventNumber", "chainId", "ticketPrice", "saleStart", "minTickets", "winners"):
        check(re.fullmatch("0|[1-9][0-9]*", terms[name]), f"{name} of the terms is no number")
        terms[name] = int(terms[name])
    return terms

def check_terms(proof, terms, kept):
    """The proof's line is the one that a buyer kept, to the letter."""
    check("0x" + sha256(proof["terms"].encode()).hex() == proof["termsSha256"], "the terms line has another SHA-256")
    former = proof["formerWallets"]
    told = "0x" + sha256("".join(f"{wallet}\n" for wallet in sorted(former)).encode()).hex() if former else "none"
    check(told == terms["formerWalletsSha256"], "the proof lists other earlier wallets than the terms")
    check(proof["entropy"] == terms["entropy"], "the draw took another source of chance than the terms promise")
    check((terms["chainId"], terms["token"]) == (CHAIN, TOKEN), "tickets were not paid in USDT on BNB Smart Chain")
    check(proof["ticketsSold"] >= terms["minTickets"], "fewer tickets were sold than the minimum: all money goes back")
    is_equal = is_kept = False
    for own in filter(lambda own: own["eventNumber"] == terms["eventNumber"], map(read_terms, kept)):
        is_undated = own["saleEnd"] == own["drawDate"] == "none"
        for name in TERMS:
            if not (is_undated and name in ("saleEnd", "drawDate")):
                check(own[name] == terms[name], f"{name} was {own[name]} at the purchase, and is {terms[name]}")
        is_kept, is_equal = True, is_equal or not is_undated
    if not is_kept:
        raise Open("no line of this event was given with --terms")
    if not is_equal:
        raise Open("the date was set after your purchase: give a line that was kept later")

def read_list(data):
    """The lines behind the header, each as a list of its seven values."""
    lines = data.decode("utf-8").split("\n")
    check(lines[0] == HEADER, "the list does not begin with its header")
    check(lines[-1] == "", "the last line of the list has no end")
    form = re.compile(r"[1-9]\d*,[1-9]\d*,0x[0-9a-f]{64},0x[0-9a-f]{40},[1-9]\d*,(0|[1-9]\d*),(0|[1-9]\d*)", re.ASCII)
    for number, line in enumerate(lines[1:-1], 1):
        check(form.fullmatch(line), f"line {number} is not in its one form: {line[:80]}")
    return [line.split(",") for line in lines[1:-1]]

def check_lines(rows, price, count, tickets):
    """Tickets are numbered without a gap, in chain order, each payment with as many as its money buys."""
    following, place = 1, (-1, -1)
    for number, row in enumerate(rows, 1):
        first, bought, value, here = int(row[0]), int(row[1]), int(row[4]), (int(row[5]), int(row[6]))
        check(first == following, f"line {number} does not begin with ticket {following}")
        check(value // price == bought, f"line {number} has {bought} tickets for {value} units")
        check(place <= here, f"line {number} is not in chain order")
        following, place = following + bought, here
        check(following - 1 <= MOST_TICKETS, f"line {number} goes beyond {MOST_TICKETS} tickets")
    check(len(rows) == count, f"the list has {len(rows)} payments, the proof says {count}")
    check(following - 1 == tickets, f"the list has {following - 1} tickets, the proof says {tickets}")

def draw_seed(proof):
    """The accepted seed and how many were refused: a seed that would favour some tickets is hashed again."""
    seed = sha256(b"".join(raw(block["hash"]) for block in proof["blocks"]))
    check("0x" + seed.hex() == proof["blockSeed"], f"the five hashes give the seed 0x{seed.hex()}")
    if proof["beacon"]:
        seed = sha256(seed + raw(proof["beacon"]["randomness"]) + raw(proof["list"]["sha256"]))
    counter = 0
    while int.from_bytes(seed, "big") >= 2**256 - 2**256 % proof["ticketsSold"]:
        counter += 1
        seed = sha256(seed + counter.to_bytes(4, "big"))
    return seed, counter

def place_of(seed, kind, number, left):
    """1..left: a place among the tickets of payers who were not drawn yet."""
    attempt = 0
    while True:
        x = int.from_bytes(sha256(seed + kind + number.to_bytes(4, "big") + attempt.to_bytes(4, "big")), "big")
        if x < 2**256 - 2**256 % left:
            return x % left + 1
        attempt += 1

def draw_all(seed, ticket, rows, winners):
    """Winners and reserves, each another payer: the first holds the winning ticket, each other one has a number of its own."""
    taken, drawn = set(), {b"winner": [], b"reserve": []}
    for kind, numbers in ((b"winner", range(1, winners + 1)), (b"reserve", range(1, 4))):
        for number in numbers:
            free = [row for row in rows if row[3] not in taken]
            left = sum(int(row[1]) for row in free)
            if left == 0:
                continue
            is_first = kind == b"winner" and number == 1
            place = ticket if is_first else place_of(seed, kind, number, left)
            for row in free:
                if place <= int(row[1]):
                    break
                place -= int(row[1])
            taken.add(row[3])
            drawn[kind].append({"walletAddress": row[3], "transactionHash": row[2],
                                "ticketNumber": int(row[0]), "ticketCount": int(row[1])})
    return drawn[b"winner"], drawn[b"reserve"]

class Node:
    """An endpoint that you trust. What it does not answer leaves a step open, and contradicts nothing."""

    def __init__(self, url):
        self.url, self.known = url, {}

    def ask(self, method, *params):
        body = json.dumps({"jsonrpc": "2.0", "id": 1, "method": method, "params": params}).encode()
        request = urllib.request.Request(self.url, body, {"content-type": "application/json", "user-agent": "verify.py"})
        try:
            with urllib.request.urlopen(request, timeout=30) as answer:
                told = json.loads(answer.read(2**27))
        except (OSError, ValueError) as error:
            raise Open(f"the node did not answer {method}: {error}") from None
        if not isinstance(told, dict) or "result" not in told:
            raise Open(f"the node refused {method}: {str(told)[:200]}")
        return told["result"]

    def block(self, at):
        """A header as (number, hash, time, miner); `at` is a number or a tag."""
        if at not in self.known:
            told = self.ask("eth_getBlockByNumber", hex(at) if isinstance(at, int) else at, False)
            try:
                self.known[at] = (int(told["number"], 16), told["hash"], int(told["timestamp"], 16), told["miner"].lower())
            except (TypeError, KeyError, ValueError, AttributeError):
                raise Open(f"the node does not have block {at}: take one with an archive") from None
        return self.known[at]

    def first_since(self, time):
        """Number of the first block at or after this time: block times never fall."""
        high, step = self.block("finalized")[0], 1
        if self.block(high)[2] < time:
            return high + 1
        low = high  # from the newest block back, as nodes may keep no old ones
        while low > 0 and self.block(low)[2] >= time:
            high, low, step = low, max(0, low - step), step * 2
        if self.block(low)[2] >= time:
            return low
        while high - low > 1:
            middle = (low + high) // 2
            low, high = (middle, high) if self.block(middle)[2] < time else (low, middle)
        return high

    def logs(self, address, topics, first, last):
        """All logs of these blocks, by ranges that are halved until the node answers."""
        width, found = 5_000, []
        while first <= last:
            end = min(first + width - 1, last)
            query = {"address": address, "topics": topics, "fromBlock": hex(first), "toBlock": hex(end)}
            try:
                told = self.ask("eth_getLogs", query)
            except Open:
                if end == first:
                    raise
                width = (end - first + 1) // 2
                continue
            try:
                for log in told:
                    place = (int(log["blockNumber"], 16), int(log["transactionIndex"], 16), int(log["logIndex"], 16))
                    check(log["address"].lower() == address and first <= place[0] <= end, "")
                    found.append((place, [topic.lower() for topic in log["topics"]], log["data"].lower(),
                                  log["transactionHash"].lower()))
            except (TypeError, KeyError, ValueError, AttributeError, AssertionError):
                raise Open("the node answered logs that were not asked for") from None
            first = end + 1
        return sorted(found)

    def shows(self, block, transaction, topics):
        """Whether the block's receipts have such a log of this transaction; None where the node does not say."""
        try:
            logs = [log for receipt in self.ask("eth_getBlockReceipts", hex(block)) for log in receipt["logs"]]
            return any((log["transactionHash"].lower(), log["topics"][:len(topics)]) == (transaction, topics) for log in logs)
        except (Open, TypeError, KeyError, AttributeError):
            return None

def rebuild(node, terms, former):
    """The list as the chain has it: every transfer to the operator's wallet in the sale, summed by payer and transaction."""
    first, last = node.first_since(terms["saleStart"]), node.first_since(int(terms["saleEnd"])) - 1
    wallet = terms["operatorWallet"]
    payments = {}
    for place, topics, data, transaction in node.logs(terms["token"], [TRANSFER, None, word(wallet)], first, last):
        if len(topics) == 3 and len(data) == 66 and int(data, 16) > 0:
            payer = "0x" + topics[1][26:]
            payments.setdefault((transaction, payer), [place, 0])[1] += int(data, 16)
    own = {wallet, terms["anchorWallet"], "0x" + "0" * 40, *former}  # the operator buys nothing from himself
    rows, sold = [], 0
    for (transaction, payer), (place, units) in sorted(payments.items(), key=lambda item: item[1][0]):
        bought = units // terms["ticketPrice"]
        if payer not in own and 0 < bought <= MOST_TICKETS - sold:
            rows.append([str(each) for each in (sold + 1, bought, transaction, payer, units, place[0], place[1])])
            sold += bought
    return rows

def check_complete(node, terms, former, rows):
    """The list is the chain's, line by line."""
    found = rebuild(node, terms, former)
    for number in range(max(len(found), len(rows))):
        ours, theirs = (each[number] if number < len(each) else None for each in (found, rows))
        if ours == theirs:
            continue
        # Some nodes answer no logs where they have lost them: a line that the receipts show was left out by the node.
        if theirs and not any(row[2:4] == theirs[2:4] for row in found):
            topics = [TRANSFER, word(theirs[3]), word(terms["operatorWallet"])]
            if theirs[3] not in former and node.shows(int(theirs[5]), theirs[2], topics) is not False:
                raise Open(f"the node may leave out a payment of block {theirs[5]}: take another one")
        raise AssertionError(f"line {number + 1} is {theirs or 'missing'}, the chain has {ours or 'none'}")

def anchors_of(node, terms, end):
    """(block, wallet, commitment) of all that the two wallets put on the chain for this event before block `end`."""
    wallets = [word(wallet) for wallet in (terms["operatorWallet"], terms["anchorWallet"]) if wallet != "none"]
    topics = [ANCHORED, wallets, terms["book"], word(terms["eventNumber"])]
    logs = node.logs(REGISTER, topics, node.first_since(terms["saleStart"]), end - 1)
    return [(place[0], "0x" + topics[1][26:], data, transaction) for place, topics, data, transaction in logs]

def check_named(node, terms, named, anchors, end):
    """An anchor that the proof names before block `end` is there."""
    if not named or named["blockNumber"] >= end:
        return
    found = [each for each in anchors if each[::3] == (named["blockNumber"], named["transactionHash"])]
    if not found:
        topics = [ANCHORED, word(named["wallet"]), terms["book"], word(terms["eventNumber"])]
        seen = node.shows(named["blockNumber"], named["transactionHash"], topics)
        check(seen is not False, f"{named['transactionHash']} did no such thing")
        raise Open(f"the node may leave out what {named['transactionHash']} did: take another one")
    time = node.block(named["blockNumber"])[2]
    check((found[0][1], time) == (named["wallet"], named["timestamp"]), "the anchor is another one")

def verify(proof, data, node, kept):
    """Yields (step, function); a function raises AssertionError where the step fails, and Open where it cannot be done."""
    terms = read_terms(proof["terms"])
    digest = sha256(data)
    numbers, draw_block = [block["number"] for block in proof["blocks"]], proof["blocks"][-1]["number"]
    rows = []  # the list, once its lines were found right
    def form():
        check(list(proof) == FIELDS and proof["version"] == 3, "the proof has other fields than a proof")
        check(numbers == list(range(numbers[0], numbers[0] + 5)), "the five blocks do not follow each other")
        check(int(terms["saleEnd"]) < int(terms["drawDate"]), "the dates of the terms are not in order")
        commitment = sha256(proof["terms"].encode() + raw(proof["list"]["sha256"]))
        check("0x" + commitment.hex() == proof["commitment"], "terms and list give another commitment")
    def lines():
        read = read_list(data)
        check_lines(read, terms["ticketPrice"], proof["list"]["lines"], proof["ticketsSold"])
        rows.append(read)
    def seed():
        found, counter = draw_seed(proof)
        check(("0x" + found.hex(), counter) == (proof["seed"], proof["counter"]), f"the accepted seed is 0x{found.hex()}")
    def number():
        found = int.from_bytes(draw_seed(proof)[0], "big")
        ticket = found % proof["ticketsSold"] + 1
        check((str(found), ticket) == (proof["randomNumber"], proof["winningTicket"]), f"{found} names ticket {ticket}")
    def all_rows():
        if not rows:
            raise Open("the list itself could not be used")
        return rows[0]
    def drawn():
        check(proof["winningTicket"] <= proof["ticketsSold"], "no line holds the winning ticket")
        return draw_all(raw(proof["seed"]), proof["winningTicket"], all_rows(), terms["winners"])
    def beacon():
        signature = proof["beacon"]["signature"]
        check("0x" + sha256(raw(signature)).hex() == proof["beacon"]["randomness"], "the randomness is not of this signature")
        round_, chain = proof["beacon"]["round"], proof["beacon"]["chainHash"][2:]
        raise Open(f"ask drand's own client: `drand-client --chain-hash {chain} --round {round_}` must print {signature[2:]}")
    def need_node():
        if node is None:
            raise Open("no node was named with --rpc")
        return node
    def chain():
        told = need_node().ask("eth_chainId")
        if told != hex(terms["chainId"]) or node.block("finalized")[0] < draw_block:
            raise Open(f"the node serves chain {told}, or block {draw_block} is not final there")
    def first_at_date():
        before, block = need_node().block(draw_block - 1)[2], node.block(draw_block)[2]
        check(before < int(terms["drawDate"]) <= block, f"block {draw_block} is not the first at or after the draw date")
    def five_blocks():
        need_node()
        for block, miner in zip(proof["blocks"], proof["miners"]):
            told = (block["number"], block["hash"], block["timestamp"], miner)
            check(node.block(block["number"]) == told, f"block {block['number']} is another one on the chain")
    def anchor(name, commitment):
        end = max(draw_block, need_node().first_since(int(terms["drawDate"])))
        sale_end = node.first_since(int(terms["saleEnd"]))
        anchors = anchors_of(node, terms, end)
        of = [each for each in anchors if each[2] == commitment]
        check_named(node, terms, proof["anchors"][name], of, end)
        if name == "list":
            others = [each for each in anchors if each[2] not in (proof["termsSha256"], commitment)]
            check(all(each[1] != terms["operatorWallet"] for each in others), "the operator wallet committed to two things")
            if others:
                raise Open("the anchor wallet committed to something else too: ask the operator why")
        if not any((each[0] < sale_end) == (name == "terms") for each in of):
            raise Open("nobody put it on the chain in its time")

    yield "form", form
    yield "terms", lambda: check_terms(proof, terms, kept)
    yield "list", lambda: check("0x" + digest.hex() == proof["list"]["sha256"], f"SHA-256 of the file is 0x{digest.hex()}")
    yield from (("lines", lines), ("seed", seed), ("number", number))
    yield "winner", lambda: check(drawn()[0][0] == proof["winner"], "another line holds the winning ticket")
    yield "winners", lambda: check(drawn() == (proof["winners"], proof["reserves"]), "others follow from the list")
    if proof["beacon"]:
        yield "beacon", beacon
    yield from (("chain", chain), ("draw-block", first_at_date), ("blocks", five_blocks))
    yield "completeness", lambda: check_complete(need_node(), terms, proof["formerWallets"], all_rows())
    yield "terms-anchor", lambda: anchor("terms", proof["termsSha256"])
    yield "list-anchor", lambda: anchor("list", "0x" + sha256(proof["terms"].encode() + digest).hex())

def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    for name in ("site", "event", "rpc", "proof", "ledger"):
        parser.add_argument("--" + name)
    parser.add_argument("--terms", action="append", default=[], help="a terms line, or a file of such lines")
    args = parser.parse_args()
    try:
        if args.site:
            url = args.site.rstrip("/") + "/api/raffle/"
            read = lambda what: urllib.request.urlopen(f"{url}{what}/{int(args.event)}", timeout=60).read(2**29)
        else:
            read = lambda what: open(getattr(args, what), "rb").read(2**29)
        text, data = read("proof"), read("ledger")
        texts = [text if text.startswith("blockdraw-") else open(text, encoding="utf-8-sig").read() for text in args.terms]
        kept = [line + "\n" for text in texts for line in text.splitlines() if line]
    except Exception as error:
        print(f"Nothing could be checked: {error}")
        return 64
    try:
        steps = list(verify(read_proof(text), data, Node(args.rpc) if args.rpc else None, kept))
    except (AssertionError, KeyError, TypeError, IndexError, AttributeError) as error:
        print(f"FAIL form: {error}\n\nContradicted.")
        return 1
    told = []
    for name, do in steps:
        try:
            do()
            told.append("ok")
        except Open as reason:
            told.append("?")
            name += f": {reason}"
        except (AssertionError, KeyError, TypeError, ValueError) as problem:
            told.append("FAIL")
            name += f": {problem}"
        print(f"{told[-1]:4} {name}")
    code = 1 if "FAIL" in told else 2 if "?" in told else 0
    print(f"\n{('Verified', 'Contradicted', 'Incomplete')[code]}: {told.count('ok')} of {len(told)} steps passed.")
    return code

if __name__ == "__main__":
    sys.exit(main())
