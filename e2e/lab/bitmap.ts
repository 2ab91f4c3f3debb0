/** An uncompressed picture of noise, or of one byte alone, which Bun converts to the wanted format. */
export function bitmap(width: number, height: number, byte?: number): Buffer {
  const row = Math.ceil((width * 3) / 4) * 4
  const file = Buffer.alloc(54 + row * height, byte)
  file.fill(0, 0, 54)
  file.write('BM')
  for (const [at, value] of [
    [2, file.length],
    [10, 54],
    [14, 40],
    [18, width],
    [22, height],
  ] as const)
    file.writeUInt32LE(value, at)
  file.writeUInt16LE(1, 26)
  file.writeUInt16LE(24, 28)
  if (byte === undefined) for (let i = 54; i < file.length; i++) file[i] = (i * 7919) % 251
  return file
}
