/** Bytes as text, for messages that are JSON. */

/** Standard base64 with padding. */
export async function base64(blob: Blob): Promise<string> {
  const bytes = new Uint8Array(await blob.arrayBuffer());
  let binary = '';
  for (let start = 0; start < bytes.length; start += 0x8000) {
    binary += String.fromCharCode(...bytes.subarray(start, start + 0x8000));
  }
  return btoa(binary);
}

/** A picture as a `data:` URL, or null when there is none. */
export async function pngUrl(png: Blob | null | undefined): Promise<string | null> {
  return png ? `data:image/png;base64,${await base64(png)}` : null;
}
