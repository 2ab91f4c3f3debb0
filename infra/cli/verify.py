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
MOST_TICKETS, MOST_BYTES = 2_000_000_000, 2**29
# drand's network: the hash that names it and its key, and when its first round was. One follows every 3 seconds.
QUICKNET, FIRST_ROUND = "0x52db9ba70e0cc0f6eaf7803dd07447a1f5477735fd3f661792ba94600c84e971", 1692803367
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
harmless = lambda reason: re.sub("[^ -~]", "?", str(reason))  # a text of a file or node could forge a verdict on the screen
def raw(text):  # the bytes of a text such as 0x12ab
    check(isinstance(text, str) and re.fullmatch("0x([0-9a-f]{2})*", text), f"{str(text)[:80]} is not in its one form")
    return bytes.fromhex(text[2:])

def word(value):  # an address or a number as the chain's logs have it: 32 bytes
    return "0x" + (f"{value:064x}" if isinstance(value, int) else value[2:].lower().rjust(64, "0"))

def read_proof(text):
    """JSON in its one form: two programs that read a name twice, or 1.0 and 1, could understand different proofs."""
    def once(pairs):
        check(len({name for name, _ in pairs}) == len(pairs), "the proof has a field twice")
        check(not any(isinstance(value, bool) for _, value in pairs), "the proof has a truth where a number belongs")
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
    found = (len(rows), following - 1)
    check(found == (count, tickets), f"payments and tickets of the list are {found}, the proof says {(count, tickets)}")

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
    for attempt in range(2**32):
        x = int.from_bytes(sha256(seed + kind + number.to_bytes(4, "big") + attempt.to_bytes(4, "big")), "big")
        if x < 2**256 - 2**256 % left:
            return x % left + 1

def draw_all(seed, ticket, rows, winners):
    """Winners and reserves, each another payer: the first holds the winning ticket, each other one has a number of its own."""
    taken, drawn = set(), {b"winner": [], b"reserve": []}
    for kind, numbers in ((b"winner", range(1, winners + 1)), (b"reserve", range(1, 4))):
        for number in numbers:
            free = [row for row in rows if row[3] not in taken]
            left = sum(int(row[1]) for row in free)
            if left == 0:
                continue
            place = ticket if (kind, number) == (b"winner", 1) else place_of(seed, kind, number, left)
            for row in free:
                if place <= int(row[1]):
                    break
                place -= int(row[1])
            taken.add(row[3])
            drawn[kind].append({"walletAddress": row[3], "transactionHash": row[2],
                                "ticketNumber": int(row[0]), "ticketCount": int(row[1])})
    return drawn[b"winner"], drawn[b"reserve"]

def is_asked(log, address, topics):  # a log is of this contract and has these topics: None is any, a list one of several
    own, wanted = [log["address"], *log["topics"]], [address, *topics]
    fits = (each is None or mine.lower() in (each if isinstance(each, list) else [each]) for mine, each in zip(own, wanted))
    return len(own) >= len(wanted) and all(fits)

class Node:
    """An endpoint that you trust. What it does not answer leaves a step open, and contradicts nothing."""
    def __init__(self, url):
        self.url, self.known = url, {}

    def ask(self, method, *params):
        if not self.url:
            raise Open("no node was named with --rpc")
        body = json.dumps({"jsonrpc": "2.0", "id": 1, "method": method, "params": params}).encode()
        request = urllib.request.Request(self.url, body, {"content-type": "application/json", "user-agent": "verify.py"})
        try:
            with urllib.request.urlopen(request, timeout=30) as answer:
                told = json.loads(answer.read(2**27))
        except Exception as error:  # whatever a node does, it says nothing of the draw
            raise Open(f"the node did not answer {method}: {error}") from None
        if not isinstance(told, dict) or "result" not in told:
            raise Open(f"the node refused {method}: {str(told)[:200]}")
        return told["result"]

    def block(self, at):
        """A header as (number, hash, time, miner); `at` is a number or a tag."""
        if at not in self.known:
            told = self.ask("eth_getBlockByNumber", hex(at) if isinstance(at, int) else at, False)
            try:
                found = (int(told["number"], 16), told["hash"], int(told["timestamp"], 16), told["miner"].lower())
                check(at in (found[0], "finalized"), "another block")
                self.known[at] = found
            except Exception:
                raise Open(f"the node does not have block {at}: take one with an archive") from None
        return self.known[at]

    def first_since(self, time):
        """Number of the first block at or after this time: block times never fall. Old blocks are asked for last."""
        low, step = self.block("finalized")[0], 1
        high = low + 1
        while low > 0 and self.block(low)[2] >= time:
            high, low, step = low, max(0, low - step), step * 2
        while low < high:
            middle = (low + high) // 2
            low, high = (middle + 1, high) if self.block(middle)[2] < time else (low, middle)
        return low

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
                    check(is_asked(log, address, topics) and first <= place[0] <= end, "another log")
                    own = [topic.lower() for topic in log["topics"]]
                    found.append((place, own, log["data"].lower(), log["transactionHash"].lower()))
            except Exception:
                raise Open("the node answered logs that were not asked for") from None
            first = end + 1
        return sorted(found)

    def shows(self, block, transaction, address, topics):
        """Whether the block's receipts have such a log of this transaction; None where the node does not say."""
        try:
            receipts = self.ask("eth_getBlockReceipts", hex(block))
            logs = [log for receipt in receipts for log in receipt["logs"] if log["transactionHash"].lower() == transaction]
            is_whole = receipts or not self.ask("eth_getBlockByNumber", hex(block), False)["transactions"]
            return any(is_asked(log, address, topics) for log in logs) if is_whole else None
        except Exception:
            return None

def rebuild(node, terms, own, first, last):
    """The list as the chain has it: every transfer to the operator's wallet in the sale, summed by payer and transaction."""
    wallet, payments = terms["operatorWallet"], {}
    for place, topics, data, transaction in node.logs(terms["token"], [TRANSFER, None, word(wallet)], first, last):
        if len(topics) == 3 and len(data) == 66 and int(data, 16) > 0:
            payer = "0x" + topics[1][26:]
            payments.setdefault((transaction, payer), [place, 0])[1] += int(data, 16)
    rows, sold = [], 0
    for (transaction, payer), (place, units) in sorted(payments.items(), key=lambda item: item[1][0]):
        bought = units // terms["ticketPrice"]
        if payer not in own and 0 < bought <= MOST_TICKETS - sold:
            rows.append([str(each) for each in (sold + 1, bought, transaction, payer, units, place[0], place[1])])
            sold += bought
    return rows

def check_complete(node, terms, former, rows):
    """The list is the chain's, line by line."""
    first, last = node.first_since(terms["saleStart"]), node.first_since(int(terms["saleEnd"])) - 1
    own = {terms["operatorWallet"], terms["anchorWallet"], "0x" + "0" * 40, *former}  # the operator buys nothing from himself
    found = rebuild(node, terms, own, first, last)
    for number in range(max(len(found), len(rows))):
        ours, theirs = (each[number] if number < len(each) else None for each in (found, rows))
        if ours == theirs:
            continue
        # Some nodes answer no logs where they have lost them: a line that the receipts show was left out by the node.
        could_be = theirs and first <= int(theirs[5]) <= last and theirs[3] not in own
        if could_be and not any(row[2:4] == theirs[2:4] for row in found):
            topics = [TRANSFER, word(theirs[3]), word(terms["operatorWallet"])]
            if node.shows(int(theirs[5]), theirs[2], terms["token"], topics) is not False:
                raise Open(f"the node may leave out a payment of block {theirs[5]}: take another one")
        raise AssertionError(f"line {number + 1} is {theirs or 'missing'}, the chain has {ours or 'none'}")

def check_named(node, terms, named, anchors, end):
    """An anchor (block, wallet, commitment, transaction) that the proof names before block `end` is there."""
    if not named or named["blockNumber"] >= end:
        return
    found = [each for each in anchors if each[::3] == (named["blockNumber"], named["transactionHash"])]
    if not found:
        topics = [ANCHORED, word(named["wallet"]), terms["book"], word(terms["eventNumber"])]
        seen = node.shows(named["blockNumber"], named["transactionHash"], REGISTER, topics)
        check(seen is not False, f"{named['transactionHash']} did no such thing")
        raise Open(f"the node may leave out what {named['transactionHash']} did: take another one")
    check((found[0][1], node.block(named["blockNumber"])[2]) == (named["wallet"], named["timestamp"]), "the anchor is another one")

def verify(proof, data, node, kept):
    """Yields (step, function); a function raises AssertionError where the step fails, and Open where it cannot be done."""
    terms, digest = read_terms(proof["terms"]), sha256(data)
    numbers, draw_block = [block["number"] for block in proof["blocks"]], proof["blocks"][-1]["number"]
    check(0 < proof["ticketsSold"] <= MOST_TICKETS and 0 < terms["winners"] <= 20, "so many tickets or winners cannot be")
    check(bool(proof["beacon"]) == (terms["entropy"] == "blocks+drand"), "the terms promise another source of chance")
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
    def beacon_round():
        told, after = proof["beacon"], proof["beacon"]["after"]
        steps = -((FIRST_ROUND - max(int(terms["drawDate"]) + 60, after["timestamp"] + 1)) // 3)  # of 3 seconds, rounded up
        right = (draw_block + 32, steps + 1, FIRST_ROUND + 3 * steps)
        check((after["number"], told["round"], told["time"]) == right, f"block, round and time of the beacon are {right}")
        check(node.block(draw_block + 32)[1:3] == (after["hash"], after["timestamp"]), "the chain has another block there")
    def beacon():
        told, signature = proof["beacon"], proof["beacon"]["signature"]
        check((told["network"], told["chainHash"]) == ("quicknet", QUICKNET), "the beacon is not drand's quicknet")
        check("0x" + sha256(raw(signature)).hex() == told["randomness"], "the randomness is not of this signature")
        ask = f"drand-client --url https://api.drand.sh --hash {QUICKNET[2:]} --round {told['round']}"
        raise Open(f"ask drand's own client: `{ask}` must print the round and {told['randomness'][2:]}")
    def chain():
        told = node.ask("eth_chainId")
        last = draw_block + (32 if proof["beacon"] else 0)
        if told != hex(terms["chainId"]) or node.block("finalized")[0] < last:
            raise Open(f"the node serves chain {told}, or block {last} is not final there")
    def first_at_date():
        before, block = node.block(draw_block - 1)[2], node.block(draw_block)[2]
        check(before < int(terms["drawDate"]) <= block, f"block {draw_block} is not the first at or after the draw date")
    def five_blocks():
        for block, miner in zip(proof["blocks"], proof["miners"]):
            told = (block["number"], block["hash"], block["timestamp"], miner)
            check(node.block(block["number"]) == told, f"block {block['number']} is another one on the chain")
    def anchor(name, commitment):
        end = max(draw_block, node.first_since(int(terms["drawDate"])))
        sale_end = node.first_since(int(terms["saleEnd"]))
        wallets = [word(wallet) for wallet in (terms["operatorWallet"], terms["anchorWallet"]) if wallet != "none"]
        topics = [ANCHORED, wallets, terms["book"], word(terms["eventNumber"])]  # all that both said of this event
        logs = node.logs(REGISTER, topics, node.first_since(terms["saleStart"]), end - 1)
        anchors = [(place[0], "0x" + own[1][26:], data, transaction) for place, own, data, transaction in logs]
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
        yield from (("beacon-round", beacon_round), ("beacon", beacon))
    yield from (("chain", chain), ("draw-block", first_at_date), ("blocks", five_blocks))
    yield "completeness", lambda: check_complete(node, terms, proof["formerWallets"], all_rows())
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
            read = lambda what: urllib.request.urlopen(f"{url}{what}/{int(args.event)}", timeout=60).read(MOST_BYTES)
        else:
            read = lambda what: open(getattr(args, what), "rb").read(MOST_BYTES)
        text, data = read("proof"), read("ledger")
        check(max(len(text), len(data)) < MOST_BYTES, "proof or list is larger than 512 MiB")
        texts = [text if text.startswith("blockdraw-") else open(text, encoding="utf-8-sig").read() for text in args.terms]
        kept = [line.rstrip() + "\n" for text in texts for line in text.splitlines() if line.strip()]
    except Exception as error:
        print(f"Nothing could be checked: {harmless(error)}")
        return 64
    try:
        steps = list(verify(read_proof(text), data, Node(args.rpc), kept))
    except Exception as error:
        print(f"FAIL form: {harmless(error)}\n\nContradicted.")
        return 1
    told = []
    for name, do in steps:
        try:
            do()
            told.append("ok")
        except Exception as reason:
            told.append("?" if isinstance(reason, (Open, MemoryError)) else "FAIL")
            name += f": {harmless(reason)}"
        print(f"{told[-1]:4} {name}")
    code = 1 if "FAIL" in told else 2 if "?" in told else 0
    print(f"\n{('Verified', 'Contradicted', 'Incomplete')[code]}: {told.count('ok')} of {len(told)} steps passed.")
    return code

if __name__ == "__main__":
    sys.exit(main())
