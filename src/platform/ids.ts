import { randomFillSync, randomUUID } from 'node:crypto';
import type { Clock } from './clock.ts';

const HEX = Array.from({ length: 256 }, (_, byte) => byte.toString(16).padStart(2, '0'));
const pool = Buffer.alloc(10 * 256);
let taken = pool.length;

/** A time-ordered id (RFC 9562 version 7): what rows are keyed, partitioned and paged by. */
export function timeOrderedId(clock: Clock): string {
  if (taken === pool.length) {
    randomFillSync(pool);
    taken = 0;
  }
  const random = pool.subarray(taken, (taken += 10));
  const millis = clock.now().getTime().toString(16).padStart(12, '0');
  const hex = (index: number) => HEX[random[index] as number] as string;
  const version = HEX[0x70 | ((random[0] as number) & 0x0f)] as string;
  const variant = HEX[0x80 | ((random[2] as number) & 0x3f)] as string;
  return `${millis.slice(0, 8)}-${millis.slice(8)}-${version}${hex(1)}-${variant}${hex(3)}-${hex(4)}${hex(5)}${hex(6)}${hex(7)}${hex(8)}${hex(9)}`;
}

/** The smallest time-ordered id of an instant: the edge of a partition or of a page by time. */
export function firstIdAt(time: Date): string {
  const millis = Math.max(0, time.getTime()).toString(16).padStart(12, '0');
  return `${millis.slice(0, 8)}-${millis.slice(8)}-7000-8000-000000000000`;
}

/** An unguessable id (version 4), for where the id itself is the access control. */
export function unguessableId(): string {
  return randomUUID();
}

const UUID = /^[0-9a-f]{8}-?[0-9a-f]{4}-?[0-9a-f]{4}-?[0-9a-f]{4}-?[0-9a-f]{12}$/i;

/** Whether a string is a UUID, with or without its dashes: some clients send them bare. */
export function isUuid(value: string): boolean {
  return UUID.test(value);
}

/** A UUID as the database writes it. */
export function canonicalUuid(uuid: string): string {
  const hex = uuid.replaceAll('-', '').toLowerCase();
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-${hex.slice(12, 16)}-${hex.slice(16, 20)}-${hex.slice(20)}`;
}
