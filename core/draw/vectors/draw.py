"""The draw of Blockdraw, written a second time from its description alone. Needs nothing but Python 3.

    python3 draw.py draw  < cases.json           one result for every {hashes, ticketsSold, limit?}
    python3 draw.py proof proof.json ledger.csv  checks a downloaded proof and ledger against each other
"""

import hashlib
import json
import sys

SEEDS = 2**256


def draw(hashes, tickets_sold, limit=None):
    if len(hashes) != 5 or tickets_sold < 1:
        raise ValueError("a draw takes five hashes and at least one ticket")
    if limit is None:
        limit = SEEDS - SEEDS % tickets_sold
    seed = hashlib.sha256(b"".join(bytes.fromhex(h[2:]) for h in hashes)).digest()
    counter = 0
    while int.from_bytes(seed, "big") >= limit:
        counter += 1
        seed = hashlib.sha256(seed + counter.to_bytes(4, "big")).digest()
    number = int.from_bytes(seed, "big")
    return {
        "seed": "0x" + seed.hex(),
        "counter": counter,
        "randomNumber": str(number),
        "winningTicket": number % tickets_sold + 1,
    }


HEADER = "ticketNumber,ticketCount,transactionHash,payer,value,blockNumber,transactionIndex"


def check_proof(proof, ledger):
    """Everything that can be known without a chain; raises AssertionError naming what is wrong."""
    assert "0x" + hashlib.sha256(ledger).hexdigest() == proof["list"]["sha256"], "list fingerprint"
    lines = ledger.decode("utf-8").split("\n")
    assert lines[0] == HEADER and lines[-1] == "", "ledger form"
    rows = [line.split(",") for line in lines[1:-1]]
    assert len(rows) == proof["list"]["lines"], "list lines"
    price = int(proof["terms"].split(",")[7])
    following, winner, place = 1, None, (-1, -1)
    for number, count, transaction, payer, value, block, index in rows:
        assert int(number) == following, "gap before ticket " + number
        assert int(value) // price == int(count), "tickets of line " + number
        assert place <= (int(block), int(index)), "order at ticket " + number
        place = (int(block), int(index))
        following += int(count)
        if int(number) <= proof["winningTicket"] < following:
            winner = {
                "walletAddress": payer,
                "transactionHash": transaction,
                "ticketNumber": int(number),
                "ticketCount": int(count),
            }
    assert following - 1 == proof["ticketsSold"], "tickets sold"
    numbers = [block["number"] for block in proof["blocks"]]
    assert numbers == [numbers[0] + i for i in range(5)], "blocks"
    result = draw([block["hash"] for block in proof["blocks"]], proof["ticketsSold"])
    for key, value in result.items():
        assert proof[key] == value, key
    assert winner == proof["winner"], "winner"


if __name__ == "__main__":
    if sys.argv[1:2] == ["draw"]:
        cases = json.load(sys.stdin)
        print(json.dumps([
            draw(c["hashes"], c["ticketsSold"], int(c["limit"]) if c.get("limit") else None) for c in cases
        ]))
    elif sys.argv[1:2] == ["proof"] and len(sys.argv) == 4:
        with open(sys.argv[2], encoding="utf-8") as proof, open(sys.argv[3], "rb") as ledger:
            check_proof(json.load(proof), ledger.read())
        print("proof and ledger agree")
    else:
        sys.exit(__doc__)
