const UTC = '+00:00';
const TO_MILLISECONDS = '2000-01-01T00:00:00.000'.length;

/** A moment that PostgreSQL wrote into JSON, as the wire has it. Where it is in UTC, cutting takes a twentieth of reading. */
export function toWireTime(text: string): string {
  if (!text.endsWith(UTC)) return new Date(text).toISOString();
  const moment = text.slice(0, -UTC.length);
  return moment.includes('.') ? `${moment.slice(0, TO_MILLISECONDS).padEnd(TO_MILLISECONDS, '0')}Z` : `${moment}.000Z`;
}
