import { randomFillSync, randomUUID } from 'node:crypto';
import type { Clock } from './clock.ts';

const DIGITS = 20; // ten random bytes in hex; the first gives way to the version
const VARIANTS = '89ab';
const pool = Buffer.alloc((DIGITS / 2) * 256);
let digits = '';
let taken = 0;
let lastTime = -1;
let lastBeginning = '';

/** Behind it comes every id: where whoever goes through rows in the order of their ids begins. */
export const BEFORE_ALL_IDS = '00000000-0000-0000-0000-000000000000';

/** A time-ordered id (RFC 9562 version 7): what rows are keyed, partitioned and paged by. */
export function timeOrderedId(clock: Clock): string {
  if (taken === digits.length) {
    digits = randomFillSync(pool).toString('hex');
    taken = 0;
  }
  const at = taken;
  taken += DIGITS;
  const variant = VARIANTS[(pool[at / 2 + 2] as number) >> 6]; // the digit there gives way to it
  return `${beginningOf(clock.now().getTime())}-7${digits.slice(at + 1, at + 4)}-${variant}${digits.slice(at + 5, at + 8)}-${digits.slice(at + 8, at + DIGITS)}`;
}

/** The digits that tell the time; many ids are made within one millisecond. */
function beginningOf(time: number): string {
  if (time !== lastTime) {
    const millis = time.toString(16).padStart(12, '0');
    lastBeginning = `${millis.slice(0, 8)}-${millis.slice(8)}`;
    lastTime = time;
  }
  return lastBeginning;
}

/** The smallest time-ordered id of an instant: the edge of a partition or of a page by time. */
export function firstIdAt(time: Date): string {
  const millis = Math.max(0, time.getTime()).toString(16).padStart(12, '0');
  return `${millis.slice(0, 8)}-${millis.slice(8)}-7000-8000-000000000000`;
}

/** When a time-ordered id was made. */
export function timeOfId(id: string): Date {
  return new Date(Number.parseInt(id.slice(0, 8) + id.slice(9, 13), 16));
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
