/**
 * Draws the icon: a speech bubble whose middle is a point being aimed at. Writes public/icon/{16,32,48,128}.png.
 * Shapes are signed distances on a 32-unit square, sampled 4 by 4 a pixel; no drawing library is needed.
 */
import { writeFileSync } from 'node:fs';
import { crc32, deflateSync } from 'node:zlib';

const BLUE = [37, 99, 235];
const WHITE = [255, 255, 255];
const SAMPLES = 4;

const roundedBox = (x, y, cx, cy, halfWidth, halfHeight, radius) => {
  const dx = Math.abs(x - cx) - halfWidth + radius;
  const dy = Math.abs(y - cy) - halfHeight + radius;
  return Math.hypot(Math.max(dx, 0), Math.max(dy, 0)) + Math.min(Math.max(dx, dy), 0) - radius;
};
const inTail = (x, y) => x >= 8 && y >= 22 && y <= 31 && x - 8 <= (31 - y) * 0.9;
const inBubble = (x, y) => roundedBox(x, y, 16, 13, 15, 12, 6) <= 0 || inTail(x, y);
const inAim = (x, y) => {
  const d = Math.hypot(x - 16, y - 13);
  const onAxis = Math.abs(x - 16) <= 1.1 || Math.abs(y - 13) <= 1.1;
  return d <= 2.2 || (d >= 5 && d <= 7) || (onAxis && d >= 5 && d <= 9.5);
};

/** RGBA of one pixel: the mean of its samples. */
const pixel = (px, py, size) => {
  const sum = [0, 0, 0];
  let hits = 0;
  for (let i = 0; i < SAMPLES * SAMPLES; i++) {
    const x = ((px + ((i % SAMPLES) + 0.5) / SAMPLES) / size) * 32;
    const y = ((py + (Math.floor(i / SAMPLES) + 0.5) / SAMPLES) / size) * 32;
    if (!inBubble(x, y)) continue;
    hits++;
    const colour = inAim(x, y) ? WHITE : BLUE;
    for (let c = 0; c < 3; c++) sum[c] += colour[c];
  }
  const mean = (c) => (hits ? Math.round(sum[c] / hits) : 0);
  return [mean(0), mean(1), mean(2), Math.round((hits / (SAMPLES * SAMPLES)) * 255)];
};

const chunk = (type, data) => {
  const body = Buffer.concat([Buffer.from(type, 'latin1'), data]);
  const out = Buffer.alloc(body.length + 8);
  out.writeUInt32BE(data.length, 0);
  body.copy(out, 4);
  out.writeUInt32BE(crc32(body), body.length + 4);
  return out;
};

const png = (size) => {
  const header = Buffer.alloc(13);
  header.writeUInt32BE(size, 0);
  header.writeUInt32BE(size, 4);
  header.set([8, 6, 0, 0, 0], 8); // 8 bits a channel, RGBA
  const rows = [];
  for (let y = 0; y < size; y++) {
    rows.push(0); // no filter
    for (let x = 0; x < size; x++) rows.push(...pixel(x, y, size));
  }
  const signature = Buffer.from([137, 80, 78, 71, 13, 10, 26, 10]);
  const data = deflateSync(Buffer.from(rows), { level: 9 });
  return Buffer.concat([
    signature,
    chunk('IHDR', header),
    chunk('IDAT', data),
    chunk('IEND', Buffer.alloc(0)),
  ]);
};

for (const size of [16, 32, 48, 128]) {
  writeFileSync(new URL(`../public/icon/${size}.png`, import.meta.url), png(size));
}
