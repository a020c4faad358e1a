/** Every way in which a marker could lie somewhere: as it is, as hex, and as base64 at each alignment. */
export function traces(marker: string): string[] {
  const aligned = [0, 1, 2].map((pad) => {
    const text = Buffer.from(`${'x'.repeat(pad)}${marker}`)
      .toString('base64')
      .replace(/=+$/, '');
    return text.slice(pad === 0 ? 0 : 4, -2);
  });
  return [marker, Buffer.from(marker).toString('hex'), ...aligned];
}
