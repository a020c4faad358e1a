import assert from 'node:assert/strict';
import type { Peer } from './peer.ts';

/** What may be heard in clear: up to STARTTLS and no further, then a handshake that the peer did not take up. */
const BEFORE_TLS = /^(?:(?:EHLO|HELO) [\w.[\]:-]+\r\n)*(?:STARTTLS\r\n(?:[\x15\x16]\x03[^]*)?|QUIT\r\n)?$/;

/** Less than this is found anywhere. */
const SHORTEST = 4;

/** A text as it may stand in a message: as it is, and in base64 at each of the three ways that it can fall. */
export function formsOf(marker: string): string[] {
  const shifted = [0, 1, 2].map((before) => {
    const encoded = Buffer.from(`${'x'.repeat(before)}${marker}`).toString('base64');
    const whole = Math.floor(((before + marker.length) * 8) / 6);
    return encoded.slice(Math.ceil((before * 8) / 6), whole);
  });
  return [marker, ...shifted.filter((form) => form.length >= SHORTEST)];
}

/** Fails where a peer got a byte of a marker, an envelope, or anything else but the way to TLS in clear. */
export function assertNothingInClear(peer: Peer, markers: string[]): void {
  const whole = peer.clear().toString('latin1');
  for (const form of markers.flatMap(formsOf)) assert.ok(!whole.includes(form), `${peer.name} heard a marker in clear`);
  for (const { clear } of peer.connections) {
    const heard = Buffer.concat(clear).toString('latin1');
    assert.match(heard, BEFORE_TLS, `${peer.name} heard more in clear than the way to TLS`);
  }
}
