const SLICE_BYTES = 1024 * 1024;

/** What a file comes to without ever being whole in memory: the SHA-256 of those of its slices of 1 MB, in hex. */
export async function slicedHash(file: Blob): Promise<string> {
  const hashes: ArrayBuffer[] = [];
  for (let start = 0; start < file.size; start += SLICE_BYTES) {
    const slice = await file.slice(start, start + SLICE_BYTES).arrayBuffer();
    hashes.push(await crypto.subtle.digest('SHA-256', slice));
  }
  const whole = await crypto.subtle.digest('SHA-256', await new Blob(hashes).arrayBuffer());
  return [...new Uint8Array(whole)].map((byte) => byte.toString(16).padStart(2, '0')).join('');
}
